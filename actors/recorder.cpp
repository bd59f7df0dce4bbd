#include "actors/recorder.hpp"

#include "actors/mailbox_depth.hpp"
#include "actors/recorder_callbacks.hpp"
#include "actors/recorder_events.hpp"
#include "actors/recorder_notifications.hpp"
#include "actors/recorder_replays.hpp"
#include "actors/write_merge.hpp"

#include <type_traits>
#include <utility>

namespace sluice::actors {

namespace m = messages;

template <class Answer, class Request>
caf::result<Answer> recorder_state::queue(Request& ask) {
  return enqueue(std::make_shared<queued_write<Answer, Request>>(), ask);
}

/// Joins the rule's write that waits already, where there is one and the two can be one.
template <class Answer, class Request>
caf::result<Answer> recorder_state::queue_merged(Request& ask, waiting_writes<Answer, Request>& waiting) {
  auto& of_rule = waiting[ask.rule];
  if (of_rule && merge(of_rule->ask, ask))
    return await(*of_rule);
  of_rule = std::make_shared<queued_write<Answer, Request>>();
  return enqueue(of_rule, ask);
}

template <class Answer, class Request>
caf::result<Answer> recorder_state::enqueue(const std::shared_ptr<queued_write<Answer, Request>>& write,
                                            Request& ask) {
  write->ask = std::move(ask);
  auto perform_it = [this, write](storage::session& db) -> storage::result<void> {
    auto done = perform(db, context(), write->ask);
    if (!done)
      return std::unexpected{done.error()};
    write->answer.emplace(std::move(*done));
    return {};
  };
  auto tell = [write](const std::optional<storage::failure>& failed) { write->tell(failed); };
  if (group_->empty())
    self_->send(self_, m::commit_group{});
  group_->add(
      {[write] { return rows_of(write->ask); }, std::move(perform_it), std::move(tell), goes_alone<Request>});
  return await(*write);
}

/// To a message nobody waits for, a promise would answer all the same, with a message nobody expects.
template <class Answer, class Request>
caf::result<Answer> recorder_state::await(queued_write<Answer, Request>& write) {
  auto promise = self_->make_response_promise<caf::typed_response_promise<Answer>>();
  if (self_->current_mailbox_element()->mid.is_request())
    write.waiting.push_back(promise);
  return promise;
}

template <class Answer, class Request>
auto recorder_state::take(Request& ask) {
  if constexpr (std::is_same_v<Request, m::commit_group>)
    return on_commit_group();
  else if constexpr (std::is_same_v<Request, m::record_intents>)
    return queue_merged(ask, intents_);
  else if constexpr (std::is_same_v<Request, m::record_outcomes>)
    return queue_merged(ask, outcomes_);
  else
    return queue<Answer>(ask);
}

/// A line for each message of the interface.
template <class... Requests, class... Answers>
m::recorder::behavior_type recorder_state::handlers(
    caf::detail::type_list<caf::typed_mpi<caf::detail::type_list<Requests>, caf::output_tuple<Answers>>...>) {
  return {[this](Requests& ask) { return take<Answers>(ask); }...};
}

m::recorder::behavior_type recorder_state::behavior(recorder_resources resources) {
  resources_ = std::move(resources);
  group_.emplace(resources_.fence, *resources_.time, *resources_.metrics);
  return handlers(m::recorder::signatures{});
}

write_context recorder_state::context() const {
  return {*resources_.keys, resources_.time->wall(), resources_.fence, resources_.lease_length,
          resources_.effects};
}

void recorder_state::on_commit_group() {
  if (resources_.shows_mailbox)
    show_mailbox_depth(self_, *resources_.metrics, telemetry::central_actor::recorder);
  intents_.clear();
  outcomes_.clear();
  group_->commit_all(*resources_.db, resources_.group_rows_max);
}

m::recorder::behavior_type recorder(m::recorder::stateful_pointer<recorder_state> self,
                                    recorder_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
