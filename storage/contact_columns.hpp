#pragma once

#include "core/contact_record.hpp"
#include "storage/soci_session.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

// How contact points are read. All of it throws: use inside `guarded`.

namespace sluice::storage {

/// Those a text behind "WHERE …" selects; contact_points is `p` there, their tenants `t`.
[[nodiscard]] std::vector<core::contact_record> read_contacts(session& db, const std::string& condition,
                                                              const std::function<void(query&)>& bind);
[[nodiscard]] std::optional<core::contact_record> read_contact(session& db, const std::string& condition,
                                                               const std::function<void(query&)>& bind);

/// The live one of this id; until the transaction ends nobody else changes it.
[[nodiscard]] std::optional<core::contact_record> lock_contact(session& db, core::contact_point_id id);

/// An address that may be written down under any of several keys, the one for new rows first.
struct keyed_address {
  std::int64_t tenant = 0;
  core::contact_kind kind = core::contact_kind::email;
  std::vector<std::string> fingerprints;
};

/// "p.tenant_id = …" that finds a row of the address, and its values: both or neither.
[[nodiscard]] std::string of_address(const keyed_address& address);
void use_address(query& rows, const keyed_address& address);

} // namespace sluice::storage
