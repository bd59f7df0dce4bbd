#include "sim/provider.hpp"

#include "storage/provider_profiles.hpp"

#include <charconv>

namespace sluice::sim {

using namespace std::chrono_literals;
using harness::reaction;
using enum provider_word;

namespace {

constexpr double taking_once = 0.5; ///< receivers of webhooks that do

core::duration asked_by(const reaction& of) {
  std::int64_t seconds = -1;
  if (of.told)
    std::from_chars(of.told->retry_after.data(), of.told->retry_after.data() + of.told->retry_after.size(),
                    seconds);
  return std::chrono::seconds{seconds};
}

std::string_view to_string(provider_word word) {
  constexpr std::string_view words[] = {
      "took it",        "refuses the recipient", "refuses the message", "refuses the account",
      "wants it later", "says nothing clear",    "never saw it"};
  return words[static_cast<std::size_t>(word)];
}

} // namespace

provider::provider(core::provider_kind kind, dice& from, faults& faults, harness::world& world,
                   notification_checker& checker)
    : kind_(kind), dice_(from), faults_(faults), world_(world), checker_(checker),
      takes_once_(kind == core::provider_kind::webhook && dice_.chance(taking_once)),
      scripted_(world.add_endpoint(name(), address_of(kind))) {
  open_account();
  scripted_.decide([this](const harness::seen_call& call) { return std::optional{react(call)}; });
  scripted_.watch([this](const harness::exchange& exchange) { saw(exchange); });
}

void provider::open_account() {
  account_.tenant = "acme";
  account_.name = name();
  account_.provider = kind_;
  account_.settings = settings_of(kind_, takes_once_);
  account_.credentials = credentials_of(kind_);
  auto made = world_.must(storage::transact(world_.db(), [this](storage::session& db) {
    return storage::make_profile(db, account_, *world_.keys(), world_.now());
  }));
  account_.id = profile_ = made.profile.id;
  account_.public_id = made.profile.public_id;
}

reaction provider::react(const harness::seen_call& call) {
  doing_.reset();
  if (kind_ == core::provider_kind::fcm && call.path == "/token")
    return give_token();
  if (call.method == "GET")
    return status(call);
  doing_ = decide(call);
  return doing_->reaction;
}

provider::deed provider::decide(const harness::seen_call& call) {
  auto latency = dice_.between(5ms, 400ms);
  auto down = !faults_.resting() && world_.clock().steady() < down_until_;
  auto made = down && dice_.chance(0.5) ? hang_up(never_arrived, false, harness::refuse_the_connection())
              : down                    ? hang_up(unclear, false, harness::cut_the_call())
              : faults_.resting()       ? say(provider_word::took, true)
                                        : fail().value_or(say(provider_word::took, true));
  made.of_message = true;
  if (made.took)
    take(call, made);
  if (!made.reaction.hangs && made.told != never_arrived)
    made.reaction.takes = faults_.strikes(fault::slow) ? dice_.between(1s, 25s) : latency;
  if (takes_once_ && made.told == unclear)
    made.told = try_later; // it may be asked again, for it takes one once
  return made;
}

std::optional<provider::deed> provider::fail() {
  constexpr const char* waits[] = {"", "5", "90", "400"};
  if (faults_.strikes(fault::never_answered))
    return hang_up(unclear, false, harness::hang());
  if (faults_.strikes(fault::done_unanswered))
    return hang_up(unclear, true, harness::hang());
  if (faults_.strikes(fault::cut))
    return hang_up(unclear, false, harness::cut_the_call());
  if (faults_.strikes(fault::reply_lost))
    return hang_up(unclear, true, harness::cut_the_call());
  if (faults_.strikes(fault::not_connected))
    return hang_up(never_arrived, false, harness::refuse_the_connection());
  if (faults_.strikes(fault::rate_limited) || faults_.strikes(fault::answered_503)) {
    auto made = say(try_later, false);
    if (kind_ != core::provider_kind::smtp) // whose replies have no place for it
      made.reaction.told->retry_after = dice_.pick(waits);
    return made;
  }
  if (faults_.strikes(fault::answered_500))
    return say(unclear, false);
  if (faults_.strikes(fault::done_500))
    return say(unclear, true);
  if (faults_.strikes(fault::recipient_refused))
    return say(refused_recipient, false);
  if (faults_.strikes(fault::message_refused))
    return say(refused_message, false);
  if (faults_.strikes(fault::account_refused))
    return say(refused_account, false);
  if (auto garbled = said_garbled(kind_); garbled && faults_.strikes(fault::answer_garbled)) {
    deed made{unclear, true, {}};
    made.reaction.told = std::move(garbled);
    return made;
  }
  return std::nullopt;
}

provider::deed provider::hang_up(provider_word word, bool took, reaction how) const {
  return {word, took, std::move(how)};
}

/// Who has no words for it says it by its silence, or has to take the message.
provider::deed provider::say(provider_word word, bool took) {
  deed made{word, took, {}};
  made.reaction.told = said(kind_, word, {}, world_.now());
  if (made.reaction.told)
    return made;
  if (word == unclear)
    return hang_up(unclear, took, harness::cut_the_call());
  return say(provider_word::took, true);
}

/// The answer names what was taken; who takes one once names what it took before.
void provider::take(const harness::seen_call& call, deed& doing) {
  message made;
  made.notification = notification_in(call);
  made.attempt = attempt_in(kind_, call);
  auto known = takes_once_ ? taken_.find(made.notification) : taken_.end();
  doing.took = known == taken_.end();
  if (doing.took) {
    made.id = message_id_of(kind_, made.attempt, static_cast<std::int64_t>(messages_.size()) + 1);
    made.to = kind_ == core::provider_kind::twilio ? recipient_in(call) : std::string{};
    made.text = marked_text(made.notification);
    made.taken_at = world_.now();
    made.story = draw_story(kind_, dice_, made, number());
    taken_[made.notification] = messages_.size();
    messages_.push_back(std::move(made));
    if (told_)
      told_(messages_.back());
  }
  if (doing.told == provider_word::took) {
    const auto& taken = doing.took ? messages_.back() : messages_[known->second];
    doing.reaction.told = said(kind_, provider_word::took, taken.id, world_.now());
  }
}

reaction provider::give_token() {
  auto failed = [this](reaction what) {
    checker_.token_failed(number());
    return what;
  };
  if (!faults_.resting() && world_.clock().steady() < down_until_)
    return failed(harness::refuse_the_connection());
  if (faults_.strikes(fault::never_answered))
    return failed(harness::hang());
  if (faults_.strikes(fault::answered_503))
    return failed(harness::answer(503));
  return harness::answer(200, R"({"access_token":"t-1","token_type":"Bearer","expires_in":3600})")
      .after(dice_.between(5ms, 400ms));
}

void provider::saw(const harness::exchange& exchange) {
  ++calls_;
  if (!doing_ || !doing_->of_message)
    return;
  message_call seen;
  seen.notification = notification_in(exchange.call);
  seen.provider = number();
  seen.attempt = attempt_in(kind_, exchange.call);
  seen.told = doing_->told;
  seen.took = doing_->took;
  seen.at_once = takes_once_;
  seen.asked = asked_by(doing_->reaction);
  seen.takes = exchange.told ? exchange.takes : world_.settings().calls.call_timeout;
  if (log_)
    log_("provider " + name() + ": notification " + std::to_string(seen.notification) + " as " + seen.attempt
         + ", " + (seen.took ? "taken, " : "not taken, ") + std::string{to_string(seen.told)} + ", takes "
         + core::to_text(seen.takes));
  checker_.called(seen, {world_.clock().steady(), world_.now()});
}

} // namespace sluice::sim
