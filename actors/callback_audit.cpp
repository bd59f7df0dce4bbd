#include "actors/callback_audit.hpp"

#include "actors/callback_intake.hpp"
#include "actors/reply.hpp"
#include "messages/request.hpp"
#include "telemetry/log.hpp"

#include <string>

namespace sluice::actors {

namespace m = messages;

void callback_audit::add(core::refused_callback refused) {
  const auto most = static_cast<std::size_t>(node_->settings->callbacks.refusals_in_hand_max);
  if (waiting_.size() >= most) {
    ++dropped_;
    return;
  }
  waiting_.push_back(std::move(refused));
  if (!writing_)
    write();
}

void callback_audit::write() {
  writing_ = !waiting_.empty();
  if (!writing_)
    return;
  const auto& settings = *node_->settings;
  auto batch = std::exchange(waiting_, {});
  auto written = [this] {
    if (const auto lost = std::exchange(dropped_, 0); lost > 0)
      telemetry::log(telemetry::event::callback_refusals_lost, callback_intake_state::name,
                     {{"callbacks", std::to_string(lost)},
                      {"reason", "more came than can be written at once (callbacks.refusals_in_hand_max)"}});
    write();
  };
  auto failed = [this, size = batch.size()](const caf::error& error) { on_failed(size, error); };
  m::request(self_, recorder_, settings.actors.request_timeout,
             m::record_refusals{std::move(batch),
                                {settings.callbacks.refusals_per_profile, settings.callbacks.refusals_total}},
             written, failed);
}

void callback_audit::on_failed(std::size_t lost, const caf::error& error) {
  telemetry::log(
      telemetry::event::callback_refusals_lost, callback_intake_state::name,
      {{"callbacks", std::to_string(lost + std::exchange(dropped_, 0))}, {"reason", describe(error)}});
  write();
}

} // namespace sluice::actors
