#include "tests/conformance/conformance_world.hpp"

#include "storage/health.hpp"
#include "storage/soci_session.hpp"

#include <catch2/catch.hpp>

namespace sluice::tests {

namespace m = messages;

harness::world_options small_batches(int size) {
  harness::world_options options;
  options.settings.delivery.scan_batch_size = size;
  options.settings.delivery.drain_chunk_size = size;
  options.settings.delivery.batches_in_hand = 2;
  return options;
}

std::string sentence_of(const caf::error& error) {
  return error.context().get_as<std::string>(0);
}

core::delivery_stop conformance_world::stop(const core::stop_target& where) {
  auto set = act<core::stop_in_force>(m::set_stop{{where, "a look first", "ada"}});
  REQUIRE(set.answered());
  return set.value().stop;
}

void conformance_world::resume(const core::delivery_stop& stopped) {
  REQUIRE(act<core::delivery_stop>(m::end_stop{stopped.public_id, {}, "bob"}).answered());
}

core::stop_target conformance_world::rule_scope(std::string_view rule) {
  return {core::stop_scope::rule, {}, rule_id(rule)};
}

core::stop_target conformance_world::connection_scope(std::string_view connection) {
  return {core::stop_scope::connection, connection_id(connection), {}};
}

harness::asked<core::delivery_cursor> conformance_world::start_backfill(std::int64_t creates, bool resend) {
  core::backfill_start wanted;
  wanted.rule = rule_id();
  wanted.until = now();
  wanted.resend = resend;
  wanted.creates = creates;
  wanted.by = "ada";
  return act<core::delivery_cursor>(m::start_backfill{wanted});
}

harness::asked<core::delivery_cursor> conformance_world::abort_backfill() {
  return act<core::delivery_cursor>(m::abort_backfill{rule_id(), "ada"});
}

void conformance_world::add_rule_over(int count) {
  add_source();
  put_records(count);
  advance(std::chrono::hours{1});
  add_rule();
}

core::rule_facts conformance_world::facts(std::string_view rule) {
  auto found = must(storage::read_rule_facts(db(), rule_id(rule)));
  REQUIRE(found.size() == 1);
  return found.front();
}

core::installation_facts conformance_world::installation() {
  return must(storage::read_installation_facts(db()));
}

core::health_settings conformance_world::health() const {
  return {settings().delivery.stale_after, settings().delivery.heartbeat_stale_after};
}

core::rule_state conformance_world::state(std::string_view rule) {
  return core::state_of(facts(rule), installation(), health(), now());
}

core::global_state conformance_world::global_state() {
  auto rules = must(storage::read_rule_facts(db(), std::nullopt));
  return core::global_state_of(rules, installation(), health(), now());
}

std::int64_t conformance_world::execute(const std::string& sql) {
  return must(storage::transact(db(), [&](storage::session& within) {
    return storage::guarded(within, "Executing", [&] { return storage::query(within, sql).run(); });
  }));
}

bool conformance_world::refuses(const std::string& sql) {
  return !storage::transact(db(), [&](storage::session& within) {
    return storage::guarded(within, "Executing", [&] { return storage::query(within, sql).run(); });
  });
}

std::int64_t conformance_world::number(const std::string& sql) {
  return must(storage::guarded(db(), "Asking", [&] {
    std::int64_t found = 0;
    storage::query(db(), sql).into(found).run();
    return found;
  }));
}

std::string conformance_world::text(const std::string& sql) {
  return must(storage::guarded(db(), "Asking", [&] {
    std::string all;
    std::string one;
    storage::query rows(db(), sql);
    rows.into(one);
    while (rows.next())
      all += one + "\n";
    return all;
  }));
}

std::string conformance_world::plan(const std::string& sql) {
  return must(storage::guarded(db(), "Explaining", [&] {
    std::string all;
    std::string detail;
    std::int64_t other = 0;
    storage::query rows(db(), "EXPLAIN QUERY PLAN " + sql);
    rows.into(other).into(other).into(other).into(detail);
    while (rows.next())
      all += detail + "\n";
    return all;
  }));
}

void conformance_world::note_reads(std::vector<std::string>& into) {
  its_stage().show_to([&into](caf::mailbox_element& element, const caf::abstract_actor&) {
    const auto& content = element.content();
    if (content.match_elements<m::read_due>())
      into.emplace_back("drain");
    else if (content.match_elements<m::read_scan>())
      into.emplace_back(core::to_string(content.get_as<m::read_scan>(0).step));
  });
}

} // namespace sluice::tests
