#include "app/node.hpp"

#include "actors/alarm.hpp"
#include "actors/breaker.hpp"
#include "actors/callback_intake.hpp"
#include "actors/courier.hpp"
#include "actors/dispatcher.hpp"
#include "actors/membership.hpp"
#include "actors/notification_dispatcher.hpp"
#include "actors/push_dispatcher.hpp"
#include "actors/reader.hpp"
#include "actors/recorder.hpp"
#include "app/command_context.hpp"
#include "app/node_front.hpp"
#include "config/api_socket.hpp"
#include "providers/notification_adapter.hpp"
#include "providers/transport.hpp"
#include "telemetry/log.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>

#include <chrono>
#include <utility>
#include <vector>

namespace sluice::app {

namespace m = messages;

namespace {

constexpr core::duration watch_interval = std::chrono::milliseconds{4};
constexpr core::duration last_answers_time = std::chrono::milliseconds{250};

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

/// One scheduler thread: no handler blocks, and a second one only makes them trade places.
class scheduler_settings : public caf::actor_system_config {
public:
  scheduler_settings() {
    set("scheduler.policy", caf::atom("sharing"));
    set("scheduler.max-threads", std::size_t{1});
  }
};

} // namespace

struct node::actors {
  scheduler_settings settings;
  caf::actor_system system{settings};
  std::shared_ptr<sluice::actors::node_links> links = std::make_shared<sluice::actors::node_links>();
  std::vector<m::reader> readers;
  m::dispatcher dispatcher;
  m::push_dispatcher pushes;
  m::notification_dispatcher notifications;
  m::membership membership;
  std::shared_ptr<providers::start_permit> permit = std::make_shared<providers::start_permit>();
  m::recorder intake_recorder;     ///< SQLite has one writer, so there it is the links'
  m::recorder projecting_recorder; ///< likewise
  m::callback_intake callbacks;
};

core::timestamp real_time::wall() const {
  return std::chrono::time_point_cast<core::duration>(std::chrono::system_clock::now());
}

core::duration real_time::steady() const {
  return std::chrono::duration_cast<core::duration>(std::chrono::steady_clock::now().time_since_epoch());
}

std::expected<std::unique_ptr<node>, std::string> node::start(const config::settings& settings,
                                                              crypto::key_ring keys, core::first_sweep first,
                                                              process around) {
  std::unique_ptr<node> made{new node(settings, std::move(around))};
  if (auto opened = made->open_database(); !opened)
    return std::unexpected{opened.error()};
  if (auto spawned = made->spawn_actors(std::move(keys), first); !spawned)
    return std::unexpected{spawned.error()};
  made->start_watch();
  if (auto opened = made->open_api(); !opened) {
    (void)made->stop();
    return std::unexpected{opened.error()};
  }
  telemetry::log(telemetry::event::node_started, "node", {{"name", settings.node.name}});
  return made;
}

node::node(const config::settings& settings, process around)
    : settings_(settings), around_(std::move(around)) {}

node::~node() = default;

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
      system.spawn<caf::detached>(sluice::actors::callback_intake,
                                  sluice::actors::callback_intake_resources{
                                      actors_->links, actors_->intake_recorder, actors_->projecting_recorder,
                                      actors_->readers.back(), adapter_maker_of(settings_)});
  auto told = [unfit = around_.unfit](const std::string& why) {
    telemetry::log(telemetry::event::node_unfit, "node", {{"reason", why}});
    unfit(why);
  };
  actors_->pushes =
      system.spawn(sluice::actors::push_dispatcher,
                   sluice::actors::push_dispatcher_resources{actors_->links, actors_->readers.back()});
  actors_->notifications = system.spawn(
      sluice::actors::notification_dispatcher,
      sluice::actors::notification_dispatcher_resources{actors_->links, actors_->readers.back(),
                                                        actors_->callbacks, adapter_maker_of(settings_)});
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

std::expected<void, std::string> node::open_api() {
  if (settings_.api.listen.empty() && config::api_socket_path(settings_).empty())
    return {};
  auto lease_held = [permit = actors_->permit, time = &time_] { return permit->holds(time->steady()); };
  auto fingerprints = read_fingerprint_keys(settings_);
  if (!fingerprints)
    return std::unexpected{fingerprints.error()};
  auto opened = node_front::open({&actors_->system, &database_, keys_, &time_, &settings_, actors_->links,
                                  actors_->dispatcher, actors_->pushes, actors_->links->recorder,
                                  actors_->intake_recorder, actors_->readers.front(), actors_->callbacks,
                                  actors_->links->metrics, lease_held,
                                  std::make_shared<const crypto::key_ring>(std::move(*fingerprints)),
                                  adapter_maker_of(settings_), actors_->notifications});
  if (!opened)
    return std::unexpected{opened.error()};
  front_ = std::move(*opened);
  return {};
}

void node::start_watch() {
  auto hint = [dispatcher = actors_->dispatcher, pushes = actors_->pushes] {
    caf::anon_send(dispatcher, m::changes_hinted{});
    caf::anon_send(pushes, m::changes_hinted{});
  };
  auto watch = storage::watch::start(database_, watch_interval, hint);
  if (watch)
    watch_ = std::move(*watch);
  else
    telemetry::log(telemetry::event::watch_failed, "node", {{"reason", watch.error().detail}});
}

std::string node::api_address() const {
  return front_ ? front_->address() : std::string{};
}

void node::renew_identity() {
  if (front_)
    front_->renew_identity();
}

bool node::idle_within(core::duration patience) {
  caf::scoped_actor self{actors_->system};
  auto idle = false;
  self->request(actors_->dispatcher, patience, m::await_idle{})
      .receive([&] { idle = true; }, [](const caf::error&) {});
  return idle;
}

bool node::stop() {
  telemetry::log(telemetry::event::node_stopping, "node");
  watch_.reset();
  if (front_)
    front_->close();
  auto ended = false;
  {
    caf::scoped_actor self{actors_->system};
    const auto patience = settings_.actors.shutdown_timeout;
    auto chains = self->request(actors_->dispatcher, patience, m::shut_down{});
    auto pushes = self->request(actors_->pushes, patience, m::shut_down{});
    auto sends = self->request(actors_->notifications, patience, m::shut_down{});
    auto chains_ended = false;
    auto pushes_ended = false;
    auto sends_ended = false;
    chains.receive([&] { chains_ended = true; }, [](const caf::error&) {});
    pushes.receive([&] { pushes_ended = true; }, [](const caf::error&) {});
    sends.receive([&] { sends_ended = true; }, [](const caf::error&) {});
    ended = chains_ended && pushes_ended && sends_ended;
  }
  if (fence_) {
    // Best effort: a lease that is not released runs out by itself.
    auto db = storage::session::open(database_, storage::access::write);
    auto released =
        db ? storage::transact(*db,
                               [&](storage::session& open) { return storage::release_lease(open, *fence_); })
           : storage::result<void>{std::unexpected{db.error()}};
    if (!released)
      telemetry::log(telemetry::event::lease_kept, "node", {{"reason", released.error().detail}});
  }
  if (front_)
    front_->end(last_answers_time);
  telemetry::log(telemetry::event::node_stopped, "node", {{"in_order", ended ? "yes" : "no"}});
  if (!ended)
    return false;
  end_actors();
  return true;
}

void node::end_actors() {
  auto& [settings, system, links, readers, dispatcher, pushes, notifications, membership, permit,
         intake_recorder, projecting_recorder, callbacks] = *actors_;
  auto exit = [](const auto& actor) {
    if (actor)
      caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  };
  exit(membership);
  exit(callbacks); // its projector ends with it
  exit(dispatcher);
  exit(pushes);
  exit(notifications);
  exit(links->courier);
  exit(links->breaker);
  exit(links->alarm);
  exit(links->recorder);
  exit(intake_recorder);
  exit(projecting_recorder);
  for (const auto& reader : readers)
    exit(reader);
  // Handles go first, then the system waits until the last actor has ended; they may use the links until
  // then.
  actors_.reset();
}

} // namespace sluice::app
