#pragma once

#include "actors/rule_links.hpp"
#include "core/change_event.hpp"
#include "core/event_matcher.hpp"
#include "messages/event_reads.hpp"
#include "messages/event_records.hpp"
#include "messages/fan_out.hpp"
#include "messages/push_dispatcher.hpp"

#include <caf/error.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

/// Fan-out: turns committed change events into deliveries.
///
///   idle --hint, tick--> sequencing --> reading --> writing a batch --> … --> reading --nothing left--> idle
///
/// It has events sequenced, reads those behind the cursor, and writes what core::event_matcher makes of them
/// with the cursor that stands behind: killed between any two of its messages, it goes on where the cursor
/// is, without a gap and without a delivery twice. Batches are bounded, within one event too. It tells the
/// push_dispatcher, whose child it is, what it wrote and that subscriptions changed. It sends nothing and
/// holds no event once it is idle.
namespace sluice::actors {

struct fan_out_resources {
  std::shared_ptr<const node_links> node;
  messages::reader reader;
  messages::push_dispatcher pushes;
};

class fan_out_state {
public:
  static constexpr const char* name = "fan_out";

  explicit fan_out_state(messages::fan_out::pointer self)
      : self_(self), working_(false), again_(false), ticked_(false) {}

  messages::fan_out::behavior_type behavior(fan_out_resources resources);

private:
  void on_changes_hinted();
  void on_alarm_rang();

  void work();
  void sequence();
  void read();
  void on_read(messages::fan_out_read& answer);
  void write();
  void on_written(const core::fan_out_cursor& to, std::vector<core::subscription_id> to_push);
  void failed(const caf::error& error);
  void rest();
  void count(const core::fan_out_batch& batch);

  messages::fan_out::pointer self_;
  fan_out_resources resources_;
  core::event_matcher matcher_;
  std::optional<std::int64_t> version_; ///< of the subscriptions the matcher has
  core::fan_out_cursor cursor_;
  std::vector<core::change_event> events_; ///< behind it, read and not yet written
  bool working_;
  bool again_;  ///< a hint came meanwhile
  bool ticked_; ///< whatever there is, events are sequenced this time
};

[[nodiscard]] messages::fan_out::behavior_type
fan_out(messages::fan_out::stateful_pointer<fan_out_state> self, fan_out_resources resources);

} // namespace sluice::actors
