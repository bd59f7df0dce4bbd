#include "app/doctor.hpp"

#include "app/after_restore.hpp"
#include "app/command_context.hpp"
#include "app/doctor_database.hpp"
#include "app/doctor_delivery.hpp"
#include "app/doctor_machine.hpp"
#include "app/doctor_mirror.hpp"
#include "storage/node_state.hpp"
#include "storage/restore.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

namespace sluice::app {
namespace {

using storage::engine;

/// One look at an installation, from the settings inwards: what needs the next step ends where that fails.
class checkup {
public:
  checkup(const config::settings& settings, bool mirror) : settings_{settings}, mirror_{mirror} {}

  findings run() {
    add(well("settings", "the settings are well"));
    add(judge_open_files(open_files_limit(), settings_));
    if (!open_database())
      return std::move(found_);
    look_at_engine();
    look_at_node();
    if (look_at_schema()) {
      look_at_keys();
      look_at_rules();
      look_at_restore();
      if (mirror_)
        look_at_mirror();
    }
    return std::move(found_);
  }

private:
  void add(finding one) { found_.push_back(std::move(one)); }
  void add(findings several) { std::ranges::move(several, std::back_inserter(found_)); }

  /// The value, or nothing and a finding that says so.
  template <class T>
  std::optional<T> known(const std::string& check, storage::result<T> answer) {
    if (answer)
      return std::move(*answer);
    add(wrong(check, answer.error().detail,
              "look at the database's own log, then run `sluice doctor` again"));
    return std::nullopt;
  }

  bool open_database() {
    const auto where = database_of(settings_);
    if (!where) {
      add(wrong("database", where.error(), "correct database.url"));
      return false;
    }
    where_ = *where;
    const bool file = where_.kind == engine::sqlite;
    if (file && !std::filesystem::exists(where_.target)) { // opening it would make it
      add(wrong("database", "there is no database at " + where_.target,
                "run `sluice migrate` as the user the node runs as, or correct database.url"));
      return false;
    }
    auto opened = storage::session::open(where_, storage::access::read);
    if (!opened) {
      add(wrong("database", opened.error().detail,
                "check that the database runs, that database.url is right and that this user may open it"));
      return false;
    }
    db_.emplace(std::move(*opened));
    add(well("database", "the database answers"));
    return true;
  }

  void look_at_engine() {
    if (where_.kind == engine::sqlite) {
      if (const auto facts = known("integrity", storage::read_sqlite_facts(*db_)))
        add(judge_sqlite(*facts));
      const auto disk = read_disk(where_.target);
      add(disk ? judge_disk(*disk) : wrong("disk", disk.error(), "look at the folder's rights"));
    } else if (const auto facts = known("server", storage::read_postgresql_facts(*db_))) {
      add(judge_postgresql(*facts, settings_));
    }
    if (const auto now = known("clock", storage::read_clock(*db_)))
      add(judge_clock(*now - wall_now()));
  }

  void look_at_node() {
    node_facts node;
    if (where_.kind == engine::sqlite)
      node.lock_holder = storage::file_lock::holder(where_.target);
    else
      node.lease = storage::read_lease(*db_, storage::node_shard).value_or(std::nullopt);
    if (const auto beat = storage::read_heartbeat(*db_, "dispatcher"); beat && *beat)
      node.heartbeat = wall_now() - **beat;
    add(judge_node(node, settings_));
    const auto address =
        settings_.api.listen.empty() ? listening::free : look_at_address(settings_.api.listen);
    add(judge_address(settings_, address, node.running()));
  }

  bool look_at_schema() {
    const auto versions = known("schema", storage::read_schema_versions(*db_));
    if (!versions)
      return false;
    add(judge_schema(*versions));
    if (versions->applied != versions->known)
      return false;
    if (const auto deviations = known("triggers", storage::read_schema_deviations(*db_)))
      add(judge_deviations(*deviations));
    return true;
  }

  void look_at_keys() {
    const auto keys = read_keys(settings_);
    if (!keys) {
      add(wrong("keys", keys.error(), "correct keys.keys or the file of keys.keys_file"));
      return;
    }
    if (const auto fingerprints = read_fingerprint_keys(settings_); !fingerprints)
      add(wrong("keys", fingerprints.error(),
                "correct keys.fingerprint_keys or the file of keys.fingerprint_keys_file"));
    const auto* sealing = keys->sealing_key();
    if (const auto sealed = known("keys", storage::read_sealed_credentials(*db_, *keys)))
      add(judge_credentials(*sealed, sealing == nullptr ? std::string{} : sealing->name()));
  }

  void look_at_rules() {
    auto rules = known("rules", storage::read_rules_between(*db_));
    if (!rules)
      return;
    rules_ = std::move(*rules);
    const auto overlap = settings_.delivery.scan_overlap;
    const auto before = found_.size();
    for (const auto& one : rules_) {
      auto late = one.source_connected ? storage::read_late_records(*db_, one.rule, overlap)
                                       : storage::result<storage::counted_records>{};
      if (const auto records = known("late", std::move(late)))
        add(judge_rule(one, *records, overlap));
    }
    if (found_.size() == before)
      add(well("rules",
               grouped(std::ssize(rules_)) + " active rules have what they need, and passed no record by"));
  }

  void look_at_restore() {
    const auto since = known("restore", storage::restored_at(*db_));
    if (since && *since)
      add(noted("restore", "restored at " + core::to_rfc3339(**since)
                               + ": records are looked up before they are created, until `sluice doctor "
                                 "--after-restore --over`"));
  }

  void look_at_mirror() {
    const auto faults = known("mirror", storage::read_mirror_faults(*db_, wall_now()));
    const auto unread = known("mirror", storage::read_unread_domains(*db_));
    if (faults && unread)
      add(judge_mirror(*faults, *unread));
    for (const auto& one : rules_)
      if (const auto removed = known("mirror", storage::read_removed_records(*db_, one.rule)))
        add(judge_removed(one.rule.name, *removed));
  }

  const config::settings& settings_;
  bool mirror_;
  storage::database where_;
  std::optional<storage::session> db_;
  std::vector<storage::rule_between> rules_; ///< once they are looked at
  findings found_;
};

std::string_view word(finding::gravity what) {
  switch (what) {
  case finding::gravity::well:
    return "ok";
  case finding::gravity::noted:
    return "note";
  case finding::gravity::wrong:
    return "WRONG";
  }
  return "?";
}

std::string coloured(std::string_view text, finding::gravity what, const output_style& style) {
  if (!style.colour)
    return std::string{text};
  const auto* code = what == finding::gravity::wrong   ? "\033[31m"
                     : what == finding::gravity::noted ? "\033[33m"
                                                       : "\033[32m";
  return code + std::string{text} + "\033[0m";
}

void print_findings(const findings& found, bool content, const output_style& style) {
  if (style.json) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& one : found)
      list.push_back(
          {{"check", one.check},
           {"result", one.what == finding::gravity::wrong ? "wrong" : word(one.what)},
           {"says", one.says},
           {"do", one.to_do.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(one.to_do)}});
    print_json({{"content", content}, {"findings", list}});
    return;
  }
  constexpr std::size_t check_width = 11;
  for (const auto& one : found) {
    const std::string mark = std::string{word(one.what)} + std::string(6 - word(one.what).size(), ' ');
    const auto check = one.check + std::string(check_width - std::min(check_width, one.check.size()), ' ');
    print_line(coloured(mark, one.what, style) + check + printable(one.says));
    if (!one.to_do.empty())
      print_line(std::string(6 + check_width, ' ') + "do: " + printable(one.to_do));
  }
  print_line(content ? "all is well" : "there is something to do");
}

findings settings_faults(const std::vector<std::string>& faults) {
  findings found;
  for (const auto& fault : faults)
    found.push_back(wrong("settings", fault, "correct it; `sluice config default` shows every setting"));
  return found;
}

} // namespace

int doctor(const std::expected<config::settings, std::vector<std::string>>& settings,
           const doctor_options& options, const output_style& style) {
  if (settings && options.after_restore) {
    const command_context context{*settings, style};
    return options.over ? end_after_restore(context) : begin_after_restore(context);
  }
  const auto found = settings ? checkup{*settings, options.mirror}.run() : settings_faults(settings.error());
  const bool content =
      std::ranges::none_of(found, [](const finding& one) { return one.what == finding::gravity::wrong; });
  print_findings(found, content, style);
  return content ? exit_ok : exit_refused;
}

} // namespace sluice::app
