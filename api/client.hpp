#pragma once

#include "config/settings.hpp"
#include "core/time.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace sluice::api {

/// One question to a node's API, from the machine it runs on or another. Blocks its caller.
class client {
public:
  /// The node of these settings' `api.listen`; what listens on every address is found on this machine. Where
  /// they name a certificate it speaks TLS, and only with who has that one. The error says what is missing.
  [[nodiscard]] static std::expected<client, std::string> of(const config::api_settings& settings);

  /// The node at this socket of the machine; it needs no token.
  [[nodiscard]] static client at_socket(std::string path);

  enum class fault : std::uint8_t {
    unreachable, ///< nobody answers there
    broken,      ///< somebody answers, but not as a node does
  };
  struct failure {
    fault what = fault::unreachable;
    std::string detail;
  };

  struct answer {
    int status = 0;
    nlohmann::ordered_json document; ///< a problem's where status is 400 or more

    [[nodiscard]] bool ok() const noexcept { return status < 400; }
  };

  /// `body` null: none is sent.
  [[nodiscard]] std::expected<answer, failure> send(std::string_view method, std::string_view target,
                                                    const nlohmann::ordered_json& body,
                                                    core::duration timeout) const;

  /// The same with a body as it is, and a key that has the node do it once (empty: none).
  [[nodiscard]] std::expected<answer, failure> send_text(std::string_view method, std::string_view target,
                                                         std::string body, const std::string& idempotency_key,
                                                         core::duration timeout) const;

  /// The same with a body of another type than JSON.
  [[nodiscard]] std::expected<answer, failure> send_typed(std::string_view method, std::string_view target,
                                                          std::string_view content_type, std::string body,
                                                          core::duration timeout) const;

  [[nodiscard]] const std::string& place() const noexcept { return place_; }

private:
  struct question;
  [[nodiscard]] std::expected<answer, failure> ask(question&& what) const;

  std::string socket_path_; ///< or
  std::string address_;
  std::uint16_t port_ = 0;
  std::string token_;
  std::string trusted_file_; ///< the node's certificate where it speaks TLS; empty: in clear
  std::string place_;        ///< "127.0.0.1:8400", or the socket's path
};

} // namespace sluice::api
