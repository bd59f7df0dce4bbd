#include "actors/callback_intake.hpp"
#include "telemetry/log.hpp"

#include <algorithm>
#include <ranges>

// What callbacks need fetched: certificates before they are verified, confirmations once they are recorded.

namespace sluice::actors {

namespace m = messages;
using core::callback_outcome;
using standing = core::certificate_cache::standing;

namespace {

constexpr std::size_t fetches_at_once_max = 8;
constexpr std::size_t confirmations_at_once_max = 16;
constexpr int fetches_of_one_max = 2; ///< certificates one callback may wait for
constexpr std::size_t certificate_bytes_max = 64U << 10;

std::string fault_of(const core::http_answer& answer) {
  if (answer.error != core::call_error::none)
    return answer.detail.empty() ? std::string{core::to_string(answer.error)} : answer.detail;
  return "it was answered with status " + std::to_string(answer.status);
}

bool is_certificate(const core::http_answer& answer) {
  return answer.error == core::call_error::none && answer.status == 200 && !answer.body.empty()
         && answer.body.size() <= certificate_bytes_max;
}

bool says_missing(const core::http_answer& answer) {
  return answer.error == core::call_error::none && (answer.status == 404 || answer.status == 410);
}

} // namespace

void callback_intake_state::want_certificate(number which, const held_profile& of, const std::string& url) {
  const auto is = certificates_.find(url, steady());
  if (is == standing::missing) {
    refuse(which, {core::callback_refusal_kind::bad_signature, "the certificate it names does not exist"},
           of);
    return;
  }
  if (is != standing::unknown || ++find(which)->fetches > fetches_of_one_max) {
    answer(which, {callback_outcome::unrecorded, std::nullopt});
    return;
  }
  const auto known = fetching_.contains(url);
  if (!known && fetching_.size() >= fetches_at_once_max) {
    answer(which, {callback_outcome::crowded, std::nullopt});
    return;
  }
  fetching_[url].push_back(which);
  if (!known)
    place(url, {});
}

void callback_intake_state::place(std::string url, std::string confirms) {
  const auto id = ++last_call_;
  core::http_request request;
  request.method = "GET";
  request.url = url;
  calls_.emplace(id, outside_call{std::move(url), std::move(confirms)});
  m::place_calls ask{m::callback_intake{self_}, {}};
  ask.calls.push_back({{id}, core::call_owner::callbacks(), {}, std::move(request)});
  self_->send(resources_.node->courier, std::move(ask));
}

void callback_intake_state::on_calls_answered(m::calls_answered& told) {
  for (auto& each : told.answers) {
    auto found = calls_.extract(each.id.value);
    if (found.empty())
      continue;
    const auto& call = found.mapped();
    if (call.confirms.empty())
      on_certificate(call.url, each.answer);
    else
      on_confirmed(call.confirms, each.answer);
  }
}

/// Whoever waits is looked at anew, and finds the certificate or why there is none.
void callback_intake_state::on_certificate(const std::string& url, core::http_answer& answer) {
  if (is_certificate(answer)) {
    certificates_.keep(url, std::move(answer.body), steady());
  } else {
    certificates_.fail(url, says_missing(answer) ? standing::missing : standing::unreachable, steady());
    telemetry::log(telemetry::event::callback_certificate_failed, name, {{"reason", fault_of(answer)}});
  }
  auto waiting = fetching_.extract(url);
  for (const auto which : waiting.mapped())
    look_up(which);
}

/// A provider that asks again while the first call is out needs no second one.
void callback_intake_state::confirm(const std::string& profile, const std::string& url) {
  const auto confirming = [](const auto& call) { return !call.second.confirms.empty(); };
  const auto same = [&](const auto& call) { return confirming(call) && call.second.url == url; };
  if (std::ranges::any_of(calls_, same))
    return;
  if (std::cmp_greater_equal(std::ranges::count_if(calls_, confirming), confirmations_at_once_max)) {
    telemetry::log(telemetry::event::callback_confirmation_failed, name,
                   {{"profile", profile}, {"reason", "too many are being confirmed"}});
    return;
  }
  place(url, profile);
}

void callback_intake_state::on_confirmed(const std::string& profile, const core::http_answer& answer) {
  const auto done = answer.error == core::call_error::none && answer.status >= 200 && answer.status < 300;
  if (done)
    telemetry::log(telemetry::event::callback_confirmed, name, {{"profile", profile}});
  else
    telemetry::log(telemetry::event::callback_confirmation_failed, name,
                   {{"profile", profile}, {"reason", fault_of(answer)}});
}

} // namespace sluice::actors
