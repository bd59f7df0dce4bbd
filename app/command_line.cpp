#include "app/command_line.hpp"

#include "app/apply.hpp"
#include "app/command_context.hpp"
#include "app/config_command.hpp"
#include "app/connections_command.hpp"
#include "app/crm.hpp"
#include "app/demo.hpp"
#include "app/explain.hpp"
#include "app/import.hpp"
#include "app/ledger_command.hpp"
#include "app/migrate.hpp"
#include "app/operator_commands.hpp"
#include "app/option_values.hpp"
#include "app/rules_command.hpp"
#include "app/runs_command.hpp"
#include "app/serve.hpp"
#include "app/tokens_command.hpp"
#include "app/version.hpp"
#include "config/load.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>

namespace sluice::app {
namespace {

/// The commands and their options. Parsing chooses one; running it loads the settings first, if it needs
/// them.
class command_line {
public:
  command_line() {
    app_.require_subcommand(1);
    app_.fallthrough();
    app_.add_option("--config", config_file_,
                    "Settings file (TOML); default: $SLUICE_CONFIG, else defaults alone")
        ->type_name("FILE");
    app_.add_option("--database", database_, "Database instead of the settings' database.url")
        ->type_name("URL");
    app_.add_option("--api", api_,
                    "Where to find the node, instead of the settings' api.socket and api.listen")
        ->type_name("ADDRESS:PORT");
    app_.add_flag("--json", style_.json, "One JSON document instead of tables");
    app_.add_flag("--no-color", no_colour_, "No colours, on a terminal either");
    add_node_commands();
    add_crm();
    add_setup_commands();
    add_import();
    add_connections();
    add_rules();
    add_tokens();
    add_reading_commands();
    add_operator_commands(app_, *app_.get_subcommand("rules"),
                          [this](CLI::App& under, const std::string& name, const std::string& description,
                                 std::function<int(const command_context&)> action) {
                            return command(under, name, description, std::move(action));
                          });
  }

  int run(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& outcome) {
      return app_.exit(outcome) == 0 ? exit_ok : exit_usage;
    }
    style_.colour = !no_colour_ && !style_.json && ::isatty(STDOUT_FILENO) == 1;
    return chosen_();
  }

private:
  CLI::App* command(CLI::App& under, const std::string& name, const std::string& description,
                    std::function<int()> action) {
    auto* made = under.add_subcommand(name, description);
    made->fallthrough();
    made->callback([this, action = std::move(action)] { chosen_ = action; });
    return made;
  }

  /// A command that needs the settings.
  CLI::App* command(CLI::App& under, const std::string& name, const std::string& description,
                    std::function<int(const command_context&)> action) {
    return command(under, name, description, std::function<int()>{[this, action = std::move(action)] {
                     return with_settings(action);
                   }});
  }

  int with_settings(const std::function<int(const command_context&)>& action) {
    auto variables = config::process_environment();
    if (config_file_.empty()) {
      config_file_ = variables["SLUICE_CONFIG"];
    }
    if (!database_.empty()) {
      variables["SLUICE_DATABASE_URL"] = database_;
    }
    if (!api_.empty()) {
      variables["SLUICE_API_LISTEN"] = api_;
      variables["SLUICE_API_SOCKET"] = "none";
    }
    auto loaded = config::load(config_file_.empty() ? std::nullopt : std::optional{config_file_}, variables);
    if (!loaded) {
      print_error("the settings have faults", loaded.error(),
                  "correct them; `sluice config default` shows every setting");
      return exit_usage;
    }
    return action({std::move(*loaded), style_});
  }

  void add_node_commands() {
    command(app_, "serve", "Run the node until SIGTERM",
            std::function{[](const command_context& context) { return serve(context.settings); }});
    auto* deliver = command(app_, "deliver", "Deliver what is due, then end", std::function{deliver_once});
    deliver->add_flag("--once", once_, "Work until nothing is due, then end")->required();
    auto options = std::make_shared<demo_options>();
    auto* shown = command(app_, "demo", "Deliver sample records to a stand-in target and compare",
                          std::function<int()>{[this, options] { return demo(*options, style_); }});
    shown->add_flag("--keep", options->keep, "Go on serving afterwards");
    shown->add_option("--seed", options->seed, "Seed of the faults");
  }

  void add_crm() {
    auto options = std::make_shared<crm_options>();
    auto* made = command(app_, "crm", "Run a stand-in target that behaves like a CRM",
                         std::function<int()>{[options] { return crm(*options); }});
    made->add_option("--listen", options->listen, "Address and port; port 0 is a free one")
        ->type_name("ADDRESS:PORT");
    add_duration(*made, "--latency", options->latency, "Hold every answer back so long");
    made->add_option("--requests-per-minute", options->requests_per_minute,
                     "Answer 429 to more in any 60 s; 0: no limit")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}));
    add_share(*made, "--fail-rate", options->fail_rate, "Share answered 503 before anything happened");
    add_share(*made, "--lose-reply-rate", options->lose_reply_rate, "Share done but cut without an answer");
    add_share(*made, "--hang-rate", options->hang_rate, "Share that is never answered");
    made->add_option("--seed", options->seed, "Seed of the shares");
    made->add_flag("--ignore-keys", options->ignore_keys, "Do not honour Idempotency-Key");
  }

  void add_setup_commands() {
    command(app_, "migrate", "Bring the database to this version's schema", std::function{migrate});
    auto options = std::make_shared<apply_options>();
    auto* made = command(
        app_, "apply", "Bring tenants, connections and rules to what a file says",
        std::function{[options](const command_context& context) { return apply(context, *options); }});
    made->add_option("file", options->file, "TOML or JSON")->required()->type_name("FILE");
    made->add_flag("--yes", options->yes, "Do not ask");
    auto* config = family("config", "Look at the settings");
    command(*config, "check", "Check the settings and show those in force", std::function{check_config});
    command(*config, "default", "Print the settings file with every default",
            std::function<int()>{print_default_config});
    command(app_, "version", "Print the version", std::function<int()>{[this] { return version(style_); }});
  }

  void add_import() {
    auto options = std::make_shared<import_options>();
    auto* made = command(app_, "import", "Upsert the records of a CSV or NDJSON file into the mirror",
                         std::function{[options](const command_context& context) {
                           return import_records(context, *options);
                         }});
    made->add_option("file", options->file, "The file; - is standard input")->required()->type_name("FILE");
    made->add_option("--connection", options->connection, "The source's connection")
        ->required()
        ->type_name("NAME");
    made->add_option("--domain", options->domain, "The kind of record: customers, orders, …")
        ->required()
        ->type_name("NAME");
    made->add_option("--id-field", options->id_field, "Column, member or JSON pointer of the record's id")
        ->required()
        ->type_name("FIELD");
    add_word(*made, "--format", options->format, parse_record_format, {"csv", "ndjson"},
             "What the file is; default: by its name, else by its content");
    made->add_flag("--skip-invalid", options->skip_invalid,
                   "Import the rest; what is refused goes to FILE.rejected");
    made->add_flag("--deleted", options->deleted,
                   "The file names records the source has deleted; of each only the id counts");
    made->add_option("--batch", options->batch, "Records a transaction")->check(CLI::Range(1, 100'000));
  }

  /// A command that comes in several kinds: "connections list".
  CLI::App* family(const std::string& name, const std::string& description) {
    auto* made = app_.add_subcommand(name, description);
    made->require_subcommand(1);
    made->fallthrough();
    return made;
  }

  /// A command on one thing that is named.
  template <class Options>
  CLI::App* on_one(CLI::App& under, const std::string& name, const std::string& description,
                   const std::shared_ptr<Options>& options,
                   int (*act)(const command_context&, const Options&)) {
    auto* made = command(
        under, name, description,
        std::function{[options, act](const command_context& context) { return act(context, *options); }});
    made->add_option("name", options->name, "Its name")->required()->type_name("NAME");
    return made;
  }

  void add_connections() {
    auto options = std::make_shared<connection_options>();
    auto* under = family("connections", "List, disconnect, reconnect, mend and remove connections");
    command(*under, "list", "Show every connection, disconnected ones too", std::function{list_connections});
    on_one(*under, "disconnect", "Stop and set aside a connection, its rules and its records", options,
           disconnect);
    on_one(*under, "reconnect", "Bring back what its disconnect set aside", options, reconnect);
    on_one(*under, "clear-error", "Try refused credentials again", options, clear_error);
    auto* purged = command(
        *under, "purge", "Remove what is disconnected for longer than the grace period",
        std::function{[options](const command_context& context) { return purge(context, *options); }});
    purged->add_flag("--now", options->now, "Remove the connection named, whatever its grace period");
    purged->add_option("name", options->name, "With --now")->type_name("NAME");
    on_one(*under, "uninstall", "Disconnect a connection and remove it with all it holds", options, uninstall)
        ->add_flag("--yes", options->yes, "It is meant");
  }

  void add_rules() {
    auto options = std::make_shared<rule_options>();
    auto* under = family("rules", "List rules, switch them on and off, delete and restore them");
    command(*under, "list", "Show every rule, deleted ones too", std::function{list_rules});
    on_one(*under, "on", "Deliver; a rule that was on before goes on where it stopped", options,
           switch_rule_on);
    on_one(*under, "off", "Deliver nothing until it is switched on", options, switch_rule_off);
    on_one(*under, "delete", "Set a rule aside with its delivery state", options, delete_rule)
        ->add_flag("--force", options->force, "Remove it for good; refused while it holds delivery state");
    on_one(*under, "restore", "Bring back a deleted rule", options, restore_rule);
  }

  void add_tokens() {
    auto options = std::make_shared<token_options>();
    auto* under = family("tokens", "Make, list and revoke the tokens of the API");
    auto* made = on_one(*under, "create", "Make a token and show it, once", options, create_token);
    add_word(*made, "--role", options->role, core::parse_token_role,
             {"viewer", "operator", "admin", "intake"},
             "What it may do: look; stop, resume and retry; make tokens, too; post records and nothing else");
    made->get_option("--role")->required();
    made->add_option("--tenant", options->tenants, "Only what belongs to this tenant; may be repeated")
        ->type_name("NAME");
    add_duration(*made, "--expires-in", options->expires_in, "It ends after so long; default: never");
    command(*under, "list", "Show every token, revoked ones too", std::function{list_tokens});
    on_one(*under, "revoke", "End a token: it opens nothing from the next request on", options, revoke_token);
  }

  void add_reading_commands() {
    auto ledger = std::make_shared<ledger_options>();
    auto* listed = command(
        app_, "ledger", "Show what became of a rule's records",
        std::function{[ledger](const command_context& context) { return list_ledger(context, *ledger); }});
    listed->add_option("--rule", ledger->rule, "The rule")->required()->type_name("NAME");
    add_word(*listed, "--status", ledger->status, core::parse_delivery_status, delivery_status_words(),
             "Only this status");
    listed->add_option("--error-class", ledger->error_class, "Only this class of error")->type_name("WORD");
    listed->add_option("--after", ledger->after, "The page behind this source id")->type_name("ID");
    listed->add_option("--limit", ledger->limit, "Rows a page")->check(CLI::Range(1, 10'000));
    listed->add_flag("--counts", ledger->counts, "Count by status instead");
    auto runs = std::make_shared<runs_options>();
    auto* history =
        command(app_, "runs", "Show the latest runs",
                std::function{[runs](const command_context& context) { return list_runs(context, *runs); }});
    history->add_option("--rule", runs->rule, "Only this rule's")->type_name("NAME");
    history->add_option("--limit", runs->limit, "How many")->check(CLI::Range(1, 10'000));
    auto asked = std::make_shared<explain_options>();
    auto* answer =
        command(app_, "explain", "Say why a record is where it is and what happens next",
                std::function{[asked](const command_context& context) { return explain(context, *asked); }});
    answer->add_option("rule", asked->rule, "The rule")->required()->type_name("RULE");
    answer->add_option("source_id", asked->source_id, "The record's id at its source")
        ->required()
        ->type_name("SOURCE_ID");
  }

  CLI::App app_{"Sluice delivers records, events and notifications to other systems."};
  std::string config_file_;
  std::string database_;
  std::string api_;
  output_style style_;
  bool no_colour_ = false;
  bool once_ = false; ///< `deliver` has no other way of working yet; it is asked for by name all the same
  std::function<int()> chosen_;
};

} // namespace

int run_command_line(int argc, const char* const* argv) {
  return command_line{}.run(argc, argv);
}

} // namespace sluice::app
