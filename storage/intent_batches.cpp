#include "storage/intent_batches.hpp"

#include "core/booking.hpp"
#include "core/payload.hpp"
#include "storage/intent_body.hpp"
#include "storage/intents.hpp"
#include "storage/ledger.hpp"
#include "storage/soci_session.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <utility>

namespace sluice::storage {
namespace {

void append_number(std::string& out, std::int64_t number) {
  std::array<char, 24> digits{};
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
}

/// [record, change, generation, made, row version, source id, key, sealed body] an intent, and its operation
/// where that is no create.
std::string batch_text(core::rule_id rule, std::span<const core::intent> intents,
                       const crypto::key_ring& keys) {
  std::string text = "[";
  for (const auto& one : intents) {
    text += text.size() > 1 ? ",[" : "[";
    for (auto number : {one.record.value, core::to_us(one.content_changed_at),
                        std::int64_t{one.create_generation}, core::to_us(one.made_at), one.row_version}) {
      append_number(text, number);
      text += ',';
    }
    core::append_json_string(text, one.source_id);
    text += ',';
    core::append_json_string(text, one.idempotency_key);
    text += ',';
    core::append_json_string(text, sealed_body(rule, one, keys));
    if (one.op != core::operation::create) {
      text += ',';
      core::append_json_string(text, core::to_string(one.op));
    }
    text += ']';
  }
  return text += ']';
}

/// Bodies stay sealed here.
std::vector<core::intent> intents_in(const std::string& text, core::run_id run) {
  const auto batch = nlohmann::json::parse(text, nullptr, false);
  if (!batch.is_array())
    throw abandoned{{error::corrupt, "A stored batch of intents cannot be read."}};
  std::vector<core::intent> intents;
  for (const auto& each : batch) {
    auto& one = intents.emplace_back();
    one.record = {each.at(0).get<std::int64_t>()};
    one.content_changed_at = core::from_us(each.at(1).get<std::int64_t>());
    one.create_generation = each.at(2).get<std::int32_t>();
    one.made_at = core::from_us(each.at(3).get<std::int64_t>());
    one.row_version = each.at(4).get<std::int64_t>();
    one.source_id = each.at(5).get<std::string>();
    one.idempotency_key = each.at(6).get<std::string>();
    one.body = each.at(7).get<std::string>();
    if (each.size() > 8)
      one.op = known(core::parse_operation(each.at(8).get<std::string>()), "delivery_intent_batches.intents");
    one.run = run;
  }
  return intents;
}

void take_out(session& db, core::intent_batch_id batch, const std::set<std::int64_t>& records) {
  std::string text;
  auto found = false;
  {
    query stored(db, "SELECT intents FROM delivery_intent_batches WHERE id = :id");
    stored.use("id", batch).into(text);
    while (stored.next())
      found = true;
  }
  if (!found)
    return;
  auto intents = nlohmann::json::parse(text, nullptr, false);
  std::erase_if(intents.get_ref<nlohmann::json::array_t&>(),
                [&](const auto& each) { return records.contains(each.at(0).template get<std::int64_t>()); });
  query(db, "UPDATE delivery_intent_batches SET intents = :intents WHERE id = :id")
      .use("id", batch)
      .use("intents", intents.dump())
      .run();
}

/// Throws what it meets: use inside `guarded`.
template <class T>
T must(result<T> answer) {
  if (!answer)
    throw abandoned{std::move(answer.error())};
  return std::move(*answer);
}

/// A call whose outcome nobody recorded, and the row it left from.
struct unknown_call {
  core::intent made;
  std::optional<core::ledger_row> row;
};

/// In record order.
std::vector<unknown_call> unknown_of(session& db, core::rule_id rule) {
  std::vector<unknown_call> unknown;
  query rows(db, "SELECT run_id, intents FROM delivery_intent_batches WHERE rule_id = :rule ORDER BY id");
  core::run_id run;
  std::string text;
  rows.use("rule", rule).into(run).into(text);
  while (rows.next()) {
    for (auto& one : intents_in(text, run)) {
      auto row = must(find_ledger_row(db, rule, one.source_id));
      if (!row || row->row_version <= one.row_version)
        unknown.push_back({std::move(one), std::move(row)});
    }
  }
  std::ranges::stable_sort(unknown, {}, [](const auto& call) { return call.made.record; });
  return unknown;
}

} // namespace

result<core::intent_batch_id> write_intent_batch(session& db, core::rule_id rule,
                                                 std::span<const core::intent> intents,
                                                 const crypto::key_ring& keys) {
  return guarded(db, "Writing intents", [&] {
    core::intent_batch_id id;
    if (intents.empty())
      return id;
    query write(db, "INSERT INTO delivery_intent_batches (rule_id, run_id, intents) "
                    "VALUES (:rule, :run, :intents) RETURNING id");
    write.use("rule", rule).use("run", intents.front().run).use("intents", batch_text(rule, intents, keys));
    write.into(id).run();
    return id;
  });
}

result<void> delete_intent_batches(session& db, std::span<const core::intent_batch_id> batches) {
  return guarded(db, "Deleting intents", [&] {
    for (const auto id : batches)
      query(db, "DELETE FROM delivery_intent_batches WHERE id = :id").use("id", id).run();
  });
}

result<void> withdraw_intents(session& db, std::span<const core::withdrawn_intent> intents) {
  return guarded(db, "Withdrawing intents", [&] {
    std::map<core::intent_batch_id, std::set<std::int64_t>> by_batch;
    for (const auto& one : intents)
      by_batch[one.batch].insert(one.record.value);
    for (const auto& [batch, records] : by_batch)
      take_out(db, batch, records);
  });
}

result<void> adopt_intent_batches(session& db, core::rule_id rule, core::timestamp now) {
  return guarded(db, "Adopting intents", [&] {
    std::vector<core::intent> creates;
    std::vector<core::ledger_row> due_again;
    for (auto& [made, row] : unknown_of(db, rule)) {
      if (made.op == core::operation::create)
        creates.push_back(std::move(made));
      else if (row && !row->trashed && row->target != core::target_state::absent)
        due_again.push_back(core::book_interrupted(*row, now));
    }
    if (auto kept = keep_sealed_intents(db, rule, creates); !kept)
      throw abandoned{std::move(kept.error())};
    must(write_ledger(db, rule, due_again, now));
    query(db, "DELETE FROM delivery_intent_batches WHERE rule_id = :rule").use("rule", rule).run();
  });
}

result<std::vector<core::intent>> read_intent_batches(session& db, core::rule_id rule,
                                                      const crypto::key_ring& keys) {
  return guarded(db, "Reading intents", [&] {
    std::vector<core::intent> creates;
    for (auto& [made, row] : unknown_of(db, rule)) {
      if (made.op != core::operation::create)
        continue;
      made.body = opened_body(rule, made.source_id, made.body, keys);
      creates.push_back(std::move(made));
    }
    return creates;
  });
}

result<bool> has_call_out(session& db, core::rule_id rule, std::string_view source_id) {
  return guarded(db, "Looking for a call that is out", [&] {
    const auto about = [&](const unknown_call& call) { return call.made.source_id == source_id; };
    return std::ranges::any_of(unknown_of(db, rule), about);
  });
}

} // namespace sluice::storage
