#include "app/node.hpp"

#include "app/command_context.hpp"
#include "app/node_actors.hpp"
#include "app/node_front.hpp"
#include "config/api_socket.hpp"
#include "telemetry/log.hpp"

#include <caf/scoped_actor.hpp>

#include <chrono>
#include <utility>

namespace sluice::app {

namespace m = messages;

namespace {

constexpr core::duration watch_interval = std::chrono::milliseconds{4};
constexpr core::duration last_answers_time = std::chrono::milliseconds{250};

} // namespace

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
                                  actors_->make_adapter, actors_->notifications});
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

} // namespace sluice::app
