#include "app/apply.hpp"

#include "app/confirmation.hpp"
#include "app/writer_check.hpp"
#include "config/apply_file.hpp"
#include "storage/rules.hpp"

#include <algorithm>
#include <vector>

namespace sluice::app {
namespace {

using change_list = std::vector<storage::configuration_change>;

storage::configuration as_configuration(const config::apply_plan& plan) {
  storage::configuration out{.tenants = plan.tenants, .connections = plan.connections, .rules = {}};
  for (const auto& [rule, source, target] : plan.rules) {
    out.rules.push_back({rule, source, target});
  }
  return out;
}

bool is_change(const storage::configuration_change& change) {
  return change.what != "same";
}

bool same_changes(const change_list& a, const change_list& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.kind == y.kind && x.name == y.name && x.what == y.what && x.fields == y.fields;
  });
}

/// Applies a plan to a session. Every attempt runs in a transaction; the rehearsal's is rolled back.
class applier {
public:
  applier(storage::session& db, const config::apply_plan& plan, const crypto::key_ring& keys)
      : db_{db}, plan_{as_configuration(plan)}, keys_{keys} {}

  /// What would change, found by doing it and taking it back.
  storage::result<change_list> rehearse() {
    if (auto begun = db_.begin(); !begun) {
      return std::unexpected{begun.error()};
    }
    auto changes = write();
    db_.rollback();
    return changes;
  }

  /// Keeps it, if what changes is still what was shown.
  storage::result<change_list> keep(const change_list& shown) {
    return storage::transact(db_, [&](storage::session&) -> storage::result<change_list> {
      auto changes = write();
      if (changes && !same_changes(*changes, shown)) {
        return std::unexpected{
            storage::failure{storage::error::refused,
                             "the configuration was changed by somebody else meanwhile; apply again"}};
      }
      return changes;
    });
  }

  [[nodiscard]] const std::vector<std::string>& writer_faults() const noexcept { return writer_faults_; }

private:
  storage::result<change_list> write() {
    writer_faults_.clear();
    auto changes = storage::apply_configuration(db_, plan_, keys_, wall_now(), true);
    if (!changes) {
      return changes;
    }
    if (auto checked = check_writers(); !checked) {
      return std::unexpected{checked.error()};
    }
    if (!writer_faults_.empty()) {
      return std::unexpected{storage::failure{storage::error::refused, "a target's settings are not usable"}};
    }
    return changes;
  }

  storage::result<void> check_writers() {
    for (const auto& [wish, source, target] : plan_.rules) {
      const auto rule = storage::find_rule(db_, wish.name);
      if (!rule) {
        return std::unexpected{rule.error()};
      }
      auto faults = app::writer_faults(db_, **rule, keys_); // it was written a moment ago
      if (!faults) {
        return std::unexpected{faults.error()};
      }
      std::ranges::move(*faults, std::back_inserter(writer_faults_));
    }
    return {};
  }

  storage::session& db_;
  storage::configuration plan_;
  const crypto::key_ring& keys_;
  std::vector<std::string> writer_faults_;
};

std::string fields_text(const storage::configuration_change& change) {
  std::string out;
  for (const auto& field : change.fields) {
    out += (out.empty() ? "" : ", ") + field;
  }
  return out;
}

void show(const command_context& context, const change_list& changes) {
  text_table table{{"change", "kind", "name", "fields"}};
  for (const auto& change : changes) {
    if (is_change(change)) {
      table.add({change.what, change.kind, change.name, fields_text(change)});
    }
  }
  table.print(context.style);
}

int show_json(const change_list& changes, bool applied) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& change : changes) {
    list.push_back(
        {{"kind", change.kind}, {"name", change.name}, {"change", change.what}, {"fields", change.fields}});
  }
  print_json({{"changes", list}, {"applied", applied}});
  return exit_ok;
}

int refuse(const applier& work, const storage::failure& failure) {
  if (work.writer_faults().empty()) {
    return report("nothing was applied", failure);
  }
  print_error("nothing was applied", work.writer_faults(),
              "correct the settings or credentials of these connections");
  return exit_refused;
}

/// Whether to go on; prints why not.
bool agreed(const command_context& context, const apply_options& options) {
  return options.yes
         || confirmed(context, "apply these changes?", "nothing was applied",
                      "look at the difference and apply with --yes");
}

} // namespace

int apply(const command_context& context, const apply_options& options) {
  const auto plan = config::read_apply_file(options.file, config::process_environment());
  if (!plan) {
    print_error("nothing was applied: " + options.file + " has faults", plan.error(),
                "correct them and apply again");
    return exit_refused;
  }
  const auto keys = open_keys(context.settings);
  if (!keys) {
    return keys.error();
  }
  auto db = open_session(context, storage::access::write);
  if (!db) {
    return db.error();
  }
  applier work{*db, *plan, *keys};
  const auto changes = work.rehearse();
  if (!changes) {
    return refuse(work, changes.error());
  }
  if (std::ranges::none_of(*changes, is_change)) {
    if (context.style.json) {
      return show_json(*changes, false);
    }
    print_line("nothing to change");
    return exit_ok;
  }
  if (!context.style.json) {
    show(context, *changes);
  }
  if (!agreed(context, options)) {
    if (context.style.json) {
      (void)show_json(*changes, false);
    }
    return exit_refused;
  }
  if (const auto kept = work.keep(*changes); !kept) {
    return refuse(work, kept.error());
  }
  if (context.style.json) {
    return show_json(*changes, true);
  }
  print_line("applied " + grouped(std::ranges::count_if(*changes, is_change)) + " changes");
  return exit_ok;
}

} // namespace sluice::app
