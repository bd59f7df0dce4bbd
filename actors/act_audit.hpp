#pragma once

#include "storage/audit.hpp"
#include "storage/session.hpp"

#include <string>
#include <utility>

namespace sluice::actors {

/// What a person did to one thing, for the audit.
struct person_act {
  std::string by;
  std::string act;     ///< short stable word: "make_profile"
  std::string subject; ///< public id
  std::string tenant;  ///< empty: the installation's
};

/// In the transaction of what it tells of.
[[nodiscard]] inline storage::result<void> audit(storage::session& db, const person_act& act,
                                                 core::timestamp now) {
  core::audit_entry entry;
  entry.at = now;
  entry.by = act.by;
  entry.act = act.act;
  entry.subject = act.subject;
  entry.tenant = act.tenant;
  entry.count = 1;
  return storage::add_audit(db, entry);
}

/// `done`, once the audit has it too.
template <class T>
[[nodiscard]] storage::result<T> audited(storage::session& db, storage::result<T> done, const person_act& act,
                                         core::timestamp now) {
  if (!done)
    return done;
  if (auto kept = audit(db, act, now); !kept)
    return std::unexpected{std::move(kept.error())};
  return done;
}

} // namespace sluice::actors
