#include "storage/event_columns.hpp"

namespace sluice::storage {

void event_target::bind(query& rows) {
  rows.into(event_.id).into(event_.public_id).into(event_.position).into(kind_).into(event_.tenant);
  rows.into(event_.type).into(event_.occurred_at).into(source_.connection).into(source_.domain);
  rows.into(source_.source_id).into(event_.only).into(event_.body);
}

core::change_event event_target::take() {
  event_.kind = known(core::parse_event_kind(kind_), "change_events.kind");
  event_.source = event_.kind == core::event_kind::change ? std::optional(source_) : std::nullopt;
  return std::exchange(event_, {});
}

} // namespace sluice::storage
