#pragma once

#include "api/client.hpp"
#include "app/command_context.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace sluice::app {

/// The node a command speaks to. Whatever goes wrong has been printed; the error is the exit code.
class node_client {
public:
  using document = nlohmann::ordered_json;

  /// The node of the settings; refused where they name none.
  [[nodiscard]] static std::expected<node_client, int> of(const command_context& context);

  [[nodiscard]] std::expected<document, int> get(std::string_view target) const;
  [[nodiscard]] std::expected<document, int> post(std::string_view target, const document& body) const;
  /// The same where a refusal of this kind is told apart by the caller: the problem is the answer.
  [[nodiscard]] std::expected<document, int> post(std::string_view target, const document& body,
                                                  std::string_view refusal) const;
  /// Bodies as they are; `key` has the node do it once (empty: none).
  [[nodiscard]] std::expected<document, int> post_text(std::string_view target, std::string body,
                                                       const std::string& key) const;
  /// A mail as it is. Where it is refused as "invalid", the problem is the answer.
  [[nodiscard]] std::expected<document, int> post_mail(std::string_view target, std::string mail) const;
  [[nodiscard]] std::expected<document, int> patch_text(std::string_view target, std::string body) const;
  [[nodiscard]] std::expected<document, int> remove(std::string_view target) const;

private:
  explicit node_client(api::client made) : client_{std::move(made)} {}

  [[nodiscard]] std::expected<document, int> send(std::string_view method, std::string_view target,
                                                  const document& body, std::string_view refusal = {}) const;
  using exchange = std::expected<api::client::answer, api::client::failure>;
  [[nodiscard]] std::expected<document, int> told(exchange answer, std::string_view refusal = {}) const;

  api::client client_;
};

/// Who runs the command, as the history names them.
[[nodiscard]] std::string current_user();

/// Between two looks of a command at what the node works on.
inline constexpr auto poll_interval = std::chrono::milliseconds{200};

/// The member, which is a whole number.
[[nodiscard]] std::int64_t number(const node_client::document& from, const char* name);

/// The member as text; empty where it is null or not there.
[[nodiscard]] std::string cell(const node_client::document& from, std::string_view name);

/// "/v1/rules/NAME" and what follows it.
[[nodiscard]] std::string rule_path(std::string_view rule, std::string_view rest = "");

} // namespace sluice::app
