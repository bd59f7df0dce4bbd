#pragma once

#include "core/event_delivery.hpp"
#include "storage/open_claims.hpp"
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
    "d.position, d.ordering_key, d.state, d.attempts, d.round_attempts, d.next_attempt_at, d.error_class, "
    "d.error, d.row_version";

/// As the row holds it: what is on its way of it stands elsewhere.
class delivery_row_target {
public:
  void bind(query& rows);
  [[nodiscard]] delivery_row take();

private:
  delivery_row row_;
  std::string state_;
};

/// A list of integers as the parameter of `in_list`.
[[nodiscard]] std::string integer_list(engine kind, std::span<const std::int64_t> numbers);
/// "… IN (the list)", looked up by key whatever the planner believes.
[[nodiscard]] std::string in_list(engine kind, std::string_view column, std::string_view parameter);

/// "… NOT IN the list", each looked up in it at once however long it is.
[[nodiscard]] std::string not_in_list(engine kind, std::string_view column, std::string_view parameter);

/// Those of a subscription that the text behind "WHERE …" selects, and locks where it says so: " AND … FOR
/// UPDATE". Each with the attempt of it that is on its way.
[[nodiscard]] std::vector<delivery_row> read_rows(session& db, core::subscription_id subscription,
                                                  const open_claims& claims, std::string_view condition,
                                                  const std::function<void(query&)>& bind);
[[nodiscard]] std::vector<delivery_row> read_for_update(session& db, core::subscription_id subscription,
                                                        const open_claims& claims,
                                                        std::span<const std::int64_t> positions);

/// One statement on PostgreSQL. The rows are locked there; `row_version` is the one that was read. A row that
/// is another meanwhile abandons the work as `busy`. Of none of them an attempt is on its way any more.
void write_rows(session& db, core::subscription_id subscription, std::span<const delivery_row> rows,
                core::timestamp now);

[[nodiscard]] std::vector<std::int64_t> positions_of(std::span<const delivery_row> rows);
[[nodiscard]] std::vector<std::string> keys_of(std::span<const delivery_row> rows);

/// Of each ordering key the earliest open delivery becomes due, where it was put aside.
void free_keys(session& db, core::subscription_id subscription, std::vector<std::string> keys,
               core::timestamp now);

struct key_place {
  std::string key;
  core::event_position first{}; ///< its earliest open delivery
};
[[nodiscard]] std::vector<key_place> first_of_keys(session& db, core::subscription_id subscription,
                                                   const std::vector<std::string>& keys);

} // namespace sluice::storage
