#pragma once

#include "api/problem.hpp"
#include "api/router.hpp"
#include "api/senders.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::api {

/// A request's head as it came.
struct request_head {
  std::string method;
  std::string target;
  std::string authorization;
  std::string cookie;
  std::string csrf; ///< X-Sluice-Csrf
  std::string idempotency_key;
  std::string if_match;
  std::string if_none_match;
  std::string content_type;
  std::string expect;
  bool has_host = false;
  bool is_http_1_0 = false;
  bool chunked = false;
  std::uint64_t content_length = 0;

  [[nodiscard]] bool has_body() const noexcept { return chunked || content_length > 0; }
};

struct admitted {
  const route* to = nullptr;
  request asked;         ///< without its body
  bool streamed = false; ///< which is to be handed over piece by piece
};

/// A request whose sender is not known yet. What it asks for is told to nobody before that is.
struct arrival {
  std::expected<admitted, problem> found; ///< the problem: no such route
  shown_sender shown;

  [[nodiscard]] bool for_anyone() const noexcept { return found && found->to->needed == access::anyone; }
};

/// Of a body that comes whole.
struct body_limit {
  std::uint64_t bytes_max = 0;
  std::string_view setting; ///< that says so
};

/// What is decided about a request before a byte of its body is read, so that nobody who may not ask can make
/// the node keep one. In two steps, for between them the sender's token is looked up: `read`, then `admit`.
class gate {
public:
  gate(const router& routes, std::shared_ptr<const senders> who, std::uint64_t body_bytes_max);

  [[nodiscard]] std::expected<arrival, problem> read(const request_head& head, bool local_user,
                                                     core::timestamp now) const;

  /// `who` absent: nobody in particular, which only a route for anyone takes.
  [[nodiscard]] std::expected<admitted, problem> admit(arrival&& arrived, const request_head& head,
                                                       std::optional<caller> who) const;

  [[nodiscard]] body_limit limit_of(const route& to) const noexcept;

  [[nodiscard]] const senders& who() const noexcept { return *who_; }

private:
  [[nodiscard]] std::optional<problem> refused_body(const route& to, const request_head& head) const;

  const router& routes_;
  std::shared_ptr<const senders> who_;
  std::uint64_t body_bytes_max_;
};

[[nodiscard]] problem body_too_large(const body_limit& limit);
[[nodiscard]] problem head_too_large(std::uint64_t most);

} // namespace sluice::api
