#pragma once

#include "api/http_message.hpp"
#include "api/problem.hpp"
#include "core/time.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::api {

class desk;

/// Answers one request, at once or later; runs in the desk and never blocks.
using handler = std::function<void(desk&, const request&, const responder&)>;

/// Of a route that takes whatever body comes, with the request as it came.
struct raw_limits {
  std::uint64_t body_bytes_max = 256 << 10;
  core::duration body_timeout = std::chrono::seconds{10};
};

struct route {
  std::string method;  ///< "GET", "POST", …
  std::string pattern; ///< "/v1/rules/{rule}/plan"
  access needed = access::administer;
  std::vector<std::string> segments; ///< of the pattern
  handler handle;
  bool takes_lines = false;           ///< the body may be a stream
  bool knows_repetitions = false;     ///< its handler sees to Idempotency-Key
  std::optional<raw_limits> raw = {}; ///< its request has `raw`, and Idempotency-Key means nothing to it
};

/// Every route of the API. Made once, then only read, by any thread.
class router {
public:
  void add(std::string method, std::string pattern, access needed, handler handle);
  /// Its body may also come as lines of JSON, piece by piece.
  void add_streamed(std::string method, std::string pattern, access needed, handler handle);
  /// Its sender is no client of this API: the body may have any type, and the request comes with `raw`.
  void add_raw(std::string method, std::string pattern, access needed, const raw_limits& limits,
               handler handle);
  /// It keeps what it did under an Idempotency-Key itself, with the thing it made.
  void add_with_own_keys(std::string method, std::string pattern, access needed, handler handle);

  /// The route of `asked` (method and segments), whose parameters are put into it. A HEAD is served by the
  /// path's GET. 404: no route has the path; 405 with Allow: none has the method.
  [[nodiscard]] std::expected<const route*, problem> match(request& asked) const;

  [[nodiscard]] const std::vector<route>& routes() const noexcept { return routes_; }
  /// Its place among them; null: their count.
  [[nodiscard]] std::size_t number_of(const route* which) const noexcept {
    return which ? static_cast<std::size_t>(which - routes_.data()) : routes_.size();
  }

private:
  std::vector<route> routes_;
};

/// A request on its way to its handler.
struct arrived {
  const route* to = nullptr;
  request asked;
  responder answer;
};

} // namespace sluice::api
