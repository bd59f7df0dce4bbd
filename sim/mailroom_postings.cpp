#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "sim/mailroom.hpp"

#include <algorithm>

// What providers post, and forgers.

namespace sluice::sim {

using namespace std::chrono_literals;
using core::callback_outcome;
using core::provider_kind;
namespace m = messages;

namespace {

/// SNS's own messages are not believed when they are older.
constexpr core::duration believed_for = 1h;

} // namespace

/// In no order but the dice's.
void mailroom::plan(const provider::message& of) {
  auto now = world_.clock().steady();
  for (const auto& each : of.story) {
    auto at = now + std::max(each.happened - of.taken_at, core::duration{0});
    if (faults_.strikes(fault::told_early))
      at = now;
    else if (faults_.strikes(fault::told_late))
      at += dice_.between(10min, 2h);
    else
      at += dice_.between(0s, 5min);
    plan_at(at, {each, false});
    if (faults_.strikes(fault::told_twice))
      plan_at(at + (dice_.chance(0.5) ? 0s : dice_.between(0s, 10min)), {each, true});
    if (of.story.front().what.word.starts_with("dsn") || !faults_.strikes(fault::told_forged))
      continue;
    auto forged = each;
    forged.forged = true;
    plan_at(at + dice_.between(-30s, 30s), {std::move(forged), false});
  }
}

std::optional<core::duration> mailroom::next_due() const {
  return postings_.empty() ? std::nullopt : std::optional{postings_.begin()->first};
}

void mailroom::pump() {
  while (!postings_.empty() && postings_.begin()->first <= world_.clock().steady()) {
    auto what = std::move(postings_.begin()->second);
    postings_.erase(postings_.begin());
    post(std::move(what));
  }
  for (std::size_t i = 0; i < out_.size();) {
    auto& out = out_[i];
    if (!out.taken.answered() && !out.taken.failed()) {
      ++i;
      continue;
    }
    auto done = std::move(out);
    out_.erase(out_.begin() + static_cast<std::ptrdiff_t>(i));
    heed(done);
  }
  heed_people();
}

void mailroom::post(posting what) {
  auto& by = *providers_[what.of.what.provider];
  if (!what.of.forged)
    checker_.tells(what.of.what);
  m::take_callback ask;
  ask.profile = by.account().public_id;
  if (what.of.published > world_.now())
    what.of.published = world_.now(); // a clock that was set back meanwhile is the provider's, too
  ask.request = posted_form(by.kind(), what.of, ask.profile, world_.now());
  const auto digest = crypto::sha256(ask.request.body + std::to_string(++posted_));
  ask.digest = crypto::to_hex(crypto::as_bytes(digest));
  ask.source = "192.0.2.1";
  ask.vouched_for = by.kind() == provider_kind::smtp;
  note((what.of.forged ? "somebody forges " : "a provider tells ") + what.of.what.key + " ("
       + what.of.what.word + ")");
  out_.push_back(
      {std::move(what), ask.digest, world_.ask<m::callback_taken>(world_.callback_intake(), std::move(ask))});
}

void mailroom::heed(out_posting& out) {
  const auto& told = out.what.of;
  auto answer = out.taken.answered() ? std::optional{out.taken.value()} : std::nullopt;
  if (told.forged) {
    if (answer)
      checker_.forged(told.what.key, out.digest, answer->outcome);
    return;
  }
  if (!answer)
    return try_again(std::move(out.what));
  auto stale = answer->refusal == core::callback_refusal_kind::stale;
  if (!stale) {
    checker_.answered(told.what.key, answer->outcome);
    if (answer->outcome != callback_outcome::recorded)
      try_again(std::move(out.what));
    return;
  }
  if (providers_[told.what.provider]->kind() != provider_kind::ses)
    return try_again(std::move(out.what)); // signed for another moment: the next is signed anew
  if (std::chrono::abs(world_.now() - told.published) < believed_for - 1min)
    checker_.answered(told.what.key, answer->outcome);
  if (!out.what.again)
    checker_.told_no_more(told.what.key);
}

/// Providers do not give up soon; what is told twice is told twice at most.
void mailroom::try_again(posting what) {
  if (!what.again && !what.of.forged)
    plan_at(world_.clock().steady() + dice_.between(5s, 90s), std::move(what));
}

void mailroom::node_died() {
  for (auto& each : std::exchange(out_, {}))
    try_again(std::move(each.what));
  asked_.clear();
  checker_.lost();
  for (const auto& each : in_state(core::notification_state::dispatching))
    checker_.left_in_doubt(number_of_.at(each.id));
}

} // namespace sluice::sim
