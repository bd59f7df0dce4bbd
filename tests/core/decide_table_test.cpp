#include "core/decide.hpp"
#include "delivery_fixture.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

using namespace sluice::core;
using namespace sluice::core::testing;

namespace {

/// One combination in the words of the rules, next to the values decide gets.
struct combination {
  const candidate& given;
  const decide_facts& facts;
  bool filter = true;
  bool projection = true;

  [[nodiscard]] bool status(delivery_status wanted) const { return given.row && given.row->status == wanted; }
  [[nodiscard]] bool live() const { return given.record.id && !given.record.deleted_at; }
  [[nodiscard]] bool target(target_state wanted) const {
    return (given.row ? given.row->target : target_state::absent) == wanted;
  }
  [[nodiscard]] bool lacks_anchor() const { return facts.dependent && !facts.anchor_known; }
  [[nodiscard]] bool changed_since_seen() const {
    return given.row && given.row->seen_content_changed_at < given.record.content_changed_at;
  }
  [[nodiscard]] bool deletion_unconfirmed() const {
    return live() && target(target_state::inactive) && !status(delivery_status::withdrawn)
           && facts.deletes == delete_policy::delete_record;
  }
  [[nodiscard]] bool delivered_already() const {
    return given.row && given.row->delivered_content_changed_at
           && *given.row->delivered_content_changed_at >= given.record.content_changed_at;
  }
};

struct table_row {
  const char* sentence;
  bool (*applies)(const combination&);
  action expected;
};

using c = const combination&;

/// The design's table, first match wins.
const std::vector<table_row> table{
    {"no record", [](c x) { return !x.given.record.id; }, action::skip},
    {"trashed", [](c x) { return x.given.row && x.given.row->trashed; }, action::skip},
    {"ambiguous", [](c x) { return x.status(delivery_status::ambiguous); }, action::skip},
    {"exhausted", [](c x) { return x.status(delivery_status::exhausted); }, action::skip},
    {"gone, root", [](c x) { return x.status(delivery_status::remote_gone) && !x.facts.dependent; },
     action::skip},
    {"gone, dependent and unchanged",
     [](c x) { return x.status(delivery_status::remote_gone) && !x.changed_since_seen(); }, action::skip},
    {"held under a live hold", [](c x) { return x.status(delivery_status::held) && x.facts.hold_live; },
     action::skip},
    {"waiting for its retry",
     [](c x) { return x.status(delivery_status::failed) && x.given.row->next_attempt_at > now; },
     action::skip},
    {"filtered before",
     [](c x) {
       return x.live() && x.status(delivery_status::filtered) && !x.changed_since_seen()
              && x.given.row->seen_revision == x.facts.revision;
     },
     action::skip},
    {"filter says no", [](c x) { return x.live() && !x.filter; }, action::filter},
    {"absent, no anchor", [](c x) { return x.live() && x.target(target_state::absent) && x.lacks_anchor(); },
     action::await},
    {"absent, no projection", [](c x) { return x.live() && x.target(target_state::absent) && !x.projection; },
     action::refuse},
    {"absent", [](c x) { return x.live() && x.target(target_state::absent); }, action::create},
    {"unconfirmed deletion, no anchor to write",
     [](c x) { return x.deletion_unconfirmed() && x.facts.anchor_needed && x.lacks_anchor(); },
     action::await},
    {"unconfirmed deletion, no projection", [](c x) { return x.deletion_unconfirmed() && !x.projection; },
     action::refuse},
    {"unconfirmed deletion", [](c x) { return x.deletion_unconfirmed(); }, action::update},
    {"inactive", [](c x) { return x.live() && x.target(target_state::inactive); }, action::reactivate},
    {"active, create only", [](c x) { return x.live() && x.facts.updates == update_mode::create_only; },
     action::suppress},
    {"active, version there",
     [](c x) {
       return x.live() && x.delivered_already() && !(x.facts.resend && x.facts.step == step_kind::backfill);
     },
     action::suppress},
    {"active, no anchor to write", [](c x) { return x.live() && x.facts.anchor_needed && x.lacks_anchor(); },
     action::await},
    {"active, no projection", [](c x) { return x.live() && !x.projection; }, action::refuse},
    {"active", [](c x) { return x.live(); }, action::update},
    {"policy ignores", [](c x) { return x.facts.deletes == delete_policy::ignore; }, action::skip},
    {"not the source's deletion", [](c x) { return x.given.record.reason != deletion_reason::source_event; },
     action::skip},
    {"nothing to withdraw", [](c x) { return x.target(target_state::absent); }, action::skip},
    {"withdrawn already", [](c x) { return x.status(delivery_status::withdrawn); }, action::skip},
    {"hold in force", [](c x) { return x.facts.hold_live; }, action::hold},
    {"allowance used up", [](c x) { return !x.facts.withdrawal_allowed; }, action::hold},
    {"tombstone", [](c) { return true; }, action::withdraw},
};

[[nodiscard]] std::vector<std::optional<ledger_row>> every_row() {
  std::vector<std::optional<ledger_row>> rows{std::nullopt};
  for (int status = 0; status <= static_cast<int>(delivery_status::exhausted); ++status)
    for (const auto target : {target_state::absent, target_state::active, target_state::inactive})
      for (int bits = 0; bits < 8; ++bits)
        for (const auto& delivered :
             {std::optional<timestamp>{}, std::optional{before_change}, std::optional{changed}})
          for (const auto& next : {std::optional<timestamp>{}, std::optional{now}, std::optional{now + 1s}}) {
            ledger_row row = row_of(static_cast<delivery_status>(status), target);
            if (next && !may_wait(row.status))
              continue;
            row.trashed = (bits & 1) != 0;
            row.seen_content_changed_at = (bits & 2) != 0 ? changed : before_change;
            row.seen_revision = (bits & 4) != 0 ? 2 : 1;
            row.delivered_content_changed_at = delivered;
            row.next_attempt_at = next;
            rows.emplace_back(row);
          }
  return rows;
}

[[nodiscard]] std::vector<decide_facts> every_fact() {
  std::vector<decide_facts> all;
  for (int bits = 0; bits < 256; ++bits)
    for (const auto deletes :
         {delete_policy::ignore, delete_policy::delete_record, delete_policy::deactivate})
      for (const auto step : {step_kind::settle, step_kind::drain, step_kind::delta, step_kind::backfill}) {
        decide_facts facts;
        facts.step = step;
        facts.deletes = deletes;
        facts.revision = 2;
        facts.updates = (bits & 1) != 0 ? update_mode::create_only : update_mode::overwrite;
        facts.dependent = (bits & 2) != 0;
        facts.anchor_known = (bits & 4) != 0;
        facts.hold_live = (bits & 8) != 0;
        facts.withdrawal_allowed = (bits & 16) != 0;
        const bool filter = (bits & 32) != 0;
        const bool projection = (bits & 64) != 0;
        facts.anchor_needed = (bits & 128) != 0;
        facts.filter_passes = [filter] { return filter; };
        facts.projects = [projection] { return projection; };
        all.push_back(facts);
        if (step == step_kind::delta || step == step_kind::backfill) {
          facts.resend = true;
          all.push_back(facts);
        }
      }
  return all;
}

template <class Check>
void for_every_combination(Check check) {
  const auto rows = every_row();
  const auto all_facts = every_fact();
  const std::array records{mirror_record{}, live_record(), tombstone(),
                           tombstone(deletion_reason::disconnect), tombstone(deletion_reason::none)};
  for (const auto& record : records)
    for (const auto& row : rows) {
      const candidate given{.record = record, .row = row};
      for (const auto& facts : all_facts)
        check(combination{
            .given = given, .facts = facts, .filter = facts.filter_passes(), .projection = facts.projects()});
    }
}

[[nodiscard]] std::string describe(const combination& x, action got, const char* expected_by) {
  std::string text = "got " + std::string{to_string(got)} + ", table row: " + expected_by;
  text += x.given.row ? ", status " + std::string{to_string(x.given.row->status)} + ", target "
                            + std::string{to_string(x.given.row->target)}
                      : ", no row";
  text += x.live() ? ", live" : ", not live";
  return text + ", step " + std::string{to_string(x.facts.step)};
}

[[nodiscard]] bool makes_a_call(action what) {
  return what == action::create || what == action::update || what == action::withdraw
         || what == action::reactivate;
}

} // namespace

TEST_CASE("decide follows the design's table in every combination") {
  std::vector<std::int64_t> used(table.size());
  std::int64_t wrong = 0;
  for_every_combination([&](const combination& x) {
    std::size_t index = 0;
    while (!table[index].applies(x))
      ++index;
    ++used[index];
    const action got = decide(x.given, x.facts, now);
    if (got != table[index].expected && ++wrong == 1)
      FAIL_CHECK(describe(x, got, table[index].sentence));
  });
  CHECK(wrong == 0);
  for (std::size_t index = 0; index < table.size(); ++index) {
    INFO(table[index].sentence);
    CHECK(used[index] > 0);
  }
}

TEST_CASE("no call is made where one is forbidden, in no combination") {
  std::int64_t wrong = 0;
  for_every_combination([&](const combination& x) {
    const action got = decide(x.given, x.facts, now);
    const auto& row = x.given.row;
    bool allowed = true;
    if (row && makes_a_call(got))
      allowed = !row->trashed && row->status != delivery_status::ambiguous
                && row->status != delivery_status::exhausted
                && (row->status != delivery_status::remote_gone || x.facts.dependent)
                && !(row->status == delivery_status::failed && row->next_attempt_at > now);
    if (got == action::withdraw)
      allowed = allowed && row && row->target != target_state::absent && !x.facts.hold_live
                && x.facts.withdrawal_allowed && x.given.record.reason == deletion_reason::source_event
                && x.facts.deletes != delete_policy::ignore;
    if (got == action::create)
      allowed = allowed && x.live() && (!row || row->target == target_state::absent);
    if (got == action::update || got == action::reactivate)
      allowed = allowed && x.live() && row && row->target != target_state::absent;
    if (!x.given.record.id)
      allowed = allowed && got == action::skip;
    if (!allowed && ++wrong == 1)
      FAIL_CHECK(describe(x, got, "a call that is forbidden"));
  });
  CHECK(wrong == 0);
}
