#pragma once

#include "core/api_token.hpp"
#include "core/contact_point.hpp"
#include "core/ids.hpp"
#include "core/reconciliation.hpp"
#include "core/time.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What reconciliation looks after, as it is kept.
namespace sluice::core {

/// Its kind and its subject are its identity.
struct reconciliation_key {
  reconciliation_target kind = reconciliation_target::ambiguous_submission;
  std::int64_t subject = 0; ///< the attempt's id; of an unmatched event, the event's

  friend bool operator==(const reconciliation_key&, const reconciliation_key&) = default;
};

struct reconciliation_item {
  reconciliation_key key;
  provider_profile_id profile{};
  timestamp since{}; ///< when it became a target
  std::int64_t looks = 0;
  std::optional<timestamp> last_look;
  std::optional<timestamp> next_look;            ///< absent: it is looked at no more
  std::optional<reconciliation_verdict> verdict; ///< of the last look
  bool needs_person = false;
  notification_id notification{}; ///< of an attempt, none of an event
  std::int64_t number = 0;        ///< the attempt's
};

/// A rule's create whose outcome is unknown, as people see it: its rule looks after it.
struct unknown_create {
  rule_id rule{};
  record_id record{};
  std::string rule_name;
  std::string source_id;
  timestamp since{}; ///< when it was about to be made
  std::int64_t looks = 0;
  std::optional<timestamp> next_look; ///< absent: it is out, or for a person
  bool needs_person = false;
};

/// Behind which unknown create the next page begins.
struct unknown_create_position {
  rule_id rule{};
  record_id record{};
};

struct unknown_create_page {
  tenant_scope tenants;
  bool for_people = false; ///< as of the others
  unknown_create_position after;
  std::int64_t limit = 100;
};

/// A target that is to be looked at, with what its provider is asked by.
struct reconciliation_question {
  reconciliation_item item;
  std::string attempt_id; ///< of an attempt: its public id
  std::string provider_message_id;
  contact_address contact; ///< without a text where it was removed, or no key opens it
  timestamp submitted_at{};
  // What tells its message from others to the same contact point, where its provider's id is not known:
  std::string text;                   ///< what was submitted; empty: no key opens it
  std::vector<std::string> other_ids; ///< the provider's ids of others of this profile
  bool alike = false; ///< one of the same text left at about that time, and its id is not known
};

/// What a look came to.
struct reconciliation_look {
  reconciliation_key key;
  reconciliation_verdict verdict = reconciliation_verdict::unread;
  std::string provider_message_id; ///< of what was found, where it was not known before
};

struct look_recorded {
  bool gone = false; ///< it was no target any more
  reconciliation_step step;
};

/// Which targets, by kind and subject.
struct reconciliation_page {
  tenant_scope tenants;
  reconciliation_target kind = reconciliation_target::ambiguous_submission;
  bool for_people = false; ///< those alone that only a person can end
  std::int64_t after_subject = 0;
  std::int64_t limit = 100;
};

/// Where a search for overdue callbacks has come.
struct overdue_position {
  timestamp submitted_at{};
  std::int64_t attempt = 0;

  friend bool operator==(const overdue_position&, const overdue_position&) = default;
};

/// Accepted attempts, submitted before `until`, whose providers have not told what became of them.
struct overdue_search {
  std::vector<provider_profile_id> profiles; ///< that get callbacks
  timestamp until{};
  overdue_position after; ///< where the search before ended; at first the beginning
  std::int64_t limit = 1000;
  reconciliation_schedule looks;
};

struct overdue_found {
  overdue_position upto;
  bool through = false;
  std::int64_t added = 0; ///< targets
};

/// What is not known, for people.
struct unsettled_counts {
  struct of_kind {
    std::int64_t targets = 0;
    std::int64_t for_people = 0;
    std::optional<timestamp> since{};     ///< the oldest's
    std::optional<timestamp> next_look{}; ///< the first
  };
  std::int64_t ambiguous = 0; ///< notifications
  std::array<of_kind, reconciliation_targets> kinds{};
  of_kind lapsed;  ///< attempts past their lease: whoever looks at them next makes them ambiguous
  of_kind creates; ///< of rules

  [[nodiscard]] const of_kind& of(reconciliation_target kind) const noexcept {
    return kinds[static_cast<std::size_t>(kind)];
  }
};

template <class Inspector>
auto inspect(Inspector& f, reconciliation_key& x) {
  return f(x.kind, x.subject);
}

template <class Inspector>
auto inspect(Inspector& f, reconciliation_item& x) {
  return f(x.key, x.profile, x.since, x.looks, x.last_look, x.next_look, x.verdict, x.needs_person,
           x.notification, x.number);
}

template <class Inspector>
auto inspect(Inspector& f, unknown_create& x) {
  return f(x.rule, x.record, x.rule_name, x.source_id, x.since, x.looks, x.next_look, x.needs_person);
}

template <class Inspector>
auto inspect(Inspector& f, unknown_create_position& x) {
  return f(x.rule, x.record);
}

template <class Inspector>
auto inspect(Inspector& f, unknown_create_page& x) {
  return f(x.tenants, x.for_people, x.after, x.limit);
}

/// Leaves out the address and the text.
template <class Inspector>
auto inspect(Inspector& f, reconciliation_question& x) {
  return f(x.item, x.attempt_id, x.provider_message_id, x.submitted_at);
}

template <class Inspector>
auto inspect(Inspector& f, reconciliation_look& x) {
  return f(x.key, x.verdict, x.provider_message_id);
}

template <class Inspector>
auto inspect(Inspector& f, reconciliation_step& x) {
  return f(x.next_look, x.proves_acceptance, x.needs_person);
}

template <class Inspector>
auto inspect(Inspector& f, look_recorded& x) {
  return f(x.gone, x.step);
}

template <class Inspector>
auto inspect(Inspector& f, reconciliation_page& x) {
  return f(x.tenants, x.kind, x.for_people, x.after_subject, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, overdue_position& x) {
  return f(x.submitted_at, x.attempt);
}

template <class Inspector>
auto inspect(Inspector& f, overdue_search& x) {
  return f(x.profiles, x.until, x.after, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, overdue_found& x) {
  return f(x.upto, x.through, x.added);
}

template <class Inspector>
auto inspect(Inspector& f, unsettled_counts::of_kind& x) {
  return f(x.targets, x.for_people, x.since, x.next_look);
}

template <class Inspector>
auto inspect(Inspector& f, unsettled_counts& x) {
  return f(x.ambiguous, x.kinds, x.lapsed, x.creates);
}

} // namespace sluice::core
