#include "app/lifecycle_commands.hpp"

#include "app/connections_command.hpp"
#include "app/option_values.hpp"
#include "app/rules_command.hpp"
#include "app/show_commands.hpp"
#include "app/tokens_command.hpp"

#include <memory>
#include <string>

namespace sluice::app {
namespace {

/// A command on one thing that is named.
template <class Options>
CLI::App* on_one(const command_adder& add, CLI::App& under, const std::string& name,
                 const std::string& description, const std::shared_ptr<Options>& options,
                 int (*act)(const command_context&, const Options&)) {
  auto* made = add(under, name, description,
                   [options, act](const command_context& context) { return act(context, *options); });
  made->add_option("name", options->name, "Its name")->required()->type_name("NAME");
  return made;
}

void add_connections(CLI::App& app, const command_adder& add) {
  auto options = std::make_shared<connection_options>();
  auto& under =
      command_group(app, "connections", "List, show, disconnect, reconnect, mend and remove connections");
  add(under, "list", "Show every connection, disconnected ones too", list_connections);
  on_one(add, under, "show", "Show what a running node knows of one", options, show_connection);
  on_one(add, under, "disconnect", "Stop and set aside a connection, its rules and its records", options,
         disconnect);
  on_one(add, under, "reconnect", "Bring back what its disconnect set aside", options, reconnect);
  on_one(add, under, "clear-error", "Try refused credentials again", options, clear_error);
  auto* purged = add(under, "purge", "Remove what is disconnected for longer than the grace period",
                     [options](const command_context& context) { return purge(context, *options); });
  purged->add_flag("--now", options->now, "Remove the connection named, whatever its grace period");
  purged->add_option("name", options->name, "With --now")->type_name("NAME");
  on_one(add, under, "uninstall", "Disconnect a connection and remove it with all it holds", options,
         uninstall)
      ->add_flag("--yes", options->yes, "It is meant");
}

void add_rules(CLI::App& app, const command_adder& add) {
  auto options = std::make_shared<rule_options>();
  auto& under =
      command_group(app, "rules", "List and show rules, switch them on and off, delete and restore them");
  add(under, "list", "Show every rule, deleted ones too", list_rules);
  on_one(add, under, "show", "Show one as it is defined and how it stands, by a running node", options,
         show_rule);
  on_one(add, under, "on", "Deliver; a rule that was on before goes on where it stopped", options,
         switch_rule_on);
  on_one(add, under, "off", "Deliver nothing until it is switched on", options, switch_rule_off);
  on_one(add, under, "delete", "Set a rule aside with its delivery state", options, delete_rule)
      ->add_flag("--force", options->force, "Remove it for good; refused while it holds delivery state");
  on_one(add, under, "restore", "Bring back a deleted rule", options, restore_rule);
}

void add_tokens(CLI::App& app, const command_adder& add) {
  auto options = std::make_shared<token_options>();
  auto& under = command_group(app, "tokens", "Make, list and revoke the tokens of the API");
  auto* made = on_one(add, under, "create", "Make a token and show it, once", options, create_token);
  add_word(*made, "--role", options->role, core::parse_token_role, {"viewer", "operator", "admin", "intake"},
           "What it may do: look; stop, resume and retry; make tokens, too; post records and nothing else");
  made->get_option("--role")->required();
  made->add_option("--tenant", options->tenants, "Only what belongs to this tenant; may be repeated")
      ->type_name("NAME");
  add_duration(*made, "--expires-in", options->expires_in, "It ends after so long; default: never");
  add(under, "list", "Show every token, revoked ones too", list_tokens);
  on_one(add, under, "revoke", "End a token: it opens nothing from the next request on", options,
         revoke_token);
}

} // namespace

void add_lifecycle_commands(CLI::App& app, const command_adder& add) {
  add_connections(app, add);
  add_rules(app, add);
  add_tokens(app, add);
}

} // namespace sluice::app
