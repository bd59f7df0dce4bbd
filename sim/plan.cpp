#include "sim/plan.hpp"

namespace sluice::sim {

using namespace std::chrono_literals;

config::settings simulated_settings() {
  config::settings made;
  made.database.readers = 1;
  made.delivery.dispatch_interval = 60s; // commits are hinted; the tick is for what no hint told
  made.delivery.scan_batch_size = 25;
  made.delivery.drain_chunk_size = 20;
  made.delivery.scan_examine_limit = 60;
  made.delivery.batches_in_hand = 3;
  made.delivery.retry_schedule = {20s, 1min, 5min, 10min};
  auto& pushes = made.subscriptions;
  pushes.fan_out_interval = 60s;
  pushes.fan_out_events_max = 20;
  pushes.fan_out_deliveries_max = 7; // less than an event's, at times
  pushes.max_in_flight = 4;
  pushes.claims_max = 8;
  pushes.active_max = 2;
  pushes.failing_max = 1;
  pushes.lease = 2min;
  pushes.retry_schedule = {20s, 1min, 5min, 10min};
  pushes.asked_beyond_max = 2min;
  pushes.dead_threshold = 5;
  pushes.secret_overlap = 20min;
  auto& sends = made.notifications;
  sends.max_in_flight = 4;
  sends.claims_max = 8;
  sends.active_max = 3;
  sends.failing_max = 2;
  sends.lease = 2min;
  sends.retry_schedule = {20s, 1min, 5min};
  sends.asked_beyond_max = 2min;
  sends.reconcile_schedule = {1min, 5min, 20min, 1h};
  sends.reconcile_batch = 5;
  sends.sms_callback_patience = 1h;
  sends.webhook_callback_patience = 1h;
  made.callbacks.batch_max = 5;
  made.callbacks.project_batch = 10;
  made.circuit.cooldown = 20s;
  made.circuit.cooldown_max = 2min;
  return made;
}

checker_settings checked_settings(const config::settings& settings) {
  checker_settings made;
  made.retry_waits = settings.delivery.retry_schedule;
  made.settle_after = settings.delivery.settle_after;
  made.call_timeout = settings.calls.call_timeout;
  made.default_block = settings.throttle.default_block;
  constexpr std::size_t recovered = 1000; // creates a crash left are settled at once, however many
  made.calls_out_max = static_cast<std::size_t>(settings.delivery.batches_in_hand)
                           * static_cast<std::size_t>(settings.delivery.scan_batch_size)
                       + recovered;
  made.messages_max = 500;
  made.volume = {settings.volume.floor, settings.volume.share, settings.volume.window};
  return made;
}

std::string mapping_text(const plan::rule& of, std::int64_t revision) {
  auto text = R"({"external_id":{"template":"{source_id}"},"version":{"from":"/v"},)"
              R"("email":{"from":"/email","required":true},"mapped":{"value":")"
              + std::to_string(revision) + R"("})";
  if (of.maps_parent)
    text += R"(,"parent":{"anchor":")" + of.options.anchor_domain + R"("})";
  return text + "}";
}

namespace {

harness::target_options draw_target(dice& from) {
  constexpr std::int64_t budgets[] = {0, 0, 60, 200};
  harness::target_options made;
  made.requests_per_minute = from.pick(budgets);
  made.lookup = from.chance(0.7);
  made.idempotency_key = from.chance(0.5);
  made.oauth2 = from.chance(0.2);
  return made;
}

plan::rule draw_rule(dice& from, std::string name, std::string domain, std::size_t target) {
  constexpr core::delete_policy policies[] = {core::delete_policy::delete_record,
                                              core::delete_policy::delete_record,
                                              core::delete_policy::deactivate, core::delete_policy::ignore};
  plan::rule made;
  made.name = std::move(name);
  made.target = target;
  made.options.domain = std::move(domain);
  made.options.target = target == 0 ? "crm" : "erp";
  made.options.mapping = mapping_text(made, 1);
  made.options.updates = from.chance(0.15) ? core::update_mode::create_only : core::update_mode::overwrite;
  made.options.deletes = from.pick(policies);
  made.may_filter = from.chance(0.4);
  if (made.may_filter)
    made.options.filter = tier_filter;
  return made;
}

/// Records of customers, which wait for them.
void draw_dependent(dice& from, plan& into) {
  auto rule = draw_rule(from, "addresses", "addresses", 0);
  rule.maps_parent = from.chance(0.5);
  rule.options.anchor_domain = "customers";
  rule.options.anchor_pointer = "/parent";
  rule.options.mapping = mapping_text(rule, 1);
  into.domains.push_back({"addresses", "customers"});
  into.rules.push_back(std::move(rule));
}

} // namespace

plan draw_plan(dice& from) {
  plan made;
  made.settings = simulated_settings();
  constexpr std::int64_t floors[] = {8, 25, 1'000'000}; // an hour; 20 to 40 records are deleted in one
  made.settings.volume.floor = from.pick(floors);
  made.targets.push_back({"crm", draw_target(from)});
  made.domains.push_back({"customers", {}});
  made.rules.push_back(draw_rule(from, "customers", "customers", 0));
  if (from.chance(0.4))
    draw_dependent(from, made);
  if (from.chance(0.25)) {
    made.domains.push_back({"orders", {}});
    made.rules.push_back(draw_rule(from, "orders", "orders", 0));
  }
  if (from.chance(0.3)) {
    made.targets.push_back({"erp", draw_target(from)});
    made.rules.push_back(draw_rule(from, "ledger", "customers", 1));
  }
  return made;
}

} // namespace sluice::sim
