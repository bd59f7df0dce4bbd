#include "app/command_line.hpp"

#include "app/apply.hpp"
#include "app/command_adder.hpp"
#include "app/command_context.hpp"
#include "app/completion.hpp"
#include "app/config_command.hpp"
#include "app/crm.hpp"
#include "app/demo.hpp"
#include "app/doctor.hpp"
#include "app/explain.hpp"
#include "app/import.hpp"
#include "app/ledger_command.hpp"
#include "app/lifecycle_commands.hpp"
#include "app/listen_command.hpp"
#include "app/manual.hpp"
#include "app/migrate.hpp"
#include "app/notification_commands.hpp"
#include "app/operator_commands.hpp"
#include "app/option_values.hpp"
#include "app/runs_command.hpp"
#include "app/serve.hpp"
#include "app/subscription_commands.hpp"
#include "app/version.hpp"
#include "config/load.hpp"

#include <CLI/CLI.hpp>

#include <cstdlib>
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
  explicit command_line(std::string installed_settings = {}) {
    if (!installed_settings.empty() && ::access(installed_settings.c_str(), F_OK) == 0) {
      installed_settings_ = std::move(installed_settings);
    }
    app_.require_subcommand(1);
    app_.fallthrough();
    app_.add_option(
            "--config", config_file_,
            "Settings file (TOML); default: $SLUICE_CONFIG, else the installation's, else defaults alone")
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
    add_listen();
    add_setup_commands();
    add_import();
    const command_adder add{[this](CLI::App& under, const std::string& name, const std::string& description,
                                   command_adder::command_action action, int without) {
      return command(under, name, description, std::move(action), without);
    }};
    add_lifecycle_commands(app_, add);
    add_reading_commands();
    add_operator_commands(app_, *app_.get_subcommand("rules"), add);
    add_subscription_commands(app_, add);
    add_notification_commands(app_, add);
    add_doctor();
    add_papers();
  }

  [[nodiscard]] described_command described() const { return describe(app_); }

  int run(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& outcome) {
      return app_.exit(outcome) == 0 ? exit_ok : exit_usage;
    }
    const char* unwanted = std::getenv("NO_COLOR");
    const bool plain = no_colour_ || (unwanted != nullptr && *unwanted != '\0');
    style_.colour = !plain && !style_.json && ::isatty(STDOUT_FILENO) == 1;
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
                    std::function<int(const command_context&)> action, int without = exit_usage) {
    return command(under, name, description,
                   std::function<int()>{[this, without, action = std::move(action)] {
                     return with_settings(action, without);
                   }});
  }

  /// The settings as they are at this moment.
  std::expected<config::settings, std::vector<std::string>> load() const {
    auto variables = config::process_environment();
    auto file = config_file_.empty() ? variables["SLUICE_CONFIG"] : config_file_;
    if (file.empty()) {
      file = installed_settings_;
    }
    if (!database_.empty()) {
      variables["SLUICE_DATABASE_URL"] = database_;
    }
    if (!api_.empty()) {
      variables["SLUICE_API_LISTEN"] = api_;
      variables["SLUICE_API_SOCKET"] = "none";
    }
    return config::load(file.empty() ? std::nullopt : std::optional{file}, variables);
  }

  int with_settings(const std::function<int(const command_context&)>& action, int without) {
    auto loaded = load();
    if (!loaded) {
      print_error("the settings have faults", loaded.error(),
                  "correct them; `sluice config default` shows every setting");
      return without;
    }
    return action({std::move(*loaded), style_, [this] { return load(); }});
  }

  void add_node_commands() {
    command(app_, "serve", "Run the node until SIGTERM", std::function{serve});
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

  void add_listen() {
    auto options = std::make_shared<listen_options>();
    auto* made = command(app_, "listen", "Receive webhooks on this machine and show whether they verify",
                         std::function<int()>{[this, options] { return listen(*options, style_); }});
    add_listen_options(*made, *options);
  }

  void add_setup_commands() {
    auto reached = std::make_shared<migrate_options>();
    auto* migrated = command(
        app_, "migrate", "Bring the database to this version's schema",
        std::function{[reached](const command_context& context) { return migrate(context, *reached); }});
    migrated->add_option("--to", reached->to, "Stop at this schema version, to rehearse an upgrade from it")
        ->type_name("VERSION");
    auto options = std::make_shared<apply_options>();
    auto* made = command(
        app_, "apply", "Bring tenants, connections, rules and subscriptions to what a file says",
        std::function{[options](const command_context& context) { return apply(context, *options); }});
    made->add_option("file", options->file, "TOML or JSON")->required()->type_name("FILE");
    made->add_flag("--yes", options->yes, "Do not ask");
    auto& config = command_group(app_, "config", "Look at the settings");
    command(config, "check", "Check the settings and show those in force", std::function{check_config});
    command(config, "default", "Print the settings file with every default",
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

  void add_doctor() {
    auto options = std::make_shared<doctor_options>();
    auto* made = command(app_, "doctor", "Say what is wrong with this installation, why, and what to do",
                         std::function<int()>{[this, options] { return doctor(load(), *options, style_); }});
    auto* after =
        made->add_flag("--after-restore", options->after_restore,
                       "The database is an older backup: stop, and look records up before creating them");
    made->add_flag("--over", options->over, "With it: all is settled, create without looking again")
        ->needs(after);
    made->add_flag("--mirror", options->mirror,
                   "Read every record of the mirror, too: for who writes it with SQL")
        ->excludes(after);
  }

  /// What the parser itself tells of the commands.
  void add_papers() {
    auto shell = std::make_shared<std::string>();
    auto* made = command(app_, "completion", "Print the script with which a shell completes commands",
                         std::function<int()>{[this, shell] {
                           return print_text(*shell == "zsh" ? zsh_completion(described())
                                                             : bash_completion(described()));
                         }});
    made->add_option("shell", *shell, "Which shell")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh"}))
        ->type_name("SHELL");
    command(app_, "man", "Print the manual page",
            std::function<int()>{[this] { return print_text(manual(described())); }})
        ->group("");
  }

  CLI::App app_{"Sluice delivers records, events and notifications to other systems."};
  std::string installed_settings_; ///< empty where there are none
  std::string config_file_;
  std::string database_;
  std::string api_;
  output_style style_;
  bool no_colour_ = false;
  bool once_ = false; ///< `deliver` has no other way of working yet; it is asked for by name all the same
  std::function<int()> chosen_;
};

} // namespace

int run_command_line(int argc, const char* const* argv, std::string installed_settings) {
  return command_line{std::move(installed_settings)}.run(argc, argv);
}

described_command describe_command_line() {
  return command_line{}.described();
}

} // namespace sluice::app
