#include "app/after_restore.hpp"

#include "app/node_client.hpp"
#include "providers/writer.hpp"
#include "storage/lease.hpp"
#include "storage/restore.hpp"
#include "storage/rules.hpp"
#include "storage/stops.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace sluice::app {
namespace {

/// How a rule's target finds out what it already has.
enum class finds_by : std::uint8_t { lookup, key, nothing };

struct restored_rule {
  core::sync_rule rule;
  finds_by how = finds_by::nothing;
};

std::string_view word(finds_by how) {
  switch (how) {
  case finds_by::lookup:
    return "lookup";
  case finds_by::key:
    return "key";
  case finds_by::nothing:
    return "nothing";
  }
  return "unknown";
}

/// A target whose settings cannot be read finds nothing: its rule waits for a person.
finds_by finds_by_of(storage::session& db, const core::sync_rule& rule, const crypto::key_ring& keys) {
  const auto target = storage::load_connection(db, rule.target, keys);
  if (!target)
    return finds_by::nothing;
  const auto writer = providers::make_writer(*target, rule.domain);
  if (!writer)
    return finds_by::nothing;
  const auto& traits = (*writer)->traits();
  if (traits.has_lookup)
    return finds_by::lookup;
  return traits.honours_key ? finds_by::key : finds_by::nothing;
}

storage::result<std::vector<restored_rule>> read_restored(storage::session& db,
                                                          const crypto::key_ring& keys) {
  auto rules = storage::list_rules(db);
  if (!rules)
    return std::unexpected{rules.error()};
  std::vector<restored_rule> found;
  for (auto& rule : *rules) {
    if (rule.direction != core::rule_direction::push_out)
      continue;
    const auto how = finds_by_of(db, rule, keys);
    found.push_back({std::move(rule), how});
  }
  return found;
}

/// Nobody delivers meanwhile: in a node's memory nothing was restored.
std::optional<std::string> running_node(storage::session& db, const config::settings& settings) {
  const auto where = database_of(settings);
  if (where && where->kind == storage::engine::sqlite)
    return storage::file_lock::holder(where->target);
  const auto lease = storage::read_lease(db, storage::node_shard);
  if (!lease || !*lease || (*lease)->released || (*lease)->remaining <= core::duration{})
    return std::nullopt;
  return (*lease)->node;
}

storage::result<void> write(storage::session& db, const std::vector<restored_rule>& rules) {
  const auto now = wall_now();
  const auto by = current_user();
  if (auto noted = storage::note_restore(db, now); !noted)
    return noted;
  const core::stop_request everything{{}, "restored from a backup", by};
  if (auto stopped = storage::set_stop(db, everything, now); !stopped)
    return std::unexpected{stopped.error()};
  for (const auto& one : rules) {
    if (one.how != finds_by::nothing)
      continue;
    const core::stop_request alone{{core::stop_scope::rule, {}, one.rule.id},
                                   "restored from a backup, and its target cannot be asked what it has",
                                   by};
    if (auto stopped = storage::set_stop(db, alone, now); !stopped)
      return std::unexpected{stopped.error()};
  }
  return {};
}

int show(const command_context& context, const std::vector<restored_rule>& rules) {
  if (context.style.json) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& one : rules)
      list.push_back({{"rule", one.rule.name}, {"finds_by", word(one.how)}});
    print_json({{"stopped", true}, {"rules", list}});
    return exit_ok;
  }
  text_table table{{"rule", "its target finds a record by", "then"}};
  for (const auto& one : rules) {
    const bool alone = one.how == finds_by::nothing;
    table.add({one.rule.name, std::string{word(one.how)},
               alone                         ? "stopped by itself: compare, then `sluice resume --rule`"
               : one.how == finds_by::lookup ? "looked up before it is created"
                                             : "created under the key it had: once, while the key counts"});
  }
  if (!table.empty())
    table.print(context.style);
  print_line(
      "delivery is stopped. Bring the mirror up to date, start the node, look at `sluice rules plan`, then "
      "`sluice resume --global`.");
  print_line("When every rule is through: `sluice doctor --after-restore --over`.");
  return exit_ok;
}

} // namespace

int begin_after_restore(const command_context& context) {
  const auto keys = open_keys(context.settings);
  if (!keys)
    return keys.error();
  auto db = open_session(context, storage::access::write);
  if (!db)
    return db.error();
  if (const auto node = running_node(*db, context.settings)) {
    print_error("nothing was changed", "a node (" + *node + ") works on this database",
                "stop it, restore the backup if that was not done yet, then run this again");
    return exit_refused;
  }
  const auto rules = read_restored(*db, *keys);
  if (!rules)
    return report("the rules cannot be read", rules.error());
  const auto written =
      storage::transact(*db, [&](storage::session& within) { return write(within, *rules); });
  return written ? show(context, *rules) : report("nothing was changed", written.error());
}

int end_after_restore(const command_context& context) {
  auto db = open_session(context, storage::access::write);
  if (!db)
    return db.error();
  const auto ended =
      storage::transact(*db, [](storage::session& within) { return storage::end_restore(within); });
  if (!ended)
    return report("nothing was changed", ended.error());
  if (context.style.json)
    print_json({{"ended", *ended}});
  else
    print_line(*ended ? "records are created without looking again; stops stay until `sluice resume`"
                      : "nothing to do: the database was not restored");
  return exit_ok;
}

} // namespace sluice::app
