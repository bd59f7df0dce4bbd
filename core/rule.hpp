#pragma once

#include "core/ids.hpp"
#include "core/record.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

enum class rule_direction : std::uint8_t { push_out, pull_in };
enum class update_mode : std::uint8_t { overwrite, create_only };
enum class delete_policy : std::uint8_t { ignore, delete_record, deactivate };
enum class connection_status : std::uint8_t { active, inactive, error };

[[nodiscard]] std::string_view to_string(rule_direction x) noexcept;
[[nodiscard]] std::string_view to_string(update_mode x) noexcept;
[[nodiscard]] std::string_view to_string(delete_policy x) noexcept; ///< delete_record reads "delete"
[[nodiscard]] std::string_view to_string(connection_status x) noexcept;
[[nodiscard]] std::optional<rule_direction> parse_rule_direction(std::string_view text) noexcept;
[[nodiscard]] std::optional<update_mode> parse_update_mode(std::string_view text) noexcept;
[[nodiscard]] std::optional<delete_policy> parse_delete_policy(std::string_view text) noexcept;
[[nodiscard]] std::optional<connection_status> parse_connection_status(std::string_view text) noexcept;

/// "Deliver domain D of source S into target T."
struct sync_rule {
  rule_id id{};
  std::string public_id; ///< UUIDv7
  std::string name;      ///< unique; what people and commands call it
  connection_id source{};
  connection_id target{};
  std::string domain; ///< "customers", "orders", …
  rule_direction direction = rule_direction::push_out;
  bool active = true;
  update_mode updates = update_mode::overwrite;
  delete_policy deletes = delete_policy::ignore;
  std::string mapping;        ///< JSON object: target field to source expression; see core/mapping.hpp
  std::string filter;         ///< JSON predicate, empty when every record passes; see core/filter.hpp
  std::int64_t revision = 1;  ///< raised by every change of mapping or filter
  std::string anchor_domain;  ///< the domain its records depend on; empty: a root domain's rule
  std::string anchor_pointer; ///< JSON pointer to the parent's source id, set with it

  /// Its records wait until the rule of the same source, target and anchor domain has created their parents.
  [[nodiscard]] bool dependent() const noexcept { return !anchor_domain.empty(); }
};

template <class Inspector>
auto inspect(Inspector& f, sync_rule& x) {
  return f(x.id, x.public_id, x.name, x.source, x.target, x.domain, x.direction, x.active, x.updates,
           x.deletes, x.mapping, x.filter, x.revision, x.anchor_domain, x.anchor_pointer);
}

/// One account in one outside system.
struct connection {
  connection_id id{};
  std::string public_id; ///< UUIDv7
  std::string tenant;
  std::string name;        ///< unique
  std::string driver;      ///< "mirror" for a source, "rest" for a target with the generic writer
  std::string settings;    ///< JSON object the driver understands
  std::string credentials; ///< JSON object, unsealed; never logged, never shown
  connection_status status = connection_status::active;
  std::string status_reason;
};

/// Leaves out the credentials: a printed message never shows them.
template <class Inspector>
auto inspect(Inspector& f, connection& x) {
  return f(x.id, x.public_id, x.tenant, x.name, x.driver, x.settings, x.status, x.status_reason);
}

} // namespace sluice::core
