#include "app/operator_commands.hpp"

#include "app/job_commands.hpp"
#include "app/link_command.hpp"
#include "app/option_values.hpp"
#include "app/record_commands.hpp"
#include "app/rule_commands.hpp"
#include "app/status_command.hpp"
#include "app/stop_commands.hpp"
#include "app/verify_command.hpp"
#include "core/verification.hpp"

#include <memory>

namespace sluice::app {
namespace {

void add_status(CLI::App& app, const command_adder& add) {
  auto options = std::make_shared<status_options>();
  auto* made = add(app, "status", "Show how delivery stands, and the rules that need attention",
                   [options](const command_context& context) { return show_status(context, *options); });
  made->add_flag("--all", options->all, "The rules that are well, too");
  made->add_flag("--watch", options->watch, "Show it again every two seconds");
}

/// Exactly one of the scopes, or of what else the command takes.
CLI::Option_group* add_scope(CLI::App& to, scope_options& scope) {
  auto* one = to.add_option_group("scope");
  one->add_flag("--global", scope.global, "Everything");
  one->add_option("--connection", scope.connection, "Everything into this target")->type_name("NAME");
  one->add_option("--rule", scope.rule, "This rule")->type_name("NAME");
  one->add_option("--subscription", scope.subscription, "This subscription's pushes, by its name or id")
      ->type_name("NAME|ID");
  one->add_option("--profile", scope.profile, "Everything to this provider profile, by its name or id")
      ->type_name("NAME|ID");
  one->require_option(1);
  return one;
}

void add_stops(CLI::App& app, const command_adder& add) {
  struct stop_options {
    scope_options scope;
    std::string reason;
    std::string id;
    bool history = false;
  };
  auto set = std::make_shared<stop_options>();
  auto* made = add(app, "stop", "Stop delivery: once this returns, no call starts in the scope",
                   [set](const command_context& context) { return stop(context, set->scope, set->reason); });
  add_scope(*made, set->scope);
  made->add_option("--reason", set->reason, "Why, for those who find it stopped")
      ->required()
      ->type_name("TEXT");
  auto end = std::make_shared<stop_options>();
  auto* resumed = add(app, "resume", "End a stop: its rules go on at once",
                      [end](const command_context& context) { return resume(context, end->scope, end->id); });
  add_scope(*resumed, end->scope)->add_option("--id", end->id, "The stop with this id")->type_name("ID");
  auto listed = std::make_shared<stop_options>();
  auto* list = add(app, "stops", "Show the stops in force",
                   [listed](const command_context& context) { return list_stops(context, listed->history); });
  list->add_flag("--history", listed->history, "Stops and holds that have ended, too");
}

void add_holds(CLI::App& app, const command_adder& add) {
  auto& hold = command_group(app, "hold", "Withdrawals the volume breaker holds");
  add(hold, "list", "Show the holds in force", list_holds);
  struct hold_options {
    std::string id;
    std::int64_t allowed = 0;
  };
  auto released = std::make_shared<hold_options>();
  auto* release =
      add(hold, "release", "Let so many of the held withdrawals go",
          [released](const command_context& c) { return release_hold(c, released->id, released->allowed); });
  release->add_option("id", released->id, "The hold's")->required()->type_name("ID");
  release->add_option("--allow", released->allowed, "Withdrawals that may go beyond the limit")
      ->required()
      ->check(CLI::Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max()));
  auto discarded = std::make_shared<hold_options>();
  auto* discard = add(hold, "discard", "End a hold without letting anything go: it is counted anew",
                      [discarded](const command_context& c) { return discard_hold(c, discarded->id); });
  discard->add_option("id", discarded->id, "The hold's")->required()->type_name("ID");
}

void add_plan(CLI::App& rules, const command_adder& add) {
  auto rule = std::make_shared<std::string>();
  auto* made = add(rules, "plan", "Count what delivering now would do, without sending",
                   [rule](const command_context& context) { return plan_rule(context, *rule); });
  made->add_option("name", *rule, "Its name")->required()->type_name("NAME");
}

void add_verify(CLI::App& rules, const command_adder& add) {
  auto options = std::make_shared<verify_options>();
  auto* made = add(rules, "verify", "Look up at the target what the ledger says it holds",
                   [options](const command_context& context) { return verify_rule(context, *options); });
  made->add_option("name", options->rule, "Its name")->required()->type_name("NAME");
  auto* sample =
      made->add_option("--sample", options->sample, "So many records, drawn by chance; default: 200")
          ->check(CLI::Range(std::int64_t{1}, core::verify_sample_max))
          ->type_name("N");
  made->add_flag("--all", options->all, "Every record")->excludes(sample);
}

void add_backfills(CLI::App& app, const command_adder& add) {
  auto& backfill = command_group(app, "backfill", "Deliver what was there before");
  const auto one = [&](const std::string& name, const std::string& description, auto action) {
    auto options = std::make_shared<backfill_options>();
    auto* made = add(backfill, name, description,
                     [options, action](const command_context& c) { return action(c, *options); });
    made->add_option("rule", options->rule, "The rule")->required()->type_name("RULE");
    return std::pair{made, options};
  };
  const auto bounded = [](CLI::App& to, backfill_options& options) {
    to.add_option("--until", options.until, "Records changed before this time; default: now")
        ->type_name("TIME");
    to.add_flag("--resend", options.resend, "Send again what the target already has");
  };
  auto [preview, counted] = one("preview", "Count what a backfill would cover and create", preview_backfill);
  bounded(*preview, *counted);
  auto [start, started] = one("start", "Start a backfill, its numbers confirmed", start_backfill);
  bounded(*start, *started);
  auto* creates =
      start->add_option("--creates", started->creates, "So many creates are agreed to, at the most");
  start->add_flag("--yes", started->yes, "Do not ask; needs --creates")->needs(creates);
  one("abort", "End the backfill in progress", [](const command_context& c, const backfill_options& options) {
    return abort_backfill(c, options.rule);
  });
}

void add_row_act(CLI::App& app, const command_adder& add, core::row_act act, const std::string& description,
                 const std::vector<std::string>& statuses) {
  auto options = std::make_shared<row_options>();
  auto* made = add(app, std::string{core::to_string(act)}, description,
                   [options, act](const command_context& c) { return offer_rows(c, act, *options); });
  made->add_option("rule", options->rule, "The rule")->required()->type_name("RULE");
  auto* which = made->add_option_group("which");
  which->add_option("source_id", options->source_id, "One record, by its id at the source")
      ->type_name("SOURCE_ID");
  add_word(*which, "--status", options->status, core::parse_delivery_status, statuses,
           "Those of this status");
  which->add_option("--error-class", options->error_class, "Those of this class of error")->type_name("WORD");
  which->add_option("--from", options->from, "Those last attempted at this time or later")->type_name("TIME");
  which->add_option("--until", options->until, "Those last attempted before this time")->type_name("TIME");
  which->add_flag("--all", options->all, "Every one of the rule");
  which->require_option(1, 0);
  made->add_flag("--yes", options->yes, "Do not ask");
  made->add_flag("--no-wait", options->no_wait, "Leave many to the node once it has begun");
}

void add_jobs(CLI::App& app, const command_adder& add) {
  add_row_act(app, add, core::row_act::retry, "Try failed records now that wait for a later attempt",
              {"failed"});
  add_row_act(app, add, core::row_act::reopen, "Offer records again that ended exhausted or gone",
              {"exhausted", "remote_gone"});
  struct job_options {
    std::string rule;
    std::string cancelled;
  };
  auto options = std::make_shared<job_options>();
  auto* made = add(app, "jobs", "Show the retries and reopenings of many records, or end one",
                   [options](const command_context& c) {
                     return options->cancelled.empty() ? list_jobs(c, options->rule)
                                                       : cancel_job(c, options->rule, options->cancelled);
                   });
  made->add_option("rule", options->rule, "The rule")->required()->type_name("RULE");
  made->add_option("--cancel", options->cancelled, "End this job; what it has done stays done")
      ->type_name("ID");
}

void add_link(CLI::App& app, const command_adder& add) {
  auto options = std::make_shared<link_options>();
  auto* made =
      add(app, "link", "Tell which remote ids a rule's target has already, before the first delivery",
          [options](const command_context& context) { return link_file(context, *options); });
  made->add_option("rule", options->rule, "The rule")->required()->type_name("RULE");
  made->add_option("file", options->file, "CSV or NDJSON with source_id and remote_id; \"-\": standard input")
      ->required()
      ->type_name("FILE");
  add_word(*made, "--format", options->format, parse_record_format, {"csv", "ndjson"},
           "Instead of guessing it");
  made->add_flag("--skip-invalid", options->skip_invalid, "Leave out the lines that are refused");
}

void add_ambiguous(CLI::App& app, const command_adder& add) {
  auto& ambiguous = command_group(app, "ambiguous", "Creates nobody knows the outcome of");
  struct named_record {
    std::string rule;
    std::string source_id;
    std::string remote_id;
  };
  const auto one = [&](const std::string& name, const std::string& description, auto action) {
    auto named = std::make_shared<named_record>();
    auto* made = add(ambiguous, name, description,
                     [named, action](const command_context& c) { return action(c, *named); });
    made->add_option("rule", named->rule, "The rule")->required()->type_name("RULE");
    return std::pair{made, named};
  };
  one("list", "Show them",
      [](const command_context& c, const named_record& of) { return list_ambiguous(c, of.rule); });
  auto [link, linked] = one("link", "The target holds the record under this id",
                            [](const command_context& c, const named_record& of) {
                              return link_record(c, of.rule, of.source_id, of.remote_id);
                            });
  link->add_option("source_id", linked->source_id, "The record's id at its source")
      ->required()
      ->type_name("SOURCE_ID");
  link->add_option("remote_id", linked->remote_id, "Its id in the target")
      ->required()
      ->type_name("REMOTE_ID");
  auto [resend, resent] = one("resend", "The create never arrived: make it again",
                              [](const command_context& c, const named_record& of) {
                                return resend_record(c, of.rule, of.source_id);
                              });
  resend->add_option("source_id", resent->source_id, "The record's id at its source")
      ->required()
      ->type_name("SOURCE_ID");
}

} // namespace

void add_operator_commands(CLI::App& app, CLI::App& rules, const command_adder& add) {
  add_status(app, add);
  add_stops(app, add);
  add_holds(app, add);
  add_plan(rules, add);
  add_verify(rules, add);
  add_backfills(app, add);
  add_jobs(app, add);
  add_link(app, add);
  add_ambiguous(app, add);
}

} // namespace sluice::app
