#include "app/rules_command.hpp"

#include "actors/writer_check.hpp"
#include "storage/rule_lifecycle.hpp"
#include "storage/stored_rule.hpp"

namespace sluice::app {
namespace {

std::string state_of(const storage::stored_rule& one) {
  if (one.deleted()) {
    return "deleted";
  }
  return one.rule.active ? "on" : "off";
}

int say(const command_context& context, const std::string& what, const std::string& name) {
  if (context.style.json) {
    print_json({{"rule", name}, {"done", what}});
  } else {
    print_line("rule " + name + " is " + what);
  }
  return exit_ok;
}

/// Runs `act`, which returns the rule as it will be, and keeps it if the rule's target can do what it asks.
template <class Act>
int act_checked(const command_context& context, const std::string& name, const std::string& what, Act act) {
  const auto keys = open_keys(context.settings);
  if (!keys) {
    return keys.error();
  }
  auto db = open_session(context, storage::access::write);
  if (!db) {
    return db.error();
  }
  std::vector<std::string> faults;
  const auto done = storage::transact(*db, [&](storage::session& within) -> storage::result<void> {
    const storage::result<core::sync_rule> rule = act(within);
    if (!rule) {
      return std::unexpected{rule.error()};
    }
    auto found = actors::writer_faults(within, *rule, *keys);
    if (!found) {
      return std::unexpected{found.error()};
    }
    faults = actors::sentences_of(*found);
    if (!faults.empty()) {
      return std::unexpected{storage::failure{storage::error::refused, "its target is not usable"}};
    }
    return {};
  });
  if (!faults.empty()) {
    print_error("rule " + name + " is not " + what, faults,
                "correct the settings or the rule and apply them");
    return exit_refused;
  }
  return done ? say(context, what, name) : report("rule " + name + " is not " + what, done.error());
}

template <class Act>
int act_plainly(const command_context& context, const std::string& name, const std::string& what, Act act) {
  auto db = open_session(context, storage::access::write);
  if (!db) {
    return db.error();
  }
  const auto done = storage::transact(*db, act);
  return done ? say(context, what, name) : report("rule " + name + " is not " + what, done.error());
}

} // namespace

int list_rules(const command_context& context) {
  auto db = open_session(context, storage::access::read);
  if (!db) {
    return db.error();
  }
  const auto rules = storage::read_rules(*db);
  if (!rules) {
    return report("the rules cannot be read", rules.error());
  }
  auto document = nlohmann::ordered_json::array();
  text_table table{{"name", "source", "target", "domain", "direction", "deletes", "depends on", "state"}};
  for (const auto& one : *rules) {
    const auto& rule = one.rule;
    document.push_back(
        {{"name", rule.name},
         {"source", one.source_name},
         {"target", one.target_name},
         {"domain", rule.domain},
         {"direction", core::to_string(rule.direction)},
         {"update_mode", core::to_string(rule.updates)},
         {"delete_policy", core::to_string(rule.deletes)},
         {"anchor", rule.dependent() ? nlohmann::ordered_json(rule.anchor_domain) : nullptr},
         {"revision", rule.revision},
         {"state", state_of(one)},
         {"deleted_at",
          one.deleted_at ? nlohmann::ordered_json(core::to_rfc3339(*one.deleted_at)) : nullptr}});
    table.add({rule.name, one.source_name, one.target_name, rule.domain,
               std::string{core::to_string(rule.direction)}, std::string{core::to_string(rule.deletes)},
               rule.anchor_domain, state_of(one)});
  }
  if (context.style.json) {
    print_json({{"rules", document}});
  } else if (table.empty()) {
    print_line("no rule yet; `sluice apply` makes them");
  } else {
    table.print(context.style);
  }
  return exit_ok;
}

int switch_rule_on(const command_context& context, const rule_options& options) {
  return act_checked(context, options.name, "on", [&](storage::session& db) {
    return storage::switch_rule(db, options.name, storage::rule_switch::on, wall_now());
  });
}

int switch_rule_off(const command_context& context, const rule_options& options) {
  return act_plainly(context, options.name, "off", [&](storage::session& db) {
    return storage::switch_rule(db, options.name, storage::rule_switch::off, wall_now());
  });
}

int delete_rule(const command_context& context, const rule_options& options) {
  return act_plainly(context, options.name, options.force ? "removed" : "deleted", [&](storage::session& db) {
    return options.force ? storage::force_delete_rule(db, options.name)
                         : storage::delete_rule(db, options.name, wall_now());
  });
}

int restore_rule(const command_context& context, const rule_options& options) {
  return act_checked(context, options.name, "restored", [&](storage::session& db) {
    return storage::restore_rule(db, options.name, wall_now());
  });
}

} // namespace sluice::app
