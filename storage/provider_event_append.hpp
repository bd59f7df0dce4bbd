#pragma once

#include "core/provider_report.hpp"
#include "storage/soci_session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What append_reports has made of what was told, on its way into the tables. All of it throws: use inside
// `guarded`.

namespace sluice::storage {

struct new_event {
  core::provider_event what; ///< its texts fit the columns
  std::string key;           ///< digest of core::provider_event_key
  std::int64_t id = 0;
  std::int64_t duplicate_of = 0; ///< 0: it is none
};

struct new_report {
  const core::provider_report* what = nullptr;
  std::int64_t tenant = 0;
  std::string digest;
  std::string sealed;
  std::vector<new_event> events;
  std::int64_t id = 0;
};

inline std::optional<std::string_view> suppresses(const core::provider_event& event) {
  return event.suppresses ? std::optional(core::to_string(*event.suppresses)) : std::nullopt;
}

/// A batch is seven statements, however long it is.
void append_postgresql(session& db, std::vector<new_report>& reports);

} // namespace sluice::storage
