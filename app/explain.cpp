#include "app/explain.hpp"

#include "app/explanation.hpp"
#include "app/ledger_command.hpp"
#include "core/request_window.hpp"
#include "storage/cursor.hpp"
#include "storage/intents.hpp"
#include "storage/ledger.hpp"
#include "storage/mirror.hpp"
#include "storage/node_state.hpp"
#include "storage/rules.hpp"

#include <algorithm>
#include <limits>

namespace sluice::app {
namespace {

storage::result<void> read_connections(storage::session& db, explanation_facts& facts) {
  const auto connections = storage::list_connections(db);
  if (!connections) {
    return std::unexpected{connections.error()};
  }
  for (const auto& connection : *connections) {
    if (connection.id == facts.rule.source) {
      facts.source = connection;
    }
    if (connection.id == facts.rule.target) {
      facts.target = connection;
    }
  }
  return {};
}

storage::result<void> read_record(storage::session& db, explanation_facts& facts) {
  auto record = storage::find_record(db, facts.rule.source, facts.rule.domain, facts.source_id);
  if (!record) {
    return std::unexpected{record.error()};
  }
  auto row = storage::find_ledger_row(db, facts.rule.id, facts.source_id);
  if (!row) {
    return std::unexpected{row.error()};
  }
  facts.record = std::move(*record);
  facts.row = std::move(*row);
  return {};
}

storage::result<void> read_intent(storage::session& db, const crypto::key_ring& keys,
                                  explanation_facts& facts) {
  const auto intents =
      storage::read_intents(db, facts.rule.id, std::nullopt, std::numeric_limits<std::int32_t>::max(), keys);
  if (!intents) {
    return std::unexpected{intents.error()};
  }
  const auto found = std::ranges::find(*intents, facts.source_id, &core::intent::source_id);
  if (found != intents->end()) {
    facts.intent = *found;
  }
  return {};
}

storage::result<void> read_progress(storage::session& db, explanation_facts& facts) {
  auto cursor = storage::find_cursor(db, facts.rule.id);
  if (!cursor) {
    return std::unexpected{cursor.error()};
  }
  auto runs = storage::list_runs(db, facts.rule.id, 1);
  if (!runs) {
    return std::unexpected{runs.error()};
  }
  const auto window = storage::load_window(db, facts.rule.target);
  if (!window) {
    return std::unexpected{window.error()};
  }
  facts.cursor = *cursor;
  if (!runs->empty()) {
    facts.latest_run = std::move(runs->front());
  }
  if (*window) {
    if (const auto read = core::request_window::from_text(**window, 0, facts.now)) {
      facts.blocked_until = read->blocked_until(facts.now);
    }
  }
  return {};
}

/// One snapshot of everything, so that the sentences do not contradict each other.
storage::result<explanation_facts> gather(storage::session& db, const core::sync_rule& rule,
                                          const std::string& source_id, const crypto::key_ring& keys) {
  explanation_facts facts;
  facts.rule = rule;
  facts.source_id = source_id;
  facts.now = wall_now();
  for (const auto& read : {read_connections(db, facts), read_record(db, facts), read_intent(db, keys, facts),
                           read_progress(db, facts)}) {
    if (!read) {
      return std::unexpected{read.error()};
    }
  }
  return facts;
}

void show_json(const explanation_facts& facts) {
  const auto next = judge(facts);
  nlohmann::ordered_json document{{"rule", facts.rule.name}, {"source_id", facts.source_id}};
  document["record"] = nullptr;
  if (facts.record) {
    document["record"] = {{"content_changed_at", core::to_rfc3339(facts.record->content_changed_at)},
                          {"deleted", facts.record->is_tombstone()}};
  }
  document["ledger"] = facts.row ? ledger_json(*facts.row) : nlohmann::ordered_json(nullptr);
  document["create_unsettled"] = facts.intent.has_value();
  document["next"] = next ? nlohmann::ordered_json(core::to_string(next->what)) : nullptr;
  document["sentences"] = explain_record(facts);
  print_json(document);
}

} // namespace

int explain(const command_context& context, const explain_options& options) {
  const auto keys = open_keys(context.settings);
  if (!keys) {
    return keys.error();
  }
  auto db = open_session(context, storage::access::read);
  if (!db) {
    return db.error();
  }
  const auto rule = storage::find_rule(*db, options.rule);
  if (!rule) {
    return report("the rule cannot be looked up", rule.error());
  }
  if (!*rule) {
    return report_missing("rule", options.rule, "name a rule that `sluice apply` has made");
  }
  const auto facts = storage::transact(
      *db, [&](storage::session& snapshot) { return gather(snapshot, **rule, options.source_id, *keys); });
  if (!facts) {
    return report("the record cannot be looked up", facts.error());
  }
  if (!facts->record && !facts->row) {
    print_error("nothing is known of record \"" + options.source_id + "\"",
                "neither the mirror of " + facts->source.name + " nor the ledger of rule " + options.rule
                    + " has it",
                "check the id; `sluice ledger --rule " + options.rule + "` lists what is known");
    return exit_refused;
  }
  if (context.style.json) {
    show_json(*facts);
    return exit_ok;
  }
  for (const auto& sentence : explain_record(*facts)) {
    print_line(printable(sentence));
  }
  return exit_ok;
}

} // namespace sluice::app
