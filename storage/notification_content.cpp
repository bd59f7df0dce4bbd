#include "storage/notification_content.hpp"

#include "storage/seal_places.hpp"
#include "storage/soci_session.hpp"

#include <nlohmann/json.hpp>

namespace sluice::storage {
namespace {

using nlohmann::json;

std::string text_of(const core::message_content& content) {
  json members = json::object();
  const auto add = [&members](const char* name, const std::string& text) {
    if (!text.empty())
      members[name] = text;
  };
  add("subject", content.subject);
  add("title", content.title);
  add("text", content.text);
  add("html", content.html);
  add("data", content.data);
  add("collapse_key", content.collapse_key);
  members["urgency"] = core::to_string(content.urgency);
  return members.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Nothing where the member is no text.
std::optional<std::string> member(const json& members, const char* name) {
  const auto found = members.find(name);
  if (found == members.end())
    return std::string{};
  return found->is_string() ? std::optional(found->get<std::string>()) : std::nullopt;
}

std::optional<core::message_content> content_of(const std::string& text) {
  const auto members = json::parse(text, nullptr, false);
  if (!members.is_object())
    return std::nullopt;
  const auto urgency = core::parse_message_urgency(member(members, "urgency").value_or(""));
  const auto subject = member(members, "subject"), title = member(members, "title");
  const auto plain = member(members, "text"), html = member(members, "html");
  const auto data = member(members, "data"), collapse_key = member(members, "collapse_key");
  if (!urgency || !subject || !title || !plain || !html || !data || !collapse_key)
    return std::nullopt;
  return core::message_content{*subject, *title, *plain, *html, *data, *collapse_key, *urgency};
}

} // namespace

std::string seal_content(const core::message_content& content, std::string_view tenant_public_id,
                         std::string_view public_id, const crypto::key_ring& keys) {
  auto sealed = crypto::seal(keys, text_of(content), content_place(tenant_public_id, public_id));
  if (!sealed)
    throw abandoned{{error::sealed, "The content of a notification cannot be sealed: "
                                        + std::string(crypto::to_string(sealed.error()))}};
  return std::move(*sealed);
}

std::optional<core::message_content> open_content(std::string_view sealed, std::string_view tenant_public_id,
                                                  std::string_view public_id, const crypto::key_ring& keys) {
  const auto opened = crypto::open(keys, sealed, content_place(tenant_public_id, public_id));
  return opened ? content_of(*opened) : std::nullopt;
}

} // namespace sluice::storage
