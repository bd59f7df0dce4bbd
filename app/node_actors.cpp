#include "app/node_actors.hpp"

#include "actors/alarm.hpp"
#include "actors/breaker.hpp"
#include "actors/callback_keeper.hpp"
#include "actors/courier.hpp"
#include "actors/dispatcher.hpp"
#include "actors/membership.hpp"
#include "actors/notification_dispatcher.hpp"
#include "actors/push_dispatcher.hpp"
#include "actors/reader.hpp"
#include "actors/recorder.hpp"
#include "providers/notification_adapter.hpp"
#include "telemetry/log.hpp"

#include <utility>

// A node's actors: who is spawned with what, and in which order they end.

namespace sluice::app {

namespace {

providers::transport_settings transport_settings_of(const config::settings& settings) {
  const auto& calls = settings.calls;
  providers::transport_settings made;
  made.max_in_flight_rule = calls.max_in_flight;
  made.max_in_flight_subscription = settings.subscriptions.max_in_flight;
  made.max_in_flight_profile = settings.notifications.max_in_flight;
  made.max_in_flight_connection = calls.max_in_flight_connection;
  made.max_in_flight_total = calls.max_in_flight_node;
  made.connect_timeout = calls.connect_timeout;
  made.call_timeout = calls.call_timeout;
  made.answer_bytes_max = calls.answer_bytes_max;
  made.allowed_networks = calls.allowed_networks;
  made.proxy = calls.proxy;
  made.ca_file = calls.ca_file;
  return made;
}

/// Makes adapters that know the address of their profile's callbacks, as the intake's do.
sluice::actors::adapter_maker adapter_maker_of(const config::settings& settings) {
  return [from = settings.callbacks.public_url](const core::provider_profile& profile) {
    const auto callbacks = from.empty() ? from : from + "/v1/callbacks/" + profile.public_id;
    return providers::make_notification_adapter(profile, {callbacks});
  };
}

} // namespace

std::expected<void, std::string> node::spawn_actors(crypto::key_ring ring, core::first_sweep first) {
  keys_ = std::make_shared<const crypto::key_ring>(std::move(ring));
  actors_ = std::make_unique<actors>();
  auto& system = actors_->system;
  auto& links = *actors_->links;
  for (std::int32_t i = 0; i < settings_.database.readers; ++i) {
    auto db = storage::session::open(database_, storage::access::read);
    if (!db)
      return std::unexpected{db.error().detail};
    sluice::actors::reader_resources resources{std::make_shared<storage::session>(std::move(*db)), keys_,
                                               &time_};
    actors_->readers.push_back(system.spawn<caf::detached>(sluice::actors::reader, std::move(resources)));
  }
  actors_->make_adapter = adapter_maker_of(settings_);
  links.time = &time_;
  links.settings = &settings_;
  links.metrics =
      std::make_shared<telemetry::metrics>(static_cast<std::size_t>(settings_.metrics.connections_max));
  if (auto spawned = spawn_recorders(); !spawned)
    return spawned;
  links.alarm = system.spawn(sluice::actors::alarm, std::cref(time_));
  links.breaker =
      system.spawn(sluice::actors::breaker,
                   sluice::actors::breaker_resources{links.recorder, &time_, &settings_, links.metrics});
  auto calls = transport_settings_of(settings_);
  calls.permit = actors_->permit;
  calls.metrics = links.metrics;
  auto make_transport = [this, calls](providers::transport::answer_sink sink) {
    return providers::make_curl_transport(calls, time_, std::move(sink));
  };
  links.courier =
      system.spawn(sluice::actors::courier, sluice::actors::courier_resources{make_transport, links.metrics});
  actors_->callbacks =
      system.spawn(sluice::actors::callback_keeper,
                   sluice::actors::callback_intake_resources{actors_->links, actors_->intake_recorder,
                                                             actors_->projecting_recorder,
                                                             actors_->readers.back(), actors_->make_adapter},
                   true);
  auto told = [unfit = around_.unfit](const std::string& why) {
    telemetry::log(telemetry::event::node_unfit, "node", {{"reason", why}});
    unfit(why);
  };
  actors_->pushes =
      system.spawn(sluice::actors::push_dispatcher,
                   sluice::actors::push_dispatcher_resources{actors_->links, actors_->readers.back()});
  actors_->notifications =
      system.spawn(sluice::actors::notification_dispatcher,
                   sluice::actors::notification_dispatcher_resources{
                       actors_->links, actors_->readers.back(), actors_->callbacks, actors_->make_adapter});
  actors_->dispatcher =
      system.spawn(sluice::actors::dispatcher,
                   sluice::actors::dispatcher_resources{actors_->links, actors_->readers, actors_->pushes,
                                                        told, first, actors_->notifications});
  if (database_.kind == storage::engine::postgresql)
    actors_->membership =
        system.spawn(sluice::actors::membership,
                     sluice::actors::membership_resources{links.recorder, links.courier, &time_, &settings_,
                                                          told, actors_->permit, leased_at_, links.metrics});
  return {};
}

std::expected<void, std::string> node::spawn_recorders() {
  auto& links = *actors_->links;
  sluice::actors::recorder_resources resources{writer_,
                                               keys_,
                                               &time_,
                                               fence_,
                                               settings_.node.lease_length,
                                               static_cast<std::size_t>(settings_.database.group_rows_max),
                                               links.metrics};
  links.recorder = actors_->system.spawn<caf::detached>(sluice::actors::recorder, resources);
  actors_->intake_recorder = links.recorder;
  actors_->projecting_recorder = links.recorder;
  if (database_.kind == storage::engine::sqlite)
    return {};
  resources.shows_mailbox = false;
  for (auto* further : {&actors_->intake_recorder, &actors_->projecting_recorder}) {
    auto db = storage::session::open(database_, storage::access::write);
    if (!db)
      return std::unexpected{db.error().detail};
    resources.db = std::make_shared<storage::session>(std::move(*db));
    *further = actors_->system.spawn<caf::detached>(sluice::actors::recorder, resources);
  }
  return {};
}

void node::end_actors() {
  const auto& of = *actors_;
  auto exit = [](const auto& actor) {
    if (actor)
      caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  };
  exit(of.membership);
  exit(of.callbacks); // its intake and the projector end with it
  exit(of.dispatcher);
  exit(of.pushes);
  exit(of.notifications);
  exit(of.links->courier);
  exit(of.links->breaker);
  exit(of.links->alarm);
  exit(of.links->recorder);
  exit(of.intake_recorder);
  exit(of.projecting_recorder);
  for (const auto& reader : of.readers)
    exit(reader);
  // Handles go first, then the system waits until the last actor has ended; they may use the links until
  // then.
  actors_.reset();
}

} // namespace sluice::app
