#include "providers/webhook_event.hpp"

#include "core/header_field.hpp"
#include "providers/answer_id.hpp"
#include "providers/visible_text.hpp"
#include "providers/webhook_signature.hpp"

#include <algorithm>

namespace sluice::providers {

namespace {

using core::callback_refusal_kind;
using core::value_kind;

constexpr std::size_t depth_max = 64;
constexpr std::size_t word_bytes_max = 100;

std::unexpected<core::callback_refusal> refused(callback_refusal_kind kind, std::string reason) {
  return std::unexpected{core::callback_refusal{kind, std::move(reason)}};
}

std::optional<core::timestamp> time_of(const core::value& value) {
  if (value.kind == value_kind::number)
    return read_webhook_timestamp(value.text);
  if (value.kind != value_kind::string)
    return std::nullopt;
  const auto read = core::parse_rfc3339(value.text);
  return read ? std::optional{*read} : std::nullopt;
}

core::provider_event_type type_of(const std::string& word, const webhook_words& words) {
  const auto found = words.states.find(word);
  if (found != words.states.end())
    return found->second;
  // Without words of its own a receiver speaks ours.
  return words.states.empty()
             ? core::parse_provider_event_type(word).value_or(core::provider_event_type::other)
             : core::provider_event_type::other;
}

bool is_json(std::string_view content_type) {
  auto type = content_type.substr(0, content_type.find(';'));
  while (type.ends_with(' ') || type.ends_with('\t'))
    type.remove_suffix(1);
  return core::equal_header_names(type, "application/json");
}

/// Signed at all, whenever; then for now.
std::optional<core::callback_refusal> fault_of_signature(const received_webhook& received,
                                                         const std::vector<std::string>& keys,
                                                         core::timestamp now) {
  const auto at = read_webhook_timestamp(received.timestamp);
  if (!at)
    return core::callback_refusal{callback_refusal_kind::bad_signature,
                                  "webhook-timestamp is missing or no number of seconds since 1970"};
  const bool is_signed = std::ranges::any_of(
      keys, [&](const std::string& key) { return verify_webhook(received, key, *at).has_value(); });
  if (!is_signed)
    return core::callback_refusal{callback_refusal_kind::bad_signature,
                                  "no signature is by a key of this profile over these bytes"};
  if (*at < now - signature_tolerance || *at > now + signature_tolerance)
    return core::callback_refusal{callback_refusal_kind::stale, "webhook-timestamp is more than "
                                                                    + core::to_text(signature_tolerance)
                                                                    + " away from now"};
  return std::nullopt;
}

} // namespace

std::string webhook_id_text(const core::value& value) {
  const bool whole =
      value.kind == value_kind::number && value.text.find_first_not_of("-0123456789") == std::string::npos;
  const bool usable = (value.kind == value_kind::string || whole) && fault_of_remote_id(value.text).empty();
  return usable ? value.text : std::string{};
}

std::optional<core::provider_event> read_webhook_event(std::string_view json, const webhook_words& words) {
  auto reader = core::payload_reader::compile({words.id, words.attempt_id, words.state, words.time},
                                              {.depth_max = depth_max, .bytes_max = webhook_event_bytes_max});
  std::vector<core::value> values;
  if (!reader || !reader->read(json, values))
    return std::nullopt;
  core::provider_event made;
  made.provider_message_id = webhook_id_text(values[0]);
  made.attempt_id = webhook_id_text(values[1]);
  if (made.provider_message_id.empty() && made.attempt_id.empty())
    return std::nullopt;
  if (values[2].kind == value_kind::string) {
    made.type = type_of(values[2].text, words);
    made.provider_type = words.states.contains(values[2].text)
                             ? visible_text(values[2].text, {}, word_bytes_max)
                             : plain_word(values[2].text, word_bytes_max);
    if (const auto found = words.suppressing.find(values[2].text); found != words.suppressing.end())
      made.suppresses = found->second;
  }
  made.occurred_at = time_of(values[3]);
  return made;
}

std::expected<core::provider_event, core::callback_refusal>
verify_webhook_callback(const core::callback_request& callback, const webhook_settings& settings,
                        core::timestamp now) {
  if (!is_json(callback.header("content-type")))
    return refused(callback_refusal_kind::content_type, "the content type is not application/json");
  const received_webhook received{.id = callback.header("webhook-id"),
                                  .timestamp = callback.header("webhook-timestamp"),
                                  .signature = callback.header("webhook-signature"),
                                  .body = callback.body};
  if (auto fault = fault_of_signature(received, settings.callback_keys, now))
    return std::unexpected{*std::move(fault)};
  const core::payload_limits limits{.depth_max = depth_max, .bytes_max = webhook_event_bytes_max};
  if (const auto checked = core::check_payload(callback.body, limits); !checked)
    return refused(callback_refusal_kind::malformed, "the body is no JSON that can be read");
  auto event = read_webhook_event(callback.body, settings.callback);
  if (!event)
    return refused(
        callback_refusal_kind::unidentified,
        "neither the message's id nor the attempt's is where callback.id and callback.attempt_id say");
  event->event_id = visible_text(received.id, {}, remote_id_bytes_max);
  if (!event->occurred_at)
    event->occurred_at = read_webhook_timestamp(received.timestamp);
  return *std::move(event);
}

} // namespace sluice::providers
