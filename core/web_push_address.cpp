#include "core/web_push_address.hpp"

#include "core/json_tree.hpp"
#include "core/outside_address.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace sluice::core {

namespace {

constexpr std::string_view base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::unexpected<std::string> refuse(std::string_view sentence) {
  return std::unexpected{std::string{sentence}};
}

/// The text of a string member, nothing where there is no such string.
std::optional<std::string> text_of(const json_node* object, std::string_view name) {
  const auto* const member = object != nullptr ? find_member(*object, name) : nullptr;
  if (member == nullptr || member->kind != value_kind::string)
    return std::nullopt;
  return member->text;
}

/// Base64url of `bytes` bytes without its padding; nothing where it is not, or has stray bits at its end.
std::optional<std::string> key_of(const json_node* keys, std::string_view name, std::size_t bytes) {
  auto key = text_of(keys, name);
  if (!key)
    return std::nullopt;
  key->erase(std::ranges::find(*key, '='), key->end());
  const std::size_t spare_bits = key->size() * 6 % 8;
  const bool fits = key->size() == (bytes * 8 + 5) / 6
                    && std::ranges::all_of(*key, [](char c) { return base64url.contains(c); })
                    && base64url.find(key->back()) % (std::size_t{1} << spare_bits) == 0;
  return fits ? key : std::nullopt;
}

/// Whether the first byte of a key is 4: an uncompressed point (SEC 1 section 2.3.3).
bool is_uncompressed(std::string_view key) noexcept {
  return base64url.find(key[0]) * 4 + base64url.find(key[1]) / 16 == 4;
}

} // namespace

std::expected<std::string, std::string> normalise_web_push(std::string_view text) {
  const auto tree = parse_json_tree(text);
  if (!tree || tree->kind != value_kind::object)
    return refuse("a web push address is the JSON object of a PushSubscription");
  const auto* const keys = find_member(*tree, "keys");
  if (!repeated_names(*tree).empty() || (keys != nullptr && !repeated_names(*keys).empty()))
    return refuse("a web push address names each of its members once");
  const auto endpoint = text_of(&*tree, "endpoint");
  const auto url = endpoint ? parse_outside_url(*endpoint) : std::unexpected{std::string{}};
  if (!url || !url->https)
    return refuse("the endpoint of a web push address is an https URL");
  const auto point = key_of(keys, "p256dh", 65);
  if (!point || !is_uncompressed(*point))
    return refuse("keys.p256dh of a web push address is base64url of 65 bytes, the first being 4");
  const auto secret = key_of(keys, "auth", 16);
  if (!secret)
    return refuse("keys.auth of a web push address is base64url of 16 bytes");
  std::string made = R"({"endpoint":)";
  append_json_string(made, *endpoint);
  return made + R"(,"keys":{"p256dh":")" + *point + R"(","auth":")" + *secret + R"("}})";
}

} // namespace sluice::core
