#include "config/secret_reference.hpp"

#include "config/text_file.hpp"

#include <string_view>

namespace sluice::config {
namespace {

constexpr std::string_view in_variable = "env:";
constexpr std::string_view in_file = "file:";
constexpr std::string_view as_it_is = "plain:";

} // namespace

bool names_secret(const std::string& text) noexcept {
  return text.starts_with(in_variable) || text.starts_with(in_file);
}

std::expected<std::string, std::string> named_secret(const std::string& text, const environment* variables) {
  if (text.starts_with(as_it_is)) {
    return text.substr(as_it_is.size());
  }
  if (!names_secret(text)) {
    return text;
  }
  if (variables == nullptr) {
    return std::unexpected{std::string{"names a variable or file of the node; allowed is the secret itself"}};
  }
  if (text.starts_with(in_variable)) {
    const auto name = text.substr(in_variable.size());
    const auto variable = variables->find(name);
    if (variable == variables->end() || variable->second.empty()) {
      return std::unexpected{"names the variable " + name + ", which is not set"};
    }
    return variable->second;
  }
  auto secret = read_secret_file(text.substr(in_file.size()));
  if (!secret) {
    return std::unexpected{"names a file: " + secret.error()};
  }
  return secret;
}

} // namespace sluice::config
