#pragma once

#include "app/command_context.hpp"
#include "app/connections_command.hpp"
#include "app/output.hpp"
#include "app/rules_command.hpp"

#include <nlohmann/json.hpp>

namespace sluice::app {

/// A line a value, named by the way to it: "settings.operations.create.path".
[[nodiscard]] text_table table_of(const nlohmann::ordered_json& document);

/// `sluice rules show` and `sluice connections show`: everything a running node says of the one, credentials
/// left out.
[[nodiscard]] int show_rule(const command_context& context, const rule_options& options);
[[nodiscard]] int show_connection(const command_context& context, const connection_options& options);

} // namespace sluice::app
