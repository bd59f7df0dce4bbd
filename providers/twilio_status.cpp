#include "providers/twilio_status.hpp"

#include "core/payload.hpp"
#include "providers/submission_answer.hpp"
#include "providers/text_encoding.hpp"
#include "providers/twilio_message.hpp"

#include <algorithm>
#include <optional>

namespace sluice::providers {

namespace {

using json = nlohmann::json;
using verdict = status_answer::verdict;

/// How far Twilio's clock and ours may be apart, with the time a call takes.
constexpr core::duration clocks_apart = std::chrono::minutes{65};
/// "Validity period": the longest a message stays in Twilio's queue. The list is asked for by the day a
/// message was sent, so one that still waits there may be missing.
constexpr core::duration queue_time_max = std::chrono::hours{10};
constexpr int page_size = 200;
constexpr std::string_view trial_words = "Sent from your Twilio trial account - ";

status_answer unread(std::string why) {
  status_answer made;
  made.error = std::move(why);
  return made;
}

status_answer known(const status_question& question, const twilio_message& message) {
  status_answer made;
  made.kind = verdict::known;
  made.provider_message_id = message.sid;
  auto event = twilio_event(message.sid, question.attempt_id, message.status, message.error_code);
  event.occurred_at = message.updated_at;
  made.events.push_back(std::move(event));
  return made;
}

std::string day_of(core::timestamp at) {
  return core::to_rfc3339(at).substr(0, std::string_view{"2026-01-31"}.size());
}

/// ASCII letters and digits: what Smart Encoding leaves as it is.
std::string plain_part(std::string_view text) {
  std::string out;
  std::ranges::copy_if(text, std::back_inserter(out), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  return out;
}

enum class likeness : std::uint8_t { same, unclear, different };

/// A trial account's messages begin with words of Twilio's, Smart Encoding changes signs, and an account may
/// have its bodies redacted.
likeness compare_bodies(std::string_view submitted, std::string_view listed) {
  if (submitted.empty() || listed.empty())
    return likeness::unclear;
  if (listed.starts_with(trial_words))
    listed.remove_prefix(trial_words.size());
  if (listed == submitted)
    return likeness::same;
  const auto plain = plain_part(submitted);
  if (plain.empty())
    return likeness::unclear;
  return plain_part(listed) == plain ? likeness::same : likeness::different;
}

bool may_be_ours(const twilio_settings& settings, const status_question& question,
                 const twilio_message& message) {
  if (message.direction.starts_with("inbound")
      || std::ranges::find(question.other_ids, message.sid) != question.other_ids.end())
    return false;
  if (message.created_at
      && (*message.created_at < question.submitted_at - clocks_apart
          || *message.created_at > question.submitted_at + clocks_apart))
    return false;
  if (!settings.messaging_service_sid.empty())
    return message.messaging_service_sid.empty()
           || message.messaging_service_sid == settings.messaging_service_sid;
  return message.sender.empty() || message.sender == settings.from;
}

status_answer nothing_found(const status_question& question, const core::http_answer& answer, bool more) {
  if (more)
    return unread("the recipient has more messages than a page of the list holds");
  if (answer.ended_at < question.submitted_at + queue_time_max + clocks_apart)
    return unread("the list has no such message; one that waits in Twilio's queue may not be in it yet");
  status_answer made;
  made.kind = verdict::unknown;
  made.error = "the list has no such message";
  return made;
}

status_answer read_list(const twilio_settings& settings, const status_question& question,
                        const core::http_answer& answer, const json& document) {
  if (!document.contains("messages") || !document["messages"].is_array())
    return unread("the answer holds no list of messages");
  std::optional<twilio_message> found;
  std::size_t same = 0;
  std::size_t unclear = 0;
  for (const auto& each : document["messages"]) {
    auto message = read_twilio_message(each);
    if (!message || !may_be_ours(settings, question, *message))
      continue;
    const auto likeness = compare_bodies(question.text, message->body);
    unclear += likeness == likeness::unclear ? 1U : 0U;
    if (likeness != likeness::same)
      continue;
    ++same;
    found = std::move(message);
  }
  if (same == 1 && unclear == 0 && !question.alike)
    return known(question, *found);
  if (same + unclear == 0) {
    const auto next = document.find("next_page_uri");
    return nothing_found(question, answer, next != document.end() && next->is_string());
  }
  status_answer made;
  made.kind = verdict::several;
  made.error = std::to_string(same + unclear) + " messages to the recipient may be this one";
  return made;
}

} // namespace

std::string twilio_status_url(const twilio_settings& settings, const status_question& question) {
  auto url = settings.base_url + "/2010-04-01/Accounts/" + settings.account_sid + "/Messages";
  if (!question.provider_message_id.empty()) {
    url += '/';
    append_percent_encoded(url, question.provider_message_id);
    return url + ".json";
  }
  url += ".json?To=";
  append_percent_encoded(url, question.contact.text);
  return url + "&DateSent%3E=" + day_of(question.submitted_at - clocks_apart)
         + "&PageSize=" + std::to_string(page_size);
}

status_answer read_twilio_status(const twilio_settings& settings, const status_question& question,
                                 const core::http_answer& answer) {
  if (answer.error != core::call_error::none || answer.status == 0)
    return unread(submission_without_answer(answer).error);
  const bool by_id = !question.provider_message_id.empty();
  if (by_id && answer.status == 404) {
    status_answer made;
    made.kind = verdict::unknown;
    made.error = "Twilio has no message with this id";
    return made;
  }
  if (!is_success(answer))
    return unread("Twilio answered " + std::to_string(answer.status));
  if (!core::check_payload(answer.body))
    return unread("the answer is not readable JSON");
  const auto document = json::parse(answer.body, nullptr, false);
  if (!document.is_object())
    return unread("the answer is no JSON object");
  if (!by_id)
    return read_list(settings, question, answer, document);
  const auto message = read_twilio_message(document);
  if (!message || message->sid != question.provider_message_id)
    return unread("the answer is not about the message that was asked for");
  return known(question, *message);
}

} // namespace sluice::providers
