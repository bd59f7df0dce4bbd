#include "providers/push_payload.hpp"

#include "core/payload.hpp"
#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"

namespace sluice::providers {

namespace {

constexpr std::string_view json_spaces = " \t\r\n";
constexpr std::size_t collapse_digest_bytes = 24; // 32 characters

} // namespace

std::optional<std::string> fault_of_push_data(std::string_view data) {
  if (data.empty()) {
    return std::nullopt;
  }
  if (const auto checked = core::check_payload(data); !checked) {
    return "content.data: is not readable JSON: " + checked.error();
  }
  if (data[data.find_first_not_of(json_spaces)] != '{') {
    return "content.data: must be a JSON object";
  }
  return std::nullopt;
}

void append_text_member(std::string& object, std::string_view name, std::string_view text) {
  if (text.empty()) {
    return;
  }
  if (!object.ends_with('{')) {
    object += ',';
  }
  core::append_json_string(object, name);
  object += ':';
  core::append_json_string(object, text);
}

std::string_view members_of_object(std::string_view object) noexcept {
  const auto begin = object.find('{');
  const auto end = object.rfind('}');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) {
    return {};
  }
  const auto inner = object.substr(begin + 1, end - begin - 1);
  return inner.find_first_not_of(json_spaces) == std::string_view::npos ? std::string_view{} : inner;
}

std::string collapse_digest(std::string_view collapse_key) {
  const auto digest = crypto::sha256(collapse_key);
  return crypto::to_base64url(crypto::as_bytes(digest).substr(0, collapse_digest_bytes));
}

} // namespace sluice::providers
