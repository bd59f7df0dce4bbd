#include "actors/recorder.hpp"

#include "actors/reply.hpp"

#include <caf/typed_response_promise.hpp>

#include <type_traits>
#include <utility>

namespace sluice::actors {

namespace m = messages;

namespace {

/// What a queued request is answered with once its transaction is through.
template <class Answer>
void deliver(caf::response_promise& promise, std::optional<Answer>& answer,
             const std::optional<storage::failure>& failed) {
  if (failed)
    promise.deliver(to_error(*failed));
  else if constexpr (std::is_same_v<Answer, caf::unit_t>)
    promise.deliver(caf::unit);
  else
    promise.deliver(std::move(*answer));
}

} // namespace

template <class Answer, class Request>
caf::result<Answer> recorder_state::queue(Request& ask) {
  using value = std::conditional_t<std::is_void_v<Answer>, caf::unit_t, Answer>;
  auto promise = self_->make_response_promise<caf::typed_response_promise<Answer>>();
  auto answer = std::make_shared<std::optional<value>>();
  auto rows = rows_of(ask);
  auto work = [this, answer, ask = std::move(ask)](storage::session& db) -> storage::result<void> {
    auto done = perform(db, context(), ask);
    if (!done)
      return std::unexpected{done.error()};
    answer->emplace(std::move(*done));
    return {};
  };
  // To a message nobody waits for, a promise would answer all the same, with a message nobody expects.
  auto awaited = self_->current_mailbox_element()->mid.is_request();
  auto tell = [answer, promise, awaited](const std::optional<storage::failure>& failed) mutable {
    if (awaited)
      deliver(static_cast<caf::response_promise&>(promise), *answer, failed);
  };
  if (group_->empty())
    self_->send(self_, m::commit_group{});
  group_->add(rows, std::move(work), std::move(tell));
  return promise;
}

m::recorder::behavior_type recorder_state::behavior(recorder_resources resources) {
  resources_ = std::move(resources);
  group_.emplace(resources_.fence);
  return {
      [this](m::load_rule& ask) { return queue<m::rule_loaded>(ask); },
      [this](m::open_run& ask) { return queue<m::run_opened>(ask); },
      [this](m::record_intents& ask) { return queue<void>(ask); },
      [this](m::record_outcomes& ask) { return queue<m::outcomes_recorded>(ask); },
      [this](m::close_run& ask) { return queue<void>(ask); },
      [this](m::abandon_runs& ask) { return queue<void>(ask); },
      [this](m::consume_markers& ask) { return queue<m::markers_consumed>(ask); },
      [this](m::record_window& ask) { return queue<void>(ask); },
      [this](m::record_connection_fault& ask) { return queue<void>(ask); },
      [this](m::write_heartbeat& ask) { return queue<void>(ask); },
      [this](m::prune_runs& ask) { return queue<void>(ask); },
      [this](m::renew_lease& ask) { return queue<void>(ask); },
      [this](m::commit_group) { on_commit_group(); },
  };
}

write_context recorder_state::context() const {
  return {*resources_.keys, resources_.time->wall(), resources_.fence, resources_.lease_length};
}

void recorder_state::on_commit_group() {
  group_->commit_all(*resources_.db, resources_.group_rows_max);
}

m::recorder::behavior_type recorder(m::recorder::stateful_pointer<recorder_state> self,
                                    recorder_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::actors
