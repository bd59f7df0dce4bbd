#include "actors/reconciler.hpp"
#include "messages/request.hpp"

#include <algorithm>
#include <utility>

// A reconciler's search for callbacks that are overdue.

namespace sluice::actors {

namespace m = messages;

namespace {

constexpr core::duration search_interval = std::chrono::hours{1};
constexpr core::duration search_all_interval = std::chrono::hours{24};
constexpr std::int64_t attempts_at_once = 1000; ///< a transaction

} // namespace

/// Goes on where the search before ended; once a day it begins anew, for what was accepted long after it was
/// submitted.
void reconciler_state::search() {
  if (searching_ || now() - searched_at_ < search_interval)
    return;
  searching_ = true;
  searched_at_ = now();
  if (now() - searched_all_at_ >= search_all_interval) {
    searched_all_at_ = now();
    searches_.clear();
  }
  auto listed = [this](m::living_profiles_listed& answer) {
    to_open_ = std::move(answer.profiles);
    open_next();
  };
  auto failed = [this](const caf::error& error) {
    note_failure(error);
    end_search();
  };
  m::request(self_, resources_.reader, patience(), m::list_living_profiles{}, listed, failed);
}

/// What tells and can be asked: of others nothing would ever be found out, and each message of theirs would
/// be a target.
void reconciler_state::add_profile(const core::provider_profile& profile) {
  const auto made = resources_.make_adapter(profile);
  if (!made || !(*made)->traits().has_callback || !(*made)->traits().has_status_query)
    return;
  auto& search = searches_[profile.provider];
  search.until = now() - callback_patience(profile.provider);
  search.limit = attempts_at_once;
  search.looks = schedule();
  search.profiles.push_back(profile.id);
}

/// Of the other channels no provider can be asked.
core::duration reconciler_state::callback_patience(core::provider_kind of) const {
  const auto& settings = resources_.node->settings->notifications;
  return of == core::provider_kind::twilio ? settings.sms_callback_patience
                                           : settings.webhook_callback_patience;
}

void reconciler_state::open_next() {
  if (to_open_.empty()) {
    search_on();
    return;
  }
  const auto profile = to_open_.back();
  to_open_.pop_back();
  auto opened = [this, profile](const m::profile_opened& answer) {
    if (answer.found)
      add_profile(*answer.found);
    open_next();
  };
  auto failed = [this](const caf::error& error) {
    note_failure(error);
    open_next();
  };
  m::request(self_, resources_.reader, patience(), m::open_profile{profile}, opened, failed);
}

void reconciler_state::search_on() {
  const auto next =
      std::ranges::find_if(searches_, [](const auto& of) { return !of.second.profiles.empty(); });
  if (next == searches_.end()) {
    end_search();
    return;
  }
  auto found = [this, of = next->first](const core::overdue_found& answer) {
    auto& search = searches_[of];
    search.after = answer.upto;
    if (answer.through)
      search.profiles.clear();
    search_on();
  };
  auto failed = [this](const caf::error& error) {
    note_failure(error);
    end_search();
  };
  m::request(self_, resources_.node->recorder, patience(), m::search_overdue_callbacks{next->second}, found,
             failed);
}

void reconciler_state::end_search() {
  searching_ = false;
  to_open_.clear();
  for (auto& [kind, search] : searches_)
    search.profiles.clear();
}

} // namespace sluice::actors
