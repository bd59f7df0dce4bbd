#include "actors/callback_intake.hpp"
#include "actors/reply.hpp"
#include "core/json_nesting.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <algorithm>
#include <variant>

// A callback's way from its address to a verdict.

namespace sluice::actors {

namespace m = messages;
using core::callback_outcome;

namespace {

constexpr std::size_t json_depth_max = 64;
constexpr std::size_t first_looks_max = 64; ///< so many addresses at once that may be anybody's invention

/// A UUID's form: what has another is no address of ours, and no reason to ask the database.
bool is_public_id(std::string_view text) {
  constexpr std::string_view form = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  const auto fits = [](char wanted, char c) {
    return wanted == '-' ? c == '-' : (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  };
  return std::ranges::equal(form, text, fits);
}

/// What a parser would descend into.
bool is_too_deep(std::string_view body) {
  const auto begin = body.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && (body[begin] == '{' || body[begin] == '[')
         && core::nests_deeper(body, json_depth_max);
}

} // namespace

void callback_intake_state::look_up(number which) {
  const auto* of = find(which);
  if (of == nullptr)
    return;
  const auto& public_id = of->asked.profile;
  if (!is_public_id(public_id)) {
    refuse_unknown(which, "the address is none of a profile", nullptr);
    return;
  }
  const auto found = profiles_.find(public_id);
  const bool loaded = found != profiles_.end() && found->second.version;
  if (loaded && steady() - found->second.looked_at < settings().profile_age_max) {
    judge(which, found->second);
    return;
  }
  if (found == profiles_.end() && first_looks_ >= first_looks_max) {
    answer(which, {callback_outcome::crowded, std::nullopt});
    return;
  }
  auto& held = profiles_[public_id];
  held.waiting.push_back(which);
  if (!std::exchange(held.asked, true))
    load(public_id, held);
}

void callback_intake_state::load(const std::string& public_id, held_profile& into) {
  if (!into.version)
    ++first_looks_;
  auto loaded = [this, public_id, asked_at = steady()](const m::profile_loaded& found) {
    on_profile(public_id, asked_at, found);
  };
  auto failed = [this, public_id](const caf::error& error) { on_profile_failed(public_id, error); };
  m::request(self_, resources_.profiles, resources_.node->settings->actors.request_timeout,
             m::load_profile{public_id, into.version}, std::move(loaded), std::move(failed));
}

void callback_intake_state::on_profile(const std::string& public_id, core::duration asked_at,
                                       const m::profile_loaded& found) {
  auto& held = profiles_.at(public_id);
  held.asked = false;
  if (!held.version)
    --first_looks_;
  const auto waiting = std::exchange(held.waiting, {});
  if (!found.unchanged && !found.profile) {
    profiles_.erase(public_id);
    for (const auto which : waiting)
      refuse_unknown(which, "the address is of no profile that there is", nullptr);
    return;
  }
  if (found.profile)
    take_over(held, *found.profile);
  held.version = found.version;
  held.looked_at = asked_at;
  for (const auto which : waiting)
    judge(which, held);
}

/// What is loaded stays for the next look: whether it was changed is asked again then.
void callback_intake_state::on_profile_failed(const std::string& public_id, const caf::error& error) {
  auto& held = profiles_.at(public_id);
  held.asked = false;
  const auto waiting = std::exchange(held.waiting, {});
  telemetry::log(telemetry::event::callbacks_not_recorded, name,
                 {{"callbacks", std::to_string(waiting.size())}, {"reason", describe(error)}});
  if (!held.version) {
    --first_looks_;
    profiles_.erase(public_id);
  }
  for (const auto which : waiting)
    answer(which, {callback_outcome::unrecorded, std::nullopt});
}

void callback_intake_state::take_over(held_profile& into, const core::provider_profile& profile) {
  into.id = profile.id;
  into.tenant = profile.tenant;
  auto made = resources_.make_adapter(profile);
  into.adapter = made ? std::move(*made) : nullptr;
  if (!made)
    telemetry::log(telemetry::event::callback_profile_unfit, name,
                   {{"profile", profile.name},
                    {"fault", made.error().empty() ? std::string{"unknown"} : made.error().front()}});
}

void callback_intake_state::judge(number which, const held_profile& of) {
  auto* asked = find(which);
  if (asked == nullptr)
    return;
  if (!of.adapter) {
    answer(which, {callback_outcome::unrecorded, std::nullopt});
    return;
  }
  if (asked->asked.vouched_for) {
    judge_report(which, of);
    return;
  }
  if (!of.adapter->traits().has_callback) {
    refuse_unknown(which, "the profile's provider sends no callbacks", &of);
    return;
  }
  const auto& request = asked->asked.request;
  if (is_too_deep(request.body)) {
    refuse(which,
           {core::callback_refusal_kind::malformed,
            "its JSON nests deeper than " + std::to_string(json_depth_max) + " levels"},
           of);
    return;
  }
  std::vector<std::string> looked_at;
  const auto known = [&](std::string_view url) {
    looked_at.emplace_back(url);
    return certificates_.text(url, steady());
  };
  auto verdict = of.adapter->verify(request, known, resources_.node->time->wall());
  if (auto* refused = std::get_if<core::callback_refusal>(&verdict)) {
    refuse(which, std::move(*refused), of);
  } else if (const auto* wanted = std::get_if<providers::certificate_wanted>(&verdict)) {
    want_certificate(which, of, wanted->url);
  } else {
    for (const auto& url : looked_at)
      certificates_.prove(url, steady());
    genuine(which, of, std::get<providers::verified_callback>(std::move(verdict)));
  }
}

void callback_intake_state::judge_report(number which, const held_profile& of) {
  auto events = of.adapter->read_report(find(which)->asked.request.body);
  if (events)
    genuine(which, of, {std::move(*events), {}});
  else
    refuse(which, std::move(events.error()), of);
}

void callback_intake_state::genuine(number which, const held_profile& of,
                                    providers::verified_callback verified) {
  auto& taken = *find(which);
  taken.report.profile = of.id;
  taken.report.tenant = of.tenant;
  taken.report.source = core::report_source::callback;
  taken.report.received_at = resources_.node->time->wall();
  taken.report.body = std::move(taken.asked.request.body);
  taken.report.events = std::move(verified.events);
  taken.confirm_url = std::move(verified.confirm_url);
  to_record_.push_back(which);
  record_next();
}

} // namespace sluice::actors
