#include "actors/notifier.hpp"
#include "core/provider_trouble.hpp"

#include <algorithm>
#include <utility>

// A notifier's access token: one for all that wait for it.

namespace sluice::actors {

namespace m = messages;

namespace {

/// A token is not used in the last part of its life, so that no call carries one that expires on its way.
constexpr core::duration expiry_margin_max = std::chrono::seconds{60};

constexpr core::duration life_min = std::chrono::seconds{1}; // or one that has none would be got for ever

constexpr core::call_id token_call{0, core::call_purpose::delivery}; // those of messages are numbered from 1

core::submission no_token() {
  core::submission made;
  made.kind = core::submission_kind::rejected;
  made.cause = core::rejection_cause::provider;
  made.error_class = "no_token";
  made.error = "the profile's credentials make no access token";
  return made;
}

} // namespace

/// Whether there is one, or none is needed. Makes it where that needs no call.
bool notifier_state::has_token() {
  if (!adapter_->traits().needs_token)
    return true;
  if (!token_.empty() && now() < token_good_until_)
    return true;
  token_.clear();
  auto made = adapter_->local_token(now());
  if (!made)
    return false;
  keep_token(std::move(*made));
  return true;
}

/// `at` is the time it is asked for by: that of our clock, or the one the provider told.
void notifier_state::fetch_token(core::timestamp at) {
  auto request = adapter_->token_request(at);
  if (!request) {
    end_without_token(no_token(), {});
    return;
  }
  token_out_ = true;
  token_by_ = adapter_;
  m::place_calls ask{m::notifier{self_}, {}};
  ask.calls.push_back({token_call, resources_.profile, {}, std::move(*request)});
  self_->send(resources_.node->courier, std::move(ask));
}

void notifier_state::take_token_answer(const core::http_answer& answer) {
  token_out_ = false;
  const auto again = std::exchange(token_again_, false);
  if (answer.error == core::call_error::unattempted) {
    turn_.hold_back();
    give_unsent_back();
    return;
  }
  if (!adapter_ || token_by_ != adapter_)
    return; // the account is another one by now
  if (const auto told = again || turn_.unwanted ? std::nullopt : adapter_->corrected_time(answer)) {
    note_wrong_clock(*told);
    token_again_ = true;
    fetch_token(*told);
    return;
  }
  auto read = adapter_->read_token(answer);
  if (read)
    keep_token(std::move(*read));
  else
    end_without_token(core::without_token(std::move(read.error())), answer);
}

void notifier_state::keep_token(providers::notification_adapter::access_token got) {
  token_ = std::move(got.value);
  const auto life = got.lifetime - std::min(expiry_margin_max, got.lifetime / 10);
  token_good_until_ = now() + std::max(life, life_min);
}

/// Nothing of what waited has left.
void notifier_state::end_without_token(core::submission why, const core::http_answer& answer) {
  for (auto& claimed : std::exchange(unsent_, {}))
    end_attempt(claimed, why);
  if (core::speaks_against_provider(why, answer))
    note_failure();
  if (why.wait)
    pause(*why.wait);
}

/// What an earlier turn left, unless the profile's account is another one by now.
void notifier_state::adopt(const std::optional<m::held_token>& token) {
  if (!token || !token_.empty())
    return;
  token_ = token->value;
  token_good_until_ = token->good_until;
  if (!profile_)
    profile_ = token->made_for; // take_profile compares it with the profile as it is now
}

std::optional<m::held_token> notifier_state::token_to_hand_over() const {
  if (token_.empty() || !profile_ || token_good_until_ <= now())
    return std::nullopt;
  return m::held_token{token_, token_good_until_, *profile_};
}

} // namespace sluice::actors
