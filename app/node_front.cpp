#include "app/node_front.hpp"

#include "actors/doorkeeper.hpp"
#include "actors/notification_overview.hpp"
#include "actors/overview.hpp"
#include "actors/planner.hpp"
#include "actors/reader.hpp"
#include "actors/registrar.hpp"
#include "actors/replayer.hpp"
#include "actors/subscription_overview.hpp"
#include "actors/subscription_registrar.hpp"
#include "actors/verifier.hpp"
#include "api/live.hpp"
#include "api/operations.hpp"
#include "api/page_files.hpp"
#include "config/api_socket.hpp"
#include "telemetry/log.hpp"

#include <chrono>
#include <utility>

namespace sluice::app {

namespace {

/// An act takes up to three questions to actors, one after the other; what takes longer is answered by the
/// server.
constexpr int questions_max = 3;

/// What the callback intake's answer may take beyond its own limit, on its way.
constexpr core::duration callback_grace = std::chrono::seconds{2};

std::expected<actors::reader_resources, std::string> reading(const node_front::parts& around) {
  auto db = storage::session::open(*around.database, storage::access::read);
  if (!db)
    return std::unexpected{db.error().detail};
  return actors::reader_resources{std::make_shared<storage::session>(std::move(*db)), around.keys,
                                  around.time};
}

} // namespace

std::expected<std::unique_ptr<node_front>, std::string> node_front::open(const parts& around) {
  std::unique_ptr<node_front> made{new node_front};
  if (auto spawned = made->spawn_actors(around); !spawned)
    return std::unexpected{spawned.error()};
  const auto open = around.settings->metrics.access == "anyone";
  const auto& callbacks = around.settings->callbacks;
  api::add_operations(made->routes_, open ? api::access::anyone : api::access::viewer,
                      {static_cast<std::uint64_t>(callbacks.body_bytes_max), callbacks.body_timeout});
  api::add_page_files(made->routes_, api::page_files());
  api::server::plan plan;
  plan.settings = around.settings->api;
  plan.socket_path = config::api_socket_path(*around.settings);
  plan.socket_optional = around.settings->api.socket == "auto";
  plan.routes = &made->routes_;
  plan.who = made->links_.who;
  plan.find_token = [desk = made->desk_](std::string digest, std::function<void(api::found_token)> answer) {
    caf::anon_send(desk, api::look_up_token{std::move(digest), std::move(answer)});
  };
  plan.serve = [desk = made->desk_](api::arrived request) {
    caf::anon_send(desk, api::serve_request{std::move(request)});
  };
  plan.time = around.time;
  plan.metrics = around.metrics;
  plan.answer_timeout = questions_max * around.settings->actors.request_timeout;
  made->place_ = plan.settings.listen.empty() ? plan.socket_path : std::string{};
  auto started = api::server::start(std::move(plan));
  if (!started)
    return std::unexpected{started.error()};
  made->server_ = std::move(*started);
  if (const auto& fault = made->server_->socket_fault(); !fault.empty())
    telemetry::log(telemetry::event::api_socket_failed, "api", {{"reason", fault}});
  telemetry::log(telemetry::event::api_listening, "api", {{"address", made->place()}});
  return made;
}

std::expected<void, std::string> node_front::spawn_actors(const parts& around) {
  auto& system = *around.system;
  auto outside = core::outside_addresses::make(around.settings->calls.allowed_networks);
  if (!outside)
    return std::unexpected{outside.error()};
  links_.outside = std::move(*outside);
  auto for_overview = reading(around);
  auto for_reader = reading(around);
  auto for_doorkeeper = reading(around);
  auto for_registrar = storage::session::open(*around.database, storage::access::write);
  if (!for_registrar)
    return std::unexpected{for_registrar.error().detail};
  for (const auto* one : {&for_overview, &for_reader, &for_doorkeeper})
    if (!*one)
      return std::unexpected{one->error()};
  links_.dispatcher = around.dispatcher;
  links_.recorder = around.recorder;
  links_.delivery_reader = around.delivery_reader;
  links_.callbacks = around.callbacks;
  links_.callback_patience = around.settings->callbacks.answer_timeout + callback_grace;
  links_.metrics = around.metrics;
  links_.lease_held = around.lease_held;
  links_.time = around.time;
  links_.health = {around.settings->delivery.stale_after, around.settings->delivery.heartbeat_stale_after};
  links_.grace_period = around.settings->lifecycle.grace_period;
  links_.secure_cookies =
      around.settings->api.scheme == "https" || !around.settings->api.tls_certificate_file.empty();
  links_.who = std::make_shared<const api::senders>(
      around.settings->api.token,
      api::session_seal::with(*around.keys, around.settings->api.session_lifetime));
  links_.request_timeout = around.settings->actors.request_timeout;
  links_.overview = system.spawn<caf::detached>(actors::overview, std::move(*for_overview));
  links_.reader = system.spawn<caf::detached>(actors::reader, std::move(*for_reader));
  links_.doorkeeper = system.spawn<caf::detached>(actors::doorkeeper, std::move(*for_doorkeeper));
  links_.registrar = system.spawn<caf::detached>(
      actors::registrar,
      actors::registrar_resources{std::make_shared<storage::session>(std::move(*for_registrar)), around.keys,
                                  around.time, around.settings->lifecycle.grace_period, links_.outside});
  links_.planner =
      system.spawn<caf::detached>(actors::planner, actors::planner_resources{links_.overview, links_.reader,
                                                                             around.time, around.settings});
  links_.verifier =
      system.spawn(actors::verifier, actors::verifier_resources{around.links, links_.dispatcher,
                                                                links_.overview, links_.reader});
  if (auto spawned = spawn_for_subscriptions(around); !spawned)
    return spawned;
  if (auto spawned = spawn_for_notifications(around); !spawned)
    return spawned;
  spawn_streams(around);
  desk_ = system.spawn<caf::detached>(api::open_desk, links_);
  return {};
}

std::expected<void, std::string> node_front::spawn_for_subscriptions(const parts& around) {
  auto for_overview = reading(around);
  if (!for_overview)
    return std::unexpected{for_overview.error()};
  auto for_registrar = storage::session::open(*around.database, storage::access::write);
  if (!for_registrar)
    return std::unexpected{for_registrar.error().detail};
  links_.push_dispatcher = around.push_dispatcher;
  links_.replays = actors::replay_limits_of(around.settings->subscriptions);
  links_.subscription_overview =
      around.system->spawn<caf::detached>(actors::subscription_overview, std::move(*for_overview));
  links_.subscription_registrar = around.system->spawn<caf::detached>(
      actors::subscription_registrar,
      actors::subscription_registrar_resources{std::make_shared<storage::session>(std::move(*for_registrar)),
                                               around.keys, around.time,
                                               around.settings->subscriptions.secret_overlap});
  return {};
}

std::expected<void, std::string> node_front::spawn_for_notifications(const parts& around) {
  auto for_overview = reading(around);
  if (!for_overview)
    return std::unexpected{for_overview.error()};
  auto for_registrar = storage::session::open(*around.database, storage::access::write);
  if (!for_registrar)
    return std::unexpected{for_registrar.error().detail};
  links_.notification_dispatcher = around.notification_dispatcher;
  links_.notification_overview = around.system->spawn<caf::detached>(
      actors::notification_overview,
      actors::notification_overview_resources{for_overview->db, around.keys, around.fingerprints});
  links_.notification_registrar = around.system->spawn<caf::detached>(
      actors::notification_registrar,
      actors::notification_registrar_resources{std::make_shared<storage::session>(std::move(*for_registrar)),
                                               around.keys, around.fingerprints, around.time,
                                               around.make_adapter});
  return {};
}

void node_front::spawn_streams(const parts& around) {
  const auto& settings = *around.settings;
  const auto queue_bytes_max = settings.api.stream_queue_bytes_max;
  links_.intake = around.system->spawn<caf::detached>(
      api::intake, api::intake_resources{around.intake_recorder, settings.intake, queue_bytes_max,
                                         links_.request_timeout});
  links_.live = around.system->spawn<caf::detached>(
      api::live, api::live_resources{links_.reader, links_.overview, around.time, links_.health,
                                     settings.live, queue_bytes_max, links_.request_timeout});
}

node_front::~node_front() {
  end(core::duration{0});
}

void node_front::renew_identity() {
  if (const auto renewed = server_->renew_identity(); !renewed)
    telemetry::log(telemetry::event::api_identity_refused, "api", {{"reason", renewed.error()}});
}

void node_front::close() {
  if (server_)
    server_->close();
}

void node_front::end(core::duration patience) {
  if (server_)
    server_->end(patience);
  server_.reset(); // it holds the desk, and the system's end waits for every detached actor to be let go
  const auto exit = [](const auto& actor) {
    if (actor)
      caf::anon_send_exit(actor, caf::exit_reason::user_shutdown);
  };
  exit(std::exchange(desk_, {}));
  exit(links_.intake);
  exit(links_.live);
  exit(links_.planner);
  exit(links_.verifier);
  exit(links_.overview);
  exit(links_.reader);
  exit(links_.doorkeeper);
  exit(links_.registrar);
  exit(links_.subscription_overview);
  exit(links_.subscription_registrar);
  exit(links_.notification_overview);
  exit(links_.notification_registrar);
  links_ = {};
}

} // namespace sluice::app
