#include "actors/reconciler.hpp"
#include "messages/request.hpp"

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
  core::overdue_search begun;
  begun.until = now() - resources_.node->settings->notifications.callback_patience;
  begun.limit = attempts_at_once;
  begun.looks = schedule();
  if (now() - searched_all_at_ < search_all_interval)
    begun.after = search_.after;
  else
    searched_all_at_ = now();
  search_ = std::move(begun);
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

/// Of others nothing would ever be found out, and each message of theirs would be a target.
bool reconciler_state::tells_and_can_be_asked(const core::provider_profile& profile) const {
  const auto made = resources_.make_adapter(profile);
  return made && (*made)->traits().has_callback && (*made)->traits().has_status_query;
}

void reconciler_state::open_next() {
  if (to_open_.empty()) {
    search_on();
    return;
  }
  const auto profile = to_open_.back();
  to_open_.pop_back();
  auto opened = [this, profile](const m::profile_opened& answer) {
    if (answer.found && tells_and_can_be_asked(*answer.found))
      search_.profiles.push_back(profile);
    open_next();
  };
  auto failed = [this](const caf::error& error) {
    note_failure(error);
    open_next();
  };
  m::request(self_, resources_.reader, patience(), m::open_profile{profile}, opened, failed);
}

void reconciler_state::search_on() {
  if (search_.profiles.empty()) {
    end_search();
    return;
  }
  auto found = [this](const core::overdue_found& answer) {
    search_.after = answer.upto;
    if (answer.through)
      end_search();
    else
      search_on();
  };
  auto failed = [this](const caf::error& error) {
    note_failure(error);
    end_search();
  };
  m::request(self_, resources_.node->recorder, patience(), m::search_overdue_callbacks{search_}, found,
             failed);
}

void reconciler_state::end_search() {
  searching_ = false;
  to_open_.clear();
  search_.profiles.clear();
}

} // namespace sluice::actors
