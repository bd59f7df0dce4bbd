#pragma once

#include "actors/queued_write.hpp"
#include "actors/recorder_writes.hpp"
#include "actors/write_group.hpp"
#include "core/time.hpp"
#include "crypto/key_ring.hpp"
#include "messages/recorder.hpp"
#include "storage/lease.hpp"
#include "storage/notification_attempts.hpp"
#include "storage/session.hpp"
#include "telemetry/metrics.hpp"

#include <caf/replies_to.hpp>
#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <unordered_map>

/// The recorder: every write of the node, on a thread of its own, grouped into transactions.
///
/// Rules, throttles and the dispatcher ask it; it asks nobody. A write is queued and a `commit_group` sent
/// behind it; when that arrives, everything queued in the meantime is committed at once: nothing lingers, and
/// the busier the node the larger the groups.
///
///   empty --write--> queued --commit_group--> committed, everyone answered --> empty
///
/// It never answers before the commit, and never holds a transaction open between two messages.
namespace sluice::actors {

struct recorder_resources {
  std::shared_ptr<storage::session> db;
  std::shared_ptr<const crypto::key_ring> keys;
  const core::time_source* time = nullptr;
  std::optional<storage::fence> fence;
  core::duration lease_length{};
  std::size_t group_rows_max = 2000;
  std::shared_ptr<telemetry::metrics> metrics = std::make_shared<telemetry::metrics>();
  bool shows_mailbox = true; ///< not that of a second one: its asker keeps it short
  projection_effects effects = storage::record_told;
};

class recorder_state {
public:
  static constexpr const char* name = "recorder";

  explicit recorder_state(messages::recorder::pointer self) : self_(self) {}

  messages::recorder::behavior_type behavior(recorder_resources resources);

private:
  template <class... Requests, class... Answers>
  messages::recorder::behavior_type
      handlers(caf::detail::type_list<
               caf::typed_mpi<caf::detail::type_list<Requests>, caf::output_tuple<Answers>>...>);
  /// Queues it, merges it, or, where it is the signal to, commits.
  template <class Answer, class Request>
  auto take(Request& ask);

  template <class Answer, class Request>
  using waiting_writes = std::unordered_map<core::rule_id, std::shared_ptr<queued_write<Answer, Request>>>;

  /// Queues a write; its request is answered after the commit.
  template <class Answer, class Request>
  caf::result<Answer> queue(Request& ask);
  template <class Answer, class Request>
  caf::result<Answer> queue_merged(Request& ask, waiting_writes<Answer, Request>& waiting);
  template <class Answer, class Request>
  caf::result<Answer> enqueue(const std::shared_ptr<queued_write<Answer, Request>>& write, Request& ask);
  template <class Answer, class Request>
  caf::result<Answer> await(queued_write<Answer, Request>& write);

  void on_commit_group();

  [[nodiscard]] write_context context() const;

  messages::recorder::pointer self_;
  recorder_resources resources_;
  std::optional<write_group> group_;
  waiting_writes<messages::intents_recorded, messages::record_intents>
      intents_; ///< of the group being gathered
  waiting_writes<messages::outcomes_recorded, messages::record_outcomes> outcomes_;
};

[[nodiscard]] messages::recorder::behavior_type
recorder(messages::recorder::stateful_pointer<recorder_state> self, recorder_resources resources);

} // namespace sluice::actors
