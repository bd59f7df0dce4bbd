#include "storage/apply_plan.hpp"

#include "core/payload.hpp"
#include "storage/apply_subscriptions.hpp"
#include "storage/rule_set.hpp"
#include "storage/soci_session.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace sluice::storage {
namespace {

std::string quoted(std::string_view kind, std::string_view name) {
  return std::string(kind) + " \"" + std::string(name) + "\"";
}

template <class Value>
void note(std::vector<std::string>& fields, const char* field, const Value& stored, const Value& wished) {
  if (stored != wished)
    fields.emplace_back(field);
}

bool has(const std::vector<std::string>& fields, std::string_view field) {
  return std::ranges::find(fields, field) != fields.end();
}

std::pair<std::string_view, std::string_view> anchor_of(const core::sync_rule& rule) {
  return {rule.anchor_domain, rule.anchor_pointer};
}

/// The address a connection's calls go to; settings that cannot be read have none.
std::string base_url(const std::string& settings) {
  auto reader = core::payload_reader::compile({"/base_url"});
  std::vector<core::value> values;
  if (!reader || !reader->read(settings, values))
    return {};
  return values.front().text;
}

class comparison {
public:
  comparison(session& db, const configuration& wished, const crypto::key_ring& keys)
      : db_(db), wished_(wished), keys_(keys) {}

  result<apply_plan> run() {
    auto read = list_tenants(db_);
    if (!read)
      return std::unexpected{read.error()};
    tenants({read->begin(), read->end()});
    for (const auto& wish : wished_.connections)
      if (auto compared = connection(wish); !compared)
        return std::unexpected{compared.error()};
    for (const auto& wish : wished_.rules)
      if (auto compared = rule(wish); !compared)
        return std::unexpected{compared.error()};
    if (auto compared = rules_among_each_other(); !compared)
      return std::unexpected{compared.error()};
    for (const auto& wish : wished_.subscriptions)
      if (auto compared = subscription(wish); !compared)
        return std::unexpected{compared.error()};
    return std::move(plan_);
  }

private:
  void refuse(std::string sentence) { plan_.refusals.push_back(std::move(sentence)); }

  /// A name twice in one plan would make its order matter.
  bool named_twice(std::string_view kind, const std::string& name) {
    if (seen_.insert(quoted(kind, name)).second)
      return false;
    refuse(quoted(kind, name) + " is named twice.");
    return true;
  }

  void tenants(const std::set<std::string, std::less<>>& stored) {
    known_tenants_ = stored;
    for (const auto& name : wished_.tenants) {
      if (named_twice("tenant", name))
        continue;
      plan_.tenants.push_back({name, stored.contains(name)});
      known_tenants_.insert(name);
    }
  }

  result<void> connection(const core::connection& wish) {
    if (named_twice("connection", wish.name))
      return {};
    auto stored = read_connection(db_, wish.name);
    if (!stored)
      return std::unexpected{stored.error()};
    if (!known_tenants_.contains(wish.tenant))
      refuse(quoted("connection", wish.name) + " names " + quoted("tenant", wish.tenant)
             + ", which does not exist.");
    apply_plan::connection entry{wish, std::move(*stored), {}};
    if (entry.stored)
      if (auto compared = compare(entry); !compared)
        return compared;
    plan_.connections.push_back(std::move(entry));
    return {};
  }

  result<void> compare(apply_plan::connection& entry) {
    const auto& old = entry.stored->connection;
    entry.wish.id = old.id;
    entry.wish.public_id = old.public_id;
    if (entry.stored->deleted())
      refuse(quoted("connection", old.name) + " was disconnected: reconnect it first.");
    note(entry.fields, "tenant", old.tenant, entry.wish.tenant);
    note(entry.fields, "driver", old.driver, entry.wish.driver);
    note(entry.fields, "settings", old.settings, entry.wish.settings);
    if (credentials_change(old, entry.wish))
      entry.fields.emplace_back("credentials");
    const bool moves = has(entry.fields, "driver") || base_url(old.settings) != base_url(entry.wish.settings);
    if (!moves)
      return {};
    auto used = delivers(old.id);
    if (!used)
      return std::unexpected{used.error()};
    if (*used)
      refuse(
          quoted("connection", old.name)
          + " cannot get another driver or address while a rule of it has a delivery cursor: the remote ids "
            "it holds belong to the old one.");
    return {};
  }

  /// Stored credentials that cannot be opened any more are replaced by the wished ones.
  bool credentials_change(core::connection stored, const core::connection& wish) {
    if (wish.credentials.empty())
      return false;
    return !open_credentials(stored, keys_) || stored.credentials != wish.credentials;
  }

  result<bool> delivers(core::connection_id id) {
    return guarded(db_, "Looking for a connection's cursors", [&] {
      std::int64_t rule = 0;
      return query(db_, "SELECT r.id FROM sync_rules AS r JOIN delivery_cursors AS c ON c.rule_id = r.id "
                        "WHERE r.source_connection_id = :id OR r.target_connection_id = :id LIMIT 1")
          .use("id", id)
          .into(rule)
          .next();
    });
  }

  result<void> rule(const configuration::rule& wish) {
    if (named_twice("rule", wish.rule.name))
      return {};
    auto stored = read_rule(db_, wish.rule.name);
    if (!stored)
      return std::unexpected{stored.error()};
    for (const auto& name : {wish.source_name, wish.target_name})
      if (auto there = require_connection(wish.rule.name, name); !there)
        return there;
    apply_plan::rule entry{wish, std::move(*stored), {}};
    entry.wish.rule.revision = 1;
    if (entry.stored)
      compare(entry);
    plan_.rules.push_back(std::move(entry));
    return {};
  }

  void compare(apply_plan::rule& entry) {
    const auto& old = entry.stored->rule;
    auto& wish = entry.wish.rule;
    wish.id = old.id;
    wish.public_id = old.public_id;
    if (entry.stored->deleted())
      refuse(quoted("rule", old.name) + " was deleted: restore it first.");
    note(entry.fields, "source", entry.stored->source_name, entry.wish.source_name);
    note(entry.fields, "target", entry.stored->target_name, entry.wish.target_name);
    note(entry.fields, "domain", old.domain, wish.domain);
    note(entry.fields, "anchor", anchor_of(old), anchor_of(wish));
    if (entry.stored->has_cursor && !entry.fields.empty())
      refuse(quoted("rule", old.name) + " cannot change its " + entry.fields.front()
             + " any more: it has a delivery cursor. Make another rule.");
    note(entry.fields, "direction", old.direction, wish.direction);
    note(entry.fields, "active", old.active, wish.active);
    note(entry.fields, "update_mode", old.updates, wish.updates);
    note(entry.fields, "delete_policy", old.deletes, wish.deletes);
    note(entry.fields, "mapping", old.mapping, wish.mapping);
    note(entry.fields, "filter", old.filter, wish.filter);
    const bool looks_differently = has(entry.fields, "mapping") || has(entry.fields, "filter");
    wish.revision = old.revision + (looks_differently ? 1 : 0);
  }

  /// As all rules will be: those that are stored, overlaid by those of the plan.
  result<void> rules_among_each_other() {
    if (plan_.rules.empty())
      return {};
    auto stored = read_rules(db_);
    if (!stored)
      return std::unexpected{stored.error()};
    std::set<std::string_view> planned;
    std::vector<rule_among_others> rules;
    for (const auto& [wish, old, fields] : plan_.rules) {
      planned.insert(wish.rule.name);
      rules.push_back({wish.rule, wish.source_name, wish.target_name, true});
    }
    for (auto& one : *stored)
      if (!one.deleted() && !planned.contains(one.rule.name))
        rules.push_back({std::move(one.rule), std::move(one.source_name), std::move(one.target_name), false});
    std::ranges::sort(rules, {}, [](const auto& one) { return std::string_view{one.rule.name}; });
    for (auto& fault : rule_set_faults(rules))
      refuse(std::move(fault));
    return {};
  }

  result<void> subscription(const core::subscription_wish& wish) {
    const auto& tenant = wish.written.tenant;
    const auto& name = wish.written.name;
    if (named_twice(quoted("tenant", tenant) + "'s subscription", name))
      return {};
    if (!known_tenants_.contains(tenant))
      refuse(quoted("subscription", name) + " names " + quoted("tenant", tenant) + ", which does not exist.");
    auto compared = compare_subscription(db_, wish, keys_, plan_.refusals);
    if (!compared)
      return std::unexpected{compared.error()};
    plan_.subscriptions.push_back(std::move(*compared));
    return {};
  }

  result<void> require_connection(const std::string& rule, const std::string& name) {
    const auto same_name = [&](const core::connection& one) { return one.name == name; };
    if (std::ranges::any_of(wished_.connections, same_name))
      return {};
    auto found = read_connection(db_, name);
    if (!found)
      return std::unexpected{found.error()};
    if (!*found || (*found)->deleted())
      refuse(quoted("rule", rule) + " names " + quoted("connection", name) + ", which does not exist.");
    return {};
  }

  session& db_;
  const configuration& wished_;
  const crypto::key_ring& keys_;
  apply_plan plan_;
  std::set<std::string, std::less<>> known_tenants_;
  std::set<std::string> seen_;
};

} // namespace

result<apply_plan> compare_configuration(session& db, const configuration& wished,
                                         const crypto::key_ring& keys) {
  return comparison(db, wished, keys).run();
}

} // namespace sluice::storage
