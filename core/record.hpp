#pragma once

#include "core/ids.hpp"
#include "core/time.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

/// A place in a source's records in the order of their changes. The time decides; the id breaks ties.
struct position {
  timestamp changed_at{};
  record_id id{};

  friend auto operator<=>(const position&, const position&) = default;
};

template <class Inspector>
auto inspect(Inspector& f, position& x) {
  return f(x.changed_at, x.id);
}

/// Why a mirror row is a tombstone. Only `source_event` is a deletion a rule may deliver.
enum class deletion_reason : std::uint8_t {
  none,         ///< the record is live
  source_event, ///< the source said it deleted the record
  disconnect,   ///< its connection was disconnected; nothing is said about the record
};

[[nodiscard]] std::string_view to_string(deletion_reason reason) noexcept;
[[nodiscard]] std::optional<deletion_reason> parse_deletion_reason(std::string_view text) noexcept;

/// One record of a source as the mirror holds it.
struct mirror_record {
  record_id id{};
  std::string source_id;
  timestamp content_changed_at{}; ///< the change signal: grows with every change of content
  std::optional<timestamp> deleted_at;
  deletion_reason reason = deletion_reason::none;
  std::string payload; ///< JSON text as it came; numbers keep their digits

  [[nodiscard]] bool is_tombstone() const noexcept { return deleted_at.has_value(); }
  [[nodiscard]] position at() const noexcept { return {content_changed_at, id}; }
};

template <class Inspector>
auto inspect(Inspector& f, mirror_record& x) {
  return f(x.id, x.source_id, x.content_changed_at, x.deleted_at, x.reason, x.payload);
}

} // namespace sluice::core
