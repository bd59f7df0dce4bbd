#pragma once

#include "messages/courier.hpp"
#include "providers/transport.hpp"
#include "telemetry/metrics.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

/// The courier: every outside call of the node goes through it.
///
///   placed --hand-over--> with the transport --answer--> returned to its asker
///   placed or waiting --stop, withdrawal--> returned unattempted
///
/// It alone acknowledges a stop: once the transport starts nothing within it any more.
///
/// Rules, token keepers, the verifier and subscriptions place calls; it hands them to the transport, whose
/// thread sends the answers back as messages (a promise delivered from a foreign thread would be a race), and
/// returns each to its asker in the groups they came in. It knows how many calls of each owner's actor are
/// out, which is what lets a dead one be restarted without two of its lives overlapping. It never retries and
/// never reads an answer.
namespace sluice::actors {

/// Makes the transport once the courier can be told of answers.
using transport_factory =
    std::function<std::unique_ptr<providers::transport>(providers::transport::answer_sink sink)>;

struct courier_resources {
  transport_factory make_transport;
  std::shared_ptr<telemetry::metrics> metrics = std::make_shared<telemetry::metrics>();
};

class courier_state {
public:
  static constexpr const char* name = "courier";

  explicit courier_state(messages::courier::pointer self) : self_(self) {}

  messages::courier::behavior_type behavior(const courier_resources& resources);

private:
  using quiet_promise = caf::typed_response_promise<void>;

  /// Calls of one purpose.
  struct asked_calls {
    messages::call_asker asker;
    std::int64_t out = 0;
  };

  struct owner_calls {
    std::array<asked_calls, core::call_purposes> of;
    core::connection_id connection{};
    std::vector<quiet_promise> quiet;

    [[nodiscard]] asked_calls& made_for(core::call_purpose purpose) {
      return of.at(static_cast<std::size_t>(purpose));
    }
  };

  void on_place_calls(messages::place_calls& ask);
  void on_withdraw_calls(const messages::withdraw_calls& ask);
  void on_hold_back_calls(const messages::hold_back_calls& ask);
  caf::result<void> on_await_quiet(const messages::await_quiet& ask);
  void on_stop_scope(const messages::stop_scope& ask);
  void on_resume_scope(const messages::resume_scope& told);
  void on_stop_calls();
  void on_answers_arrived(messages::answers_arrived& told);

  void return_answers(core::call_owner owner, core::call_purpose purpose,
                      std::vector<core::call_answer> answers);

  messages::courier::pointer self_;
  std::shared_ptr<telemetry::metrics> metrics_;
  std::unique_ptr<providers::transport> transport_;
  std::unordered_map<core::call_owner, owner_calls> owners_; ///< only those with calls out
};

[[nodiscard]] messages::courier::behavior_type
courier(messages::courier::stateful_pointer<courier_state> self, const courier_resources& resources);

} // namespace sluice::actors
