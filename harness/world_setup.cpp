#include "actors/notification_dispatcher.hpp"
#include "actors/push_dispatcher.hpp"
#include "harness/world.hpp"
#include "storage/cursor.hpp"
#include "storage/intents.hpp"
#include "storage/ledger.hpp"
#include "storage/mirror.hpp"
#include "storage/stops.hpp"

#include <utility>

/// The half of world that sets it up and looks at it.
namespace sluice::harness {

namespace m = messages;

namespace {

constexpr const char* tenant = "acme";
constexpr std::int64_t everything = 1'000'000;

core::connection connection_named(const std::string& name, const char* driver) {
  core::connection made;
  made.tenant = tenant;
  made.name = name;
  made.driver = driver;
  made.settings = "{}";
  return made;
}

std::string payload_of(const std::string& source_id, const std::string& tag) {
  return R"({"id":")" + source_id + R"(","email":")" + source_id + tag + R"(@example.com"})";
}

} // namespace

void world::apply(const storage::configuration& plan) {
  must(storage::transact(*db_, [&](storage::session& db) {
    return storage::apply_configuration(db, plan, *keys_, now(), true);
  }));
  hint();
}

void world::add_tenant(const std::string& name) {
  storage::configuration plan;
  plan.tenants = {name};
  apply(plan);
}

void world::add_source(const std::string& name) {
  storage::configuration plan;
  plan.tenants = {tenant};
  plan.connections = {connection_named(name, "mirror")};
  apply(plan);
}

scripted_target& world::add_target(const std::string& name, target_options options) {
  auto& made = targets_[name];
  made = std::make_unique<scripted_target>(name, std::move(options));
  auto connection = connection_named(name, "rest");
  connection.settings = made->settings_text();
  connection.credentials = made->credentials_text();
  storage::configuration plan;
  plan.tenants = {tenant};
  plan.connections = {std::move(connection)};
  apply(plan);
  target_of_[connection_id(name)] = made.get();
  return *made;
}

scripted_target& world::add_endpoint(const std::string& name, std::string url_prefix) {
  auto& made = targets_[name];
  made = std::make_unique<scripted_target>(name, target_options{});
  endpoints_[std::move(url_prefix)] = made.get();
  return *made;
}

core::rule_id world::add_rule(const std::string& name, const rule_options& options) {
  if (!must(storage::find_connection(*db_, options.source)))
    add_source(options.source);
  if (!targets_.contains(options.target))
    add_target(options.target);
  storage::configuration::rule rule;
  rule.source_name = options.source;
  rule.target_name = options.target;
  rule.rule.name = name;
  rule.rule.domain = options.domain;
  rule.rule.active = options.active;
  rule.rule.updates = options.updates;
  rule.rule.deletes = options.deletes;
  rule.rule.mapping = options.mapping;
  rule.rule.filter = options.filter;
  rule.rule.anchor_domain = options.anchor_domain;
  rule.rule.anchor_pointer = options.anchor_pointer;
  storage::configuration plan;
  plan.rules = {std::move(rule)};
  apply(plan);
  auto stored = must(storage::find_rule(*db_, name));
  if (!stored)
    fail("rule " + name + " was not stored");
  return rule_ids_[name] = stored->id;
}

void world::set_connection_status(const std::string& name, core::connection_status to) {
  auto from = connection(name);
  auto changed = must(storage::transact(*db_, [&](storage::session& db) {
    return storage::set_connection_status(db, from.id, from.status, to, "the test says so", now());
  }));
  if (!changed)
    fail("connection " + name + " did not change its status");
  hint();
}

scripted_target& world::target(const std::string& name) {
  auto found = targets_.find(name);
  if (found == targets_.end())
    fail("the world has no target " + name);
  return *found->second;
}

void world::put_record(const std::string& source_id, const std::string& tag, const record_place& in) {
  put_payload(source_id, payload_of(source_id, tag), in);
}

void world::put_payload(const std::string& source_id, std::string payload, const record_place& in) {
  put_payloads({{source_id, std::move(payload)}}, in);
}

void world::put_records(int count, const std::string& prefix, const record_place& in) {
  std::vector<storage::incoming_record> batch;
  for (int i = 1; i <= count; ++i) {
    auto id = prefix + std::to_string(i);
    batch.push_back({id, payload_of(id, {})});
  }
  put_payloads(std::move(batch), in);
}

void world::put_payloads(std::vector<storage::incoming_record> batch, const record_place& in) {
  auto source = connection_id(in.source);
  must(storage::transact(*db_, [&](storage::session& db) {
    return storage::upsert_records(db, source, in.domain, batch, now());
  }));
  hint();
}

void world::delete_record(const std::string& source_id, const record_place& in) {
  delete_records({source_id}, in);
}

void world::delete_records(const std::vector<std::string>& source_ids, const record_place& in) {
  auto source = connection_id(in.source);
  must(storage::transact(*db_, [&](storage::session& db) {
    return storage::delete_records(db, source, in.domain, source_ids, now());
  }));
  hint();
}

void world::delete_records(int count, const std::string& prefix, const record_place& in) {
  std::vector<std::string> ids;
  for (int i = 1; i <= count; ++i)
    ids.push_back(prefix + std::to_string(i));
  delete_records(ids, in);
}

core::rule_id world::rule_id(std::string_view rule) {
  auto found = rule_ids_.find(rule);
  if (found == rule_ids_.end())
    fail("the world has no rule " + std::string{rule});
  return found->second;
}

core::connection world::connection(std::string_view name) {
  auto found = must(storage::find_connection(*db_, name));
  if (!found)
    fail("the world has no connection " + std::string{name});
  return *found;
}

core::connection_id world::connection_id(std::string_view name) {
  return connection(name).id;
}

std::optional<core::ledger_row> world::row(std::string_view source_id, std::string_view rule) {
  return must(storage::find_ledger_row(*db_, rule_id(rule), source_id));
}

std::string world::status(std::string_view source_id, std::string_view rule) {
  auto found = row(source_id, rule);
  return found ? std::string{to_string(found->status)} : "none";
}

std::int64_t world::count_rows(core::delivery_status status, std::string_view rule) {
  auto counts = must(storage::count_ledger(*db_, rule_id(rule)));
  auto found = counts.find(status);
  return found == counts.end() ? 0 : found->second;
}

std::vector<storage::listed_run> world::runs(std::string_view rule) {
  return must(storage::list_runs(*db_, rule_id(rule), everything));
}

core::delivery_cursor world::cursor(std::string_view rule) {
  auto found = must(storage::find_cursor(*db_, rule_id(rule)));
  if (!found)
    fail("rule " + std::string{rule} + " has no cursor");
  return *found;
}

std::vector<core::intent> world::intents(std::string_view rule) {
  return must(storage::read_intents(*db_, rule_id(rule), std::nullopt, everything, *keys_));
}

std::vector<core::delivery_stop> world::live_stops() {
  return must(storage::live_stops(*db_));
}

std::vector<core::delivery_stop> world::stop_history() {
  return must(storage::stop_history(
      *db_, {.cause = {}, .rule = {}, .connection = {}, .before_id = 0, .limit = everything}));
}

const actors::push_dispatcher_state& world::kept_pushes() {
  auto* actor = actor_behind(node_.pushes);
  auto* pushes = dynamic_cast<m::push_dispatcher::stateful_pointer<actors::push_dispatcher_state>>(actor);
  if (pushes == nullptr || pushes->getf(caf::abstract_actor::is_terminated_flag))
    fail("no node with subscriptions runs in this world");
  return pushes->state;
}

const actors::notification_dispatcher_state& world::kept_notifications() {
  using kept = m::notification_dispatcher::stateful_pointer<actors::notification_dispatcher_state>;
  auto* sends = dynamic_cast<kept>(actor_behind(node_.notifications));
  if (sends == nullptr || sends->getf(caf::abstract_actor::is_terminated_flag))
    fail("no node that sends notifications runs in this world");
  return sends->state;
}

m::reconciler world::reconciler() {
  return kept_notifications().reconciler_actor();
}

m::notifier world::notifier(core::provider_profile_id profile) {
  return kept_notifications().notifier_actor(profile);
}

m::fan_out world::fan_out() {
  return kept_pushes().fan_out_actor();
}

m::replayer world::replayer() {
  return kept_pushes().replayer_actor();
}

m::subscription world::subscription_actor(core::subscription_id subscription) {
  return kept_pushes().subscription_actor(subscription);
}

} // namespace sluice::harness
