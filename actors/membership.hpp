#pragma once

#include "config/settings.hpp"
#include "core/time.hpp"
#include "messages/courier.hpp"
#include "messages/membership.hpp"
#include "messages/recorder.hpp"
#include "providers/transport.hpp"
#include "telemetry/metrics.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <functional>
#include <memory>
#include <string>

/// The node's membership: it keeps the node's lease alive and notices when it is not.
///
///   holding --renewal--> holding
///      |--no renewal until the margin, by the monotonic clock--> unfit (no call starts any more; the node
///      ends)
///
/// It asks the recorder to renew, so that a database that does not answer is noticed here, by time alone. One
/// failed renewal is not yet a loss. A process that was paused past its lease finds itself unfit when it
/// wakes, and whatever it still tries to write is refused by its fence.
namespace sluice::actors {

struct membership_resources {
  messages::recorder recorder;
  messages::courier courier;
  const core::time_source* time = nullptr;
  const config::settings* settings = nullptr;
  std::function<void(std::string)> unfit;
  std::shared_ptr<providers::start_permit> permit; ///< held up to the margin; the transport asks it
  core::duration leased_at{};                      ///< steady: when the lease was asked for
  std::shared_ptr<telemetry::metrics> metrics = std::make_shared<telemetry::metrics>();
};

class membership_state {
public:
  static constexpr const char* name = "membership";

  explicit membership_state(messages::membership::pointer self) : self_(self), lost_(false) {}

  messages::membership::behavior_type behavior(membership_resources resources);

private:
  void on_lease_tick();

  [[nodiscard]] core::duration margin_begins() const;
  void leased(core::duration asked_at);
  void renew();
  void lose(std::string why);

  messages::membership::pointer self_;
  membership_resources resources_;
  core::duration good_until_{}; ///< steady
  core::duration renew_at_{};   ///< steady
  bool renewing_ = false;
  bool lost_;
};

[[nodiscard]] messages::membership::behavior_type
membership(messages::membership::stateful_pointer<membership_state> self, membership_resources resources);

} // namespace sluice::actors
