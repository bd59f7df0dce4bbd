#pragma once

#include "core/ids.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

inline constexpr std::size_t published_body_bytes_max = std::size_t{256} << 10;

/// What happened to a record of a source.
enum class record_change : std::uint8_t { created, updated, deleted };

[[nodiscard]] std::string_view to_string(record_change change) noexcept;

/// "customers.updated": the type of a record's change.
[[nodiscard]] std::string event_type_of(std::string_view domain, record_change change);

/// The record an event tells of.
struct event_source {
  connection_id connection{};
  std::string domain;
  record_id record{};
  std::string source_id;
};

/// Something that happened, once, told to every subscription that wants it.
struct change_event {
  change_event_id id{};
  std::string public_id;     ///< UUIDv7; the webhook's id on every attempt
  event_position position{}; ///< given by the sequencer after the commit; none before
  std::string tenant;
  std::string type; ///< see core/event_type.hpp
  timestamp occurred_at{};
  std::string body;                   ///< bytes, sent as they are
  std::optional<event_source> source; ///< absent: an application published it
};

template <class Inspector>
auto inspect(Inspector& f, event_source& x) {
  return f(x.connection, x.domain, x.record, x.source_id);
}

/// Leaves out the body: a printed message never shows it.
template <class Inspector>
auto inspect(Inspector& f, change_event& x) {
  return f(x.id, x.public_id, x.position, x.tenant, x.type, x.occurred_at, x.source);
}

} // namespace sluice::core
