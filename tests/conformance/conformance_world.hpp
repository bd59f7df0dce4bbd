#pragma once

#include "core/rule_state.hpp"
#include "messages/acts.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::tests {

/// Small batches, so that few records are many of them.
[[nodiscard]] harness::world_options small_batches(int size = 10);

/// A world with the words that several sections' scripts share.
struct conformance_world : catch_world {
  using catch_world::catch_world;

  /// What a person does; settled.
  template <class Answer, class Act>
  harness::asked<Answer> act(Act what) {
    auto asked = ask<Answer>(dispatcher(), std::move(what));
    settle();
    return asked;
  }
  core::delivery_stop stop(const core::stop_target& where = {});
  void resume(const core::delivery_stop& stopped);
  core::stop_target rule_scope(std::string_view rule = "customers");
  core::stop_target connection_scope(std::string_view connection = "crm");
  harness::asked<core::delivery_cursor> start_backfill(std::int64_t creates = 1'000'000, bool resend = false);
  harness::asked<core::delivery_cursor> abort_backfill();

  /// Old records, then a rule whose first activation has them to backfill.
  void add_rule_over(int count);

  [[nodiscard]] core::rule_facts facts(std::string_view rule = "customers");
  [[nodiscard]] core::installation_facts installation();
  [[nodiscard]] core::health_settings health() const;
  [[nodiscard]] core::rule_state state(std::string_view rule = "customers");
  [[nodiscard]] core::global_state global_state();

  /// What no message does: another program's hand on the database, or what time has worn away.
  std::int64_t execute(const std::string& sql);
  [[nodiscard]] bool refuses(const std::string& sql);
  [[nodiscard]] std::int64_t number(const std::string& sql);
  [[nodiscard]] std::string text(const std::string& sql);
  [[nodiscard]] std::string plan(const std::string& sql);

  /// Notes "drain", "delta" or "backfill" for each read of a rule from here on.
  void note_reads(std::vector<std::string>& into);
};

/// The sentence of a refusal.
[[nodiscard]] std::string sentence_of(const caf::error& error);

} // namespace sluice::tests
