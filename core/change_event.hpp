#pragma once

#include "core/api_token.hpp"
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

/// Where an event comes from.
enum class event_kind : std::uint8_t {
  change,    ///< a record of a source changed
  published, ///< an application published it
  test,      ///< a person tries a subscription: it goes to that one alone
};

[[nodiscard]] std::string_view to_string(event_kind kind) noexcept;
[[nodiscard]] std::optional<event_kind> parse_event_kind(std::string_view text) noexcept;

/// The record an event tells of.
struct event_source {
  connection_id connection{};
  std::string domain;
  std::string source_id;
};

/// Something that happened, once, told to every subscription that wants it.
struct change_event {
  change_event_id id{};
  std::string public_id;     ///< UUIDv7; the webhook's id on every attempt
  event_position position{}; ///< given by the sequencer after the commit; none before
  event_kind kind = event_kind::published;
  std::string tenant;
  std::string type; ///< see core/event_type.hpp
  timestamp occurred_at{};
  std::string body;                   ///< of a change the record's payload, else what was published; bytes
  std::optional<event_source> source; ///< of a change
  subscription_id only{};             ///< of a test: whom it is for
};

/// What is sent: what was published as it came, of a change the record with its type, time and source id
/// around it. The same bytes each time; a payload's numbers keep their digits.
[[nodiscard]] std::string event_body(const change_event& event);

/// An event of an application's, or a test.
struct event_to_publish {
  std::string tenant;
  event_kind kind = event_kind::published;
  std::string type;
  std::string body;            ///< at most `published_body_bytes_max`, JSON without NUL
  std::string idempotency_key; ///< unique within the tenant; empty: none
  subscription_id only{};      ///< of a test: whom it is for
};

struct published_event {
  std::string public_id;
  bool repeated = false; ///< the key was used before, for the same event: it is that one's id
};

/// Which events of the history, newest first.
struct event_page {
  std::optional<std::string> tenant; ///< absent: of every tenant that may be seen
  tenant_scope tenants;
  std::string type;            ///< empty: every type
  change_event_id before_id{}; ///< the page before's last; none at first
  std::int64_t limit = 100;
};

/// What retention has taken in one go.
struct pruned_events {
  std::int64_t rows = 0; ///< events, deliveries and attempts; 0: nothing is left to prune
  std::int64_t open = 0; ///< deliveries among them that were still waiting
};

template <class Inspector>
auto inspect(Inspector& f, event_source& x) {
  return f(x.connection, x.domain, x.source_id);
}

/// Leaves out the body: a printed message never shows it.
template <class Inspector>
auto inspect(Inspector& f, change_event& x) {
  return f(x.id, x.public_id, x.position, x.kind, x.tenant, x.type, x.occurred_at, x.source);
}

/// Leaves out the body, as above.
template <class Inspector>
auto inspect(Inspector& f, event_to_publish& x) {
  return f(x.tenant, x.kind, x.type, x.idempotency_key, x.only);
}

template <class Inspector>
auto inspect(Inspector& f, published_event& x) {
  return f(x.public_id, x.repeated);
}

template <class Inspector>
auto inspect(Inspector& f, event_page& x) {
  return f(x.tenant, x.tenants, x.type, x.before_id, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, pruned_events& x) {
  return f(x.rows, x.open);
}

} // namespace sluice::core
