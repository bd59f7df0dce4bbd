#pragma once

#include "core/event_delivery.hpp"
#include "storage/soci_session.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Rows of event_deliveries as what goes on with them is decided on: locked, and written where their version
// is still the one that was read. All of it throws: use inside `guarded`.

namespace sluice::storage {

struct delivery_row {
  core::event_position position{};
  std::optional<std::string> ordering_key;
  core::delivery_progress progress;
  std::int64_t row_version = 0;
};

/// Its columns, in the order delivery_row_target takes them.
inline constexpr std::string_view delivery_row_columns =
    "d.position, d.ordering_key, d.state, d.attempts, d.round_attempts, d.next_attempt_at, d.lease_until, "
    "d.error_class, d.error, d.row_version";

class delivery_row_target {
public:
  void bind(query& rows);
  [[nodiscard]] delivery_row take();

private:
  delivery_row row_;
  std::string state_;
  std::optional<core::timestamp> lease_until_;
};

/// A list of integers as the parameter of `in_list`.
[[nodiscard]] std::string integer_list(engine kind, std::span<const std::int64_t> numbers);
/// "… IN (the list)", looked up by key whatever the planner believes.
[[nodiscard]] std::string in_list(engine kind, std::string_view column, std::string_view parameter);

/// Those of a subscription that the text behind "WHERE …" selects, which locks them: " AND … FOR UPDATE".
[[nodiscard]] std::vector<delivery_row> read_for_update(session& db, core::subscription_id subscription,
                                                        std::string_view condition,
                                                        const std::function<void(query&)>& bind);
[[nodiscard]] std::vector<delivery_row> read_for_update(session& db, core::subscription_id subscription,
                                                        std::span<const std::int64_t> positions);

/// One statement on PostgreSQL; `row_version` is the one that was read. A row that is another meanwhile
/// abandons the work as `busy`.
void write_rows(session& db, core::subscription_id subscription, std::span<const delivery_row> rows,
                core::timestamp now);

[[nodiscard]] std::vector<std::string> keys_of(std::span<const delivery_row> rows);

/// Of each ordering key the earliest open delivery becomes due, where it was put aside.
void free_keys(session& db, core::subscription_id subscription, std::vector<std::string> keys,
               core::timestamp now);

/// The ordering keys that have an attempt on its way.
[[nodiscard]] std::vector<std::string> keys_on_their_way(session& db, core::subscription_id subscription);

struct key_place {
  std::string key;
  core::event_position first{}; ///< its earliest open delivery
};
[[nodiscard]] std::vector<key_place> first_of_keys(session& db, core::subscription_id subscription,
                                                   const std::vector<std::string>& keys);

} // namespace sluice::storage
