#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "sim/event_checker.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

// What is checked at each push.

namespace sluice::sim {

using namespace std::chrono_literals;

namespace {

constexpr core::duration signature_age_max = 5min; ///< what receivers tolerate
/// A subscription that pushed when its secret changed has heard of it by then.
constexpr core::duration rotation_known_after = 5min;

std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  auto at = text.find(begin);
  if (at == std::string_view::npos)
    return {};
  text.remove_prefix(at + begin.size());
  return text.substr(0, text.find(end));
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return number;
}

/// As the specification of Standard Webhooks has it, by hand.
bool signs(const std::string& secret, const push_call& call) {
  constexpr std::string_view prefix = "whsec_";
  auto key = crypto::from_base64(std::string_view{secret}.substr(prefix.size()));
  if (!key)
    return false;
  auto digest = crypto::hmac_sha256(*key, call.id + "." + call.timestamp + "." + call.body);
  auto wanted = " v1," + crypto::to_base64(crypto::as_bytes(digest)) + " ";
  return (" " + call.signature + " ").contains(wanted);
}

} // namespace

/// By its bytes alone: a body is what was published, or names a record and ends with what the source wrote.
std::optional<std::size_t> event_checker::event_in(const std::string& body) const {
  if (auto published = by_key_.find(body); published != by_key_.end())
    return published->second;
  auto key = change_key(between(body, R"("source_id":")", "\""), between(body, R"({"type":")", "\""),
                        version_of(body));
  auto found = by_key_.find(key);
  if (found == by_key_.end() || !body.ends_with(R"("record":)" + events_[found->second].payload + "}}"))
    return std::nullopt;
  return found->second;
}

void event_checker::pushed(const push_call& call, moment at) {
  auto known = subscriptions_.find(call.subscription);
  if (known == subscriptions_.end())
    return violated(12, "a push to nobody");
  auto& of = known->second;
  auto event = event_in(call.body);
  if (!event)
    return violated(11, "subscription " + of.facts.name + " was pushed bytes nobody wrote: " + call.body);
  auto what = name_of(of, *event);
  if (!wants(of.facts, events_[*event]))
    return violated(12, what + " was pushed, and is not for it");
  if (of.silent)
    return violated(8, what + " was pushed after a person was told that nothing is");
  auto reached = [&](const core::stop_target& where) { return where.reaches(call.subscription, {}); };
  if (std::ranges::any_of(stops_, reached))
    return violated(8, what + " was pushed within a stop that was acknowledged");
  auto& delivery = of.deliveries[*event];
  check_identity(call, *event);
  check_signature(call, of, at);
  check_schedule(delivery, what, at);
  if (of.facts.ordered)
    check_order(of, *event, at);
  answered(call, delivery, at);
}

void event_checker::check_identity(const push_call& call, std::size_t event) {
  auto [known, fresh] = ids_.try_emplace(call.id, event, call.body);
  if (known->second != std::pair{event, call.body})
    violated(11, "webhook-id " + call.id + " came with other bytes than before");
  auto [id, first] = id_of_.try_emplace(event, call.id);
  if (id->second != call.id)
    violated(11, "event \"" + events_[event].key + "\" was pushed as " + id->second + " and as " + call.id);
}

/// The time that counts is the one it was signed for: a call may wait for its turn.
void event_checker::check_signature(const push_call& call, const subscription_record& of, moment at) {
  auto seconds = number_in(call.timestamp);
  if (!seconds)
    return violated(11, "webhook-timestamp " + call.timestamp + " is no number");
  core::timestamp signed_at{std::chrono::seconds{*seconds}};
  auto steady_clock = !clock_set_at_ || at.steady - *clock_set_at_ > 2 * signature_age_max;
  if (steady_clock && (signed_at > at.wall || at.wall - signed_at > signature_age_max))
    violated(11, "a push to " + of.facts.name + " was signed for " + core::to_rfc3339(signed_at));
  auto valid = [&](const signing_key& key) {
    return (!key.until || signed_at < *key.until) && signs(key.secret, call);
  };
  if (std::ranges::none_of(of.keys, valid))
    return violated(11, "no valid secret of " + of.facts.name + " signed the bytes it received");
  const auto& current = of.keys.front();
  if (at.steady - current.since > rotation_known_after && !signs(current.secret, call))
    violated(11, "the current secret of " + of.facts.name + " does not sign");
}

bool event_checker::just_restarted(const delivery_facts& delivery, moment at) const {
  return delivery.restarted_at && at.steady - *delivery.restarted_at <= settings_.lease;
}

bool event_checker::exhausted(const delivery_facts& delivery, std::size_t event) const {
  auto lost = static_cast<std::size_t>(losses_ - events_[event].losses);
  return delivery.round + lost > settings_.retry_waits.size();
}

void event_checker::check_schedule(const delivery_facts& delivery, const std::string& what, moment at) {
  if (just_restarted(delivery, at) || delivery.started == 0)
    return;
  auto early = [at](const std::optional<moment>& until) {
    return until && at.wall < until->wall && at.steady < until->steady;
  };
  if (early(delivery.not_before))
    violated(10, what + " was pushed again before the schedule allows it");
  auto lost = losses_ != delivery.losses;
  if (!lost && early(delivery.asked_before))
    violated(10, what + " was pushed again before the subscriber wanted it");
  if (delivery.round > settings_.retry_waits.size())
    violated(10, what + " was pushed again after the last attempt");
  if (lost || delivery.restarted_at)
    return;
  if (delivery.acknowledged_at)
    violated(10, what + " was pushed again, and was acknowledged");
  if (delivery.refused_at)
    violated(10, what + " was pushed again, and was refused for good");
}

bool event_checker::concluded(const subscription_record& of, std::size_t event, moment at) const {
  auto found = of.deliveries.find(event);
  if (found == of.deliveries.end())
    return false;
  const auto& facts = found->second;
  return (facts.acknowledged_at && *facts.acknowledged_at <= at.steady)
         || (facts.refused_at && *facts.refused_at <= at.steady) || facts.restarted_at
         || exhausted(facts, event);
}

void event_checker::check_order(const subscription_record& of, std::size_t event, moment at) {
  const auto& alike = about_.at(events_[event].about);
  // A person who asks for one again has it out of turn.
  if (of.deliveries.at(event).restarted_at)
    return;
  for (auto each : alike) {
    if (each >= event)
      return;
    if (wants(of.facts, events_[each]) && !concluded(of, each, at))
      violated(12,
               name_of(of, event) + " was pushed before \"" + events_[each].key + "\" had come to its end");
  }
}

/// What this call comes to, from the moment its answer is there.
void event_checker::answered(const push_call& call, delivery_facts& delivery, moment at) {
  ++delivery.started;
  // An actor that dies may have handed over a call that leaves at the same moment.
  delivery.losses = losses_ - (lost_at_ == at.steady ? 1 : 0);
  delivery.acknowledged_at.reset();
  delivery.refused_at.reset();
  delivery.not_before.reset();
  delivery.asked_before.reset();
  auto there = at.steady + call.takes;
  auto status = call.told.error == core::call_error::none ? call.told.status : 0;
  if (status >= 200 && status < 300) {
    delivery.acknowledged_at = there;
    return;
  }
  auto passes = status < 400 || status == 408 || status == 425 || status == 429 || status >= 500;
  if (!passes) {
    delivery.refused_at = there;
    return;
  }
  if (just_restarted(delivery, at))
    return;
  auto wait = settings_.retry_waits[std::min(delivery.round, settings_.retry_waits.size() - 1)];
  ++delivery.round;
  delivery.not_before = moment{there + wait, at.wall + call.takes + wait};
  auto asked = std::min(call.asked, wait + settings_.asked_beyond_max);
  if (asked > wait)
    delivery.asked_before = moment{there + asked, at.wall + call.takes + asked};
}

} // namespace sluice::sim
