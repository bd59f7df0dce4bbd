#pragma once

#include "api/problem.hpp"
#include "api/router.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::api {

/// A request's head as it came.
struct request_head {
  std::string method;
  std::string target;
  std::string authorization;
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
  request asked; ///< without its body
};

/// What is decided about a request before a byte of its body is read, so that nobody without the token can
/// make the node keep one.
class gate {
public:
  gate(const router& routes, std::string_view token, std::uint64_t body_bytes_max);

  [[nodiscard]] std::expected<admitted, problem> admit(const request_head& head) const;

private:
  [[nodiscard]] std::optional<problem> refused_sender(const request_head& head) const;
  [[nodiscard]] std::optional<problem> refused_body(const request_head& head) const;

  const router& routes_;
  std::string token_digest_; ///< digests are compared, so that not even the length shows in the time taken
  std::uint64_t body_bytes_max_;
};

[[nodiscard]] problem body_too_large(std::uint64_t most);
[[nodiscard]] problem head_too_large(std::uint64_t most);

} // namespace sluice::api
