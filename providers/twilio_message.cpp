#include "providers/twilio_message.hpp"

#include "core/letter_case.hpp"
#include "providers/mail_date.hpp"
#include "providers/twilio_errors.hpp"
#include "providers/twilio_settings.hpp"
#include "providers/visible_text.hpp"

#include <array>
#include <utility>

namespace sluice::providers {

namespace {

using json = nlohmann::json;
using enum core::provider_event_type;

constexpr std::size_t status_bytes_max = 40;

/// Twilio's "Message status values", and what is not among them but arrives for incoming messages.
constexpr std::array<std::pair<std::string_view, core::provider_event_type>, 13> statuses{{
    {"accepted", queued},
    {"scheduled", queued},
    {"queued", queued},
    {"sending", queued},
    {"sent", sent},
    {"delivered", delivered},
    {"undelivered", undelivered},
    {"failed", undelivered},
    {"canceled", core::provider_event_type::rejected},
    {"partially_delivered", other},
    {"read", other},
    {"receiving", other},
    {"received", other},
}};

std::string text_of(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

std::optional<core::timestamp> date_of(const json& object, const char* name) {
  return read_mail_date(text_of(object, name));
}

} // namespace

std::optional<twilio_message> read_twilio_message(const json& resource) {
  if (!resource.is_object())
    return std::nullopt;
  twilio_message made;
  made.sid = text_of(resource, "sid");
  made.status = text_of(resource, "status");
  if (!is_twilio_message_sid(made.sid) || made.status.empty())
    return std::nullopt;
  made.sender = text_of(resource, "from");
  made.messaging_service_sid = text_of(resource, "messaging_service_sid");
  made.body = text_of(resource, "body");
  made.direction = text_of(resource, "direction");
  if (const auto code = resource.find("error_code"); code != resource.end())
    made.error_code = parse_twilio_error(code->is_string() ? code->get<std::string>() : code->dump());
  made.created_at = date_of(resource, "date_created");
  made.updated_at = date_of(resource, "date_updated");
  return made;
}

core::provider_event_type twilio_event_type(std::string_view status) {
  std::string word{status};
  core::make_lower(word);
  for (const auto& [name, type] : statuses)
    if (name == word)
      return type;
  return other;
}

core::provider_event twilio_event(std::string sid, std::string attempt_id, std::string_view status,
                                  int error_code) {
  core::provider_event made;
  made.provider_message_id = std::move(sid);
  made.attempt_id = std::move(attempt_id);
  made.type = twilio_event_type(status);
  made.provider_type = plain_word(status, status_bytes_max);
  core::make_lower(made.provider_type);
  made.detail = describe_twilio_error(error_code);
  if (const auto* known = find_twilio_error(error_code))
    made.suppresses = known->retires;
  return made;
}

} // namespace sluice::providers
