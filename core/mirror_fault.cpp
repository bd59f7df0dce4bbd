#include "core/mirror_fault.hpp"

#include "core/payload.hpp"
#include "core/source_id.hpp"

#include <limits>

namespace sluice::core {
namespace {

/// As microseconds; as milliseconds or seconds it lies far in the future.
constexpr timestamp year_2000{std::chrono::seconds{946'684'800}};

/// The size is for whoever posts a record to say no to; what lies in the mirror is delivered.
constexpr payload_limits any_size{.bytes_max = std::numeric_limits<std::int32_t>::max()};

bool has(const mirror_record& record, mirror_fault fault, timestamp now) {
  switch (fault) {
  case mirror_fault::payload:
    return !check_payload(record.payload, any_size);
  case mirror_fault::source_id:
    return source_id_fault(record.source_id).has_value();
  case mirror_fault::signal_unit:
    return record.content_changed_at < year_2000;
  case mirror_fault::signal_ahead:
    return record.content_changed_at > now + signal_ahead_max;
  case mirror_fault::tombstone_mute:
    return record.is_tombstone() && record.reason == deletion_reason::none;
  case mirror_fault::reason_on_live:
    return !record.is_tombstone() && record.reason != deletion_reason::none;
  }
  return false;
}

} // namespace

std::vector<mirror_fault> faults_of(const mirror_record& record, timestamp now) {
  std::vector<mirror_fault> found;
  for (const auto fault : mirror_faults)
    if (has(record, fault, now))
      found.push_back(fault);
  return found;
}

} // namespace sluice::core
