#include "app/doctor_mirror.hpp"

#include "app/output.hpp"

#include <cstdint>

namespace sluice::app {
namespace {

using core::mirror_fault;

struct wording {
  std::string_view says;
  std::string_view to_do;
};

wording words_for(mirror_fault what) {
  switch (what) {
  case mirror_fault::payload:
    return {"have a payload that is no JSON value in UTF-8: they are booked as undeliverable",
            "write valid JSON without NUL"};
  case mirror_fault::source_id:
    return {"have a source id that is empty or too long", "give each 1 to 512 bytes"};
  case mirror_fault::signal_unit:
    return {"have a change signal before the year 2000: in seconds or milliseconds",
            "write content_changed_at in microseconds since 1970"};
  case mirror_fault::signal_ahead:
    return {"have a change signal ahead of the clock: what changes after them may go unnoticed",
            "correct the clock or the unit of whoever writes them, and stamp them anew"};
  case mirror_fault::tombstone_mute:
    return {"are deleted without a reason: no rule withdraws them",
            "set deletion_reason to 'source_event' and move content_changed_at"};
  case mirror_fault::reason_on_live:
    return {"live and carry a reason of deletion", "set deletion_reason to 'none' when a record comes back"};
  }
  return {"are not as they should be", "see docs/mirror.md"};
}

std::string counted(const storage::counted_records& records) {
  return grouped(records.count) + (records.count == 1 ? " record (" : " records (")
         + printable(joined(records.examples, ", "))
         + (records.count > std::ssize(records.examples) ? ", …)" : ")");
}

} // namespace

findings judge_mirror(const std::vector<storage::mirror_faults>& faults,
                      const std::vector<storage::unread_domain>& unread) {
  findings found;
  for (const auto& one : faults) {
    const auto words = words_for(one.what);
    found.push_back(wrong("mirror",
                          "domain " + one.domain + " of source " + one.source + ": " + counted(one.records)
                              + " " + std::string{words.says},
                          std::string{words.to_do}));
  }
  for (const auto& one : unread)
    found.push_back(noted("mirror", "no rule reads domain " + one.domain + " of source " + one.source));
  if (faults.empty())
    found.push_back(well("mirror", "every record in the mirror is as docs/mirror.md asks"));
  return found;
}

findings judge_removed(const std::string& rule, const storage::counted_records& removed) {
  if (removed.count == 0)
    return {};
  return {wrong("mirror",
                "rule " + rule + ": the target holds " + counted(removed)
                    + " whose rows were deleted from the mirror: nothing will withdraw them",
                "write the rows again, as tombstones with deletion_reason 'source_event'")};
}

} // namespace sluice::app
