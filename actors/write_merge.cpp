#include "actors/write_merge.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

namespace sluice::actors {

namespace {

constexpr std::size_t merged_rows_max = 1000;

template <class T>
void append(std::vector<T>& into, std::vector<T>& more) {
  into.insert(into.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

template <class T>
void replace(std::optional<T>& into, const std::optional<T>& newer) {
  if (newer)
    into = newer;
}

bool of_one_backfill(const core::cursor_advance& a, const core::cursor_advance& b) {
  return !a.backfill || !b.backfill
         || (a.backfill->until == b.backfill->until && a.backfill->generation == b.backfill->generation);
}

void advance(core::cursor_advance& into, const core::cursor_advance& newer) {
  replace(into.delta, newer.delta);
  replace(into.pass_began_at, newer.pass_began_at);
  replace(into.rescanned_counter, newer.rescanned_counter);
  replace(into.completed_counter, newer.completed_counter);
  if (!into.backfill || !newer.backfill) {
    replace(into.backfill, newer.backfill);
    return;
  }
  replace(into.backfill->to, newer.backfill->to);
  into.backfill->finished = into.backfill->finished || newer.backfill->finished;
}

} // namespace

bool merge(messages::record_outcomes& into, messages::record_outcomes& more) {
  if (into.run != more.run || !of_one_backfill(into.cursor, more.cursor)
      || into.rows.size() + more.rows.size() > merged_rows_max)
    return false;
  append(into.rows, more.rows);
  append(into.batches_done, more.batches_done);
  append(into.intents_withdrawn, more.intents_withdrawn);
  append(into.intents_kept, more.intents_kept);
  append(into.intents_done, more.intents_done);
  append(into.intents_postponed, more.intents_postponed);
  advance(into.cursor, more.cursor);
  into.counts += more.counts;
  into.known_delta += more.known_delta;
  into.withdrawn += more.withdrawn;
  return true;
}

bool merge(messages::record_intents& into, messages::record_intents& more) {
  if (into.intents.size() + more.intents.size() > merged_rows_max)
    return false;
  append(into.intents, more.intents);
  return true;
}

} // namespace sluice::actors
