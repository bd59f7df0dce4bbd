#include "core/provider_event_key.hpp"

namespace sluice::core {

namespace {

/// Each part behind its length: no two lists of parts have the same text.
void add(std::string& key, std::string_view part) {
  key.append(std::to_string(part.size())).append(1, ':').append(part).append(1, ',');
}

} // namespace

std::string provider_event_key(provider_profile_id profile, const provider_event& event,
                               std::string_view payload_digest) {
  std::string key;
  add(key, event.event_id.empty() ? "fingerprint" : "id");
  add(key, std::to_string(profile.value));
  if (!event.event_id.empty()) {
    add(key, event.event_id);
    return key;
  }
  add(key, event.provider_message_id.empty() ? event.attempt_id : event.provider_message_id);
  add(key, event.provider_type);
  add(key, event.occurred_at ? std::to_string(to_us(*event.occurred_at)) : "");
  add(key, payload_digest);
  return key;
}

} // namespace sluice::core
