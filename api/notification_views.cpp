#include "api/notification_views.hpp"

#include "api/reconciliation_views.hpp"
#include "core/custom_header.hpp"

#include <algorithm>
#include <utility>

namespace sluice::api {

namespace {

json or_null(const std::string& text) {
  return text.empty() ? json(nullptr) : json(text);
}

/// The word of an enum, or null.
template <class Enum>
json word_view(const std::optional<Enum>& value) {
  return value ? json(core::to_string(*value)) : json(nullptr);
}

json suppression_view(const std::optional<core::contact_suppression>& one) {
  if (!one)
    return nullptr;
  return {{"reason", core::to_string(one->reason)},
          {"detail", or_null(one->detail)},
          {"at", time_view(one->at)},
          {"by", or_null(one->by)},
          {"retired_at", time_view(one->retired_at)}};
}

json history_view(const core::notification_attempt& one) {
  return {{"id", one.public_id},
          {"number", one.number},
          {"profile", or_null(one.profile_name)},
          {"state", core::to_string(one.state)},
          {"submitted_at", time_view(one.submitted_at)},
          {"ended_at", time_view(one.ended_at)},
          {"provider_message_id", or_null(one.provider_message_id)},
          {"cause", word_view(one.cause)},
          {"error_class", or_null(one.error_class)},
          {"error", or_null(one.error)},
          {"told", word_view(one.told)},
          {"told_at", time_view(one.told_at)}};
}

json public_id_of(core::provider_profile_id id, const std::vector<core::profile_record>& profiles) {
  const auto found =
      std::ranges::find_if(profiles, [id](const auto& record) { return record.profile.id == id; });
  return found == profiles.end() ? json(nullptr) : json(found->profile.public_id);
}

bool finds_addresses(core::keyed_thing thing) {
  return thing == core::keyed_thing::contact_fingerprints;
}

/// One ring's keys: those of the settings in their order, then others that something was made with.
json ring_view(const std::vector<std::string>& settings, const std::vector<core::key_use>& uses,
               bool fingerprints) {
  auto names = settings;
  for (const auto& use : uses)
    if (finds_addresses(use.thing) == fingerprints && std::ranges::find(names, use.key) == names.end())
      names.push_back(use.key);
  auto keys = json::array();
  for (const auto& name : names) {
    auto used = json::array();
    for (const auto& use : uses)
      if (use.key == name && finds_addresses(use.thing) == fingerprints)
        used.push_back({{"thing", core::to_string(use.thing)}, {"live", use.live}, {"removed", use.removed}});
    keys.push_back({{"name", name},
                    {"first", !settings.empty() && settings.front() == name},
                    {"in_settings", std::ranges::find(settings, name) != settings.end()},
                    {"uses", std::move(used)}});
  }
  return keys;
}

} // namespace

json profile_view(const core::profile_record& one) {
  const auto& profile = one.profile;
  return {{"id", profile.public_id},
          {"tenant", profile.tenant},
          {"name", profile.name},
          {"provider", core::to_string(profile.provider)},
          {"settings", json::parse(profile.settings, nullptr, false)},
          {"credentials", one.has_credentials ? json(core::masked_value) : json(nullptr)},
          {"revision", one.revision},
          {"created_at", time_view(one.created_at)},
          {"updated_at", time_view(one.updated_at)}};
}

json route_view(const core::notification_route& one) {
  auto profiles = json::array();
  for (const auto& step : one.steps)
    profiles.push_back(step.profile);
  return {{"id", one.public_id},
          {"tenant", one.tenant},
          {"name", one.name},
          {"profiles", std::move(profiles)},
          {"revision", one.revision},
          {"created_at", time_view(one.created_at)},
          {"updated_at", time_view(one.updated_at)}};
}

json contact_view(const core::contact_record& one) {
  return {{"id", one.public_id},
          {"tenant", one.tenant},
          {"kind", core::to_string(one.kind)},
          {"suppression", suppression_view(one.suppression)},
          {"token_seen_at", time_view(one.token_seen_at)},
          {"created_at", time_view(one.created_at)},
          {"updated_at", time_view(one.updated_at)}};
}

json notification_view(const core::notification_record& one) {
  const auto& progress = one.progress;
  return {{"id", one.public_id},
          {"tenant", one.tenant},
          {"contact", one.contact_public_id},
          {"idempotency_key", or_null(one.idempotency_key)},
          {"state", core::to_string(progress.state)},
          {"profile", or_null(one.profile_name)},
          {"place", progress.place},
          {"route_length", one.terms.route_length},
          {"attempts", progress.attempts},
          {"in_flight", progress.claim.has_value()},
          {"due_at", time_view(progress.due_at)},
          {"stopped", or_null(one.stopped)},
          {"expires_at", time_view(one.terms.expires_at)},
          {"error_class", or_null(progress.error_class)},
          {"error", or_null(progress.error)},
          {"created_at", time_view(one.created_at)},
          {"updated_at", time_view(one.updated_at)}};
}

json notification_view(const core::notification_record& one, const core::notification_standing& standing) {
  auto view = notification_view(one);
  view["told"] = word_view(standing.told);
  view["told_at"] = time_view(standing.told_at);
  view["reconciliation"] = standing.sought ? looks_view(*standing.sought) : json(nullptr);
  return view;
}

json notification_view(const messages::notification_found& found) {
  auto view = notification_view(found.record, found.standing);
  auto history = json::array();
  for (const auto& one : found.attempts)
    history.push_back(history_view(one));
  view["history"] = std::move(history);
  return view;
}

json provider_event_view(const core::kept_event& event, const std::vector<core::profile_record>& profiles) {
  const auto& what = event.what;
  return {{"id", event.id.value},
          {"tenant", event.tenant},
          {"profile", public_id_of(event.profile, profiles)},
          {"source", core::to_string(event.source)},
          {"received_at", time_view(event.received_at)},
          {"progress", core::to_string(event.progress)},
          {"duplicate_of", event.duplicate_of ? json(event.duplicate_of->value) : json(nullptr)},
          {"event_id", or_null(what.event_id)},
          {"provider_message_id", or_null(what.provider_message_id)},
          {"attempt", or_null(what.attempt_id)},
          {"type", core::to_string(what.type)},
          {"provider_type", or_null(what.provider_type)},
          {"occurred_at", time_view(what.occurred_at)},
          {"suppresses", word_view(what.suppresses)},
          {"detail", or_null(what.detail)}};
}

json callback_refusal_view(const core::refused_callback& refused,
                           const std::vector<core::profile_record>& profiles) {
  return {{"id", refused.id},
          {"at", time_view(refused.at)},
          {"tenant", or_null(refused.tenant)},
          {"profile", public_id_of(refused.profile, profiles)},
          {"source", refused.source},
          {"kind", core::to_string(refused.kind)},
          {"reason", refused.reason},
          {"digest", refused.digest}};
}

json key_uses_view(const messages::key_uses_counted& counted) {
  return {{"keys", ring_view(counted.sealing, counted.uses, false)},
          {"fingerprint_keys", ring_view(counted.fingerprints, counted.uses, true)}};
}

} // namespace sluice::api
