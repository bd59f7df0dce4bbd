#include "actors/notification_dispatcher.hpp"
#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <string>
#include <utility>

// The notification_dispatcher's questions to the database.

namespace sluice::actors {

namespace m = messages;

namespace {

constexpr core::duration clean_up_interval = std::chrono::hours{1};
constexpr std::int64_t rows_at_once = 500; ///< a transaction

} // namespace

/// Every profile that has something due, now or later, a lease that lapses included.
void notification_dispatcher_state::list_dues() {
  if (std::exchange(listing_, true))
    return;
  auto found = [this](const m::notification_dues_listed& answer) { listed(answer); };
  auto failed = [this](const caf::error& error) {
    telemetry::log(telemetry::event::look_failed, name, {{"reason", describe(error)}});
    listing_ = false; // the next tick asks again
  };
  m::request(self_, resources_.reader, resources_.node->settings->actors.request_timeout,
             m::list_notification_dues{}, found, failed);
}

/// Of those at work the answer may be older than what they have done since, so it is not told to them: the
/// end of their turn says when they are due.
void notification_dispatcher_state::listed(const m::notification_dues_listed& answer) {
  listing_ = false;
  if (std::exchange(profiles_version_, answer.profiles_version) != answer.profiles_version) {
    for (const auto& [profile, actor] : actors_)
      self_->send(actor, m::look_at_profile{});
  }
  for (const auto& due : answer.dues) {
    if (!rota_.running(due.profile))
      note_due(due.profile, due.at);
  }
  start_ready();
}

caf::result<core::notification_record>
notification_dispatcher_state::on_cancel_notification(m::cancel_notification& ask) {
  auto answer = self_->make_response_promise<caf::typed_response_promise<core::notification_record>>();
  auto cancelled = [answer](core::notification_record& about) mutable { answer.deliver(std::move(about)); };
  auto failed = [answer](caf::error& error) mutable { answer.deliver(std::move(error)); };
  m::request(self_, resources_.node->recorder, resources_.node->settings->actors.request_timeout,
             m::record_cancellation{std::move(ask.wanted)}, cancelled, failed);
  return answer;
}

caf::result<core::notification_record>
notification_dispatcher_state::on_settle_notification(m::settle_notification& ask) {
  auto answer = self_->make_response_promise<caf::typed_response_promise<core::notification_record>>();
  auto settled = [this, answer](core::notification_record& about) mutable {
    if (about.progress.due_at) {
      note_due(about.profile, *about.progress.due_at);
      start_ready();
    }
    answer.deliver(std::move(about));
  };
  auto failed = [answer](caf::error& error) mutable { answer.deliver(std::move(error)); };
  m::request(self_, resources_.node->recorder, resources_.node->settings->actors.request_timeout,
             m::record_settlement{std::move(ask.found)}, settled, failed);
  return answer;
}

void notification_dispatcher_state::clean_up() {
  if (now() - cleaned_up_at_ < clean_up_interval || std::exchange(pruning_, true))
    return;
  cleaned_up_at_ = now();
  prune({now() - resources_.node->settings->notifications.retention, {}, rows_at_once});
}

/// A batch, and the next one once it is committed: what others write meanwhile waits for one at the most.
void notification_dispatcher_state::prune(const m::prune_notifications& ask) {
  auto pruned = [this, ask](const core::notifications_pruned& answer) {
    pruning_ = !answer.through && !stopping_;
    if (pruning_)
      prune({ask.until, answer.upto, ask.limit});
  };
  auto failed = [this](const caf::error& error) {
    pruning_ = false;
    telemetry::log(telemetry::event::clean_up_failed, name, {{"reason", describe(error)}});
  };
  m::request(self_, resources_.node->recorder, resources_.node->settings->actors.request_timeout, ask, pruned,
             failed);
}

/// Pauses that are over, and tokens that are good no more.
void notification_dispatcher_state::forget_what_is_over() {
  std::erase_if(paused_until_, [at = now()](const auto& each) { return each.second <= at; });
  std::erase_if(tokens_, [at = now()](const auto& each) { return each.second.good_until <= at; });
}

} // namespace sluice::actors
