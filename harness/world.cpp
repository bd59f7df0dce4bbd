#include "harness/world.hpp"

#include "actors/dispatcher.hpp"
#include "storage/schema.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <atomic>
#include <utility>

namespace sluice::harness {

namespace m = messages;

namespace {

/// In-memory databases of one process need names of their own.
std::string fresh_database() {
  static std::atomic<int> made{0};
  return "memory:harness-" + std::to_string(++made);
}

crypto::key_ring fixed_keys() {
  const std::vector<crypto::named_key> keys{{"harness", std::string(64, '5')}};
  return crypto::key_ring::read(keys).value();
}

} // namespace

world::world(world_options options)
    : options_(std::move(options)), clock_(options_.now), stage_(clock_, options_.log_lines),
      keys_(std::make_shared<const crypto::key_ring>(fixed_keys())) {
  where_.target = fresh_database();
  db_.emplace(must(storage::session::open(where_, storage::access::write)));
  must(storage::migrate(*db_, now()));
  stage_.ask_names_of([this](const caf::abstract_actor& actor) { return kept_name(actor); });
  if (options_.node)
    start();
}

world::~world() {
  crash();
  for (const auto& actor : std::exchange(adopted_, {}))
    stage_.kill(actor);
  stage_.clear();
}

storage::fence world::take_lease() {
  auto lease = must(storage::acquire_lease(*db_, "node", options_.settings.node.name, {}));
  if (!lease.granted)
    fail("the node's lease was not granted");
  return lease.mine;
}

void world::lose_the_lease() {
  kill(courier());
  static_cast<void>(take_lease());
}

void world::start() {
  node_parts parts;
  parts.settings = &options_.settings;
  parts.time = &clock_;
  parts.keys = keys_;
  open_node_sessions();
  parts.writer = writer_;
  parts.readers = readers_;
  parts.fence = take_lease();
  parts.make_transport = [this](providers::transport::answer_sink sink) {
    return make_transport(std::move(sink));
  };
  parts.unfit = [this](std::string why) { unfit_.push_back(std::move(why)); };
  parts.subscriptions = options_.subscriptions;
  parts.notifications = options_.notifications;
  parts.callbacks = options_.callbacks;
  if (options_.shape)
    options_.shape(parts);
  node_ = spawn_node(stage_, std::move(parts));
}

void world::open_node_sessions() {
  if (!writer_)
    writer_ = std::make_shared<storage::session>(open_session(storage::access::write));
  while (std::ssize(readers_) < options_.settings.database.readers)
    readers_.push_back(std::make_shared<storage::session>(open_session(storage::access::read)));
}

void world::crash() {
  kill_node(stage_, node_);
  if (writer_)
    writer_->rollback();
  for (const auto& reader : readers_)
    reader->rollback();
}

void world::crash_and_restart() {
  crash();
  start();
}

std::unique_ptr<providers::transport> world::make_transport(providers::transport::answer_sink sink) {
  auto find = [this](const core::outbound_call& call) { return target_of(call); };
  auto gone = [this](scripted_transport& transport) { std::erase(transports_, &transport); };
  auto made = std::make_unique<scripted_transport>(transport_settings_of(options_.settings), clock_, find,
                                                   std::move(sink), gone);
  transports_.push_back(made.get());
  return made;
}

scripted_target* world::target_of(const core::outbound_call& call) {
  if (call.connection) {
    auto found = target_of_.find(call.connection);
    return found == target_of_.end() ? nullptr : found->second;
  }
  auto stands_at = [&call](const auto& entry) { return call.request.url.starts_with(entry.first); };
  if (auto found = std::ranges::find_if(endpoints_, stands_at); found != endpoints_.end())
    return found->second;
  auto at = [&call](const auto& entry) { return call.request.url.starts_with(entry.second->address()); };
  auto found = std::ranges::find_if(targets_, at);
  return found == targets_.end() ? nullptr : found->second.get();
}

bool world::deliver_next() {
  auto delivered = stage_.deliver_next();
  check();
  return delivered;
}

void world::settle() {
  for (std::size_t count = 0; deliver_next(); ++count) {
    if (count == options_.messages_max)
      fail("no end of messages is in sight");
  }
}

void world::settle_before(const std::type_info& wanted,
                          const std::function<bool(const caf::type_erased_tuple&)>& matches) {
  for (;;) {
    auto* next = stage_.next();
    if (next == nullptr)
      fail("no " + stage::short_name(wanted) + " came");
    if (matches(next->content()))
      return;
    deliver_next();
  }
}

void world::advance(core::duration by) {
  auto end = clock_.steady() + by;
  settle();
  while (wait_for_due(end))
    settle();
}

bool world::wait_for_due(core::duration end) {
  auto due = next_due();
  if (!due || *due > end) {
    stage_.move_to(std::max(end, clock_.steady())); // a moment that has passed is reached already
    return false;
  }
  stage_.move_to(std::max(*due, clock_.steady()));
  for (auto* transport : transports_)
    transport->pump();
  return true;
}

std::optional<core::duration> world::next_due() const {
  auto next = stage_.next_timeout();
  for (const auto* transport : transports_) {
    if (auto due = transport->next_due(); due && (!next || *due < *next))
      next = due;
  }
  return next;
}

void world::check() {
  if (!failed_.empty())
    fail(std::exchange(failed_, {}));
}

void world::fail_afterwards(std::string why) {
  if (failed_.empty())
    failed_ = std::move(why);
}

void world::fail(const std::string& why) {
  auto text = why + "\nlast messages:\n" + stage_.log().text();
  if (options_.fail)
    options_.fail(text);
  throw failure{text};
}

void world::adopt(caf::strong_actor_ptr actor, std::string name) {
  auto* pointer = actor_behind(actor);
  stage_.name(pointer, std::move(name));
  static_cast<void>(stage_.first_for(pointer)); // it begins
  adopted_.push_back(std::move(actor));
}

storage::session world::open_session(storage::access mode) {
  return must(storage::session::open(where_, mode));
}

void world::hint() {
  if (options_.hints && node_.living())
    caf::anon_send(node_.dispatcher, m::changes_hinted{});
  if (options_.hints && node_.pushes)
    caf::anon_send(node_.pushes, m::changes_hinted{});
}

const actors::dispatcher_state& world::kept_actors() {
  auto* actor = actor_behind(node_.dispatcher);
  auto* dispatcher = dynamic_cast<m::dispatcher::stateful_pointer<actors::dispatcher_state>>(actor);
  if (dispatcher == nullptr || dispatcher->getf(caf::abstract_actor::is_terminated_flag))
    fail("no node runs in this world");
  return dispatcher->state;
}

std::string world::kept_name(const caf::abstract_actor& actor) {
  auto* dispatcher = actor_behind(node_.dispatcher);
  if (dispatcher == nullptr || dispatcher->getf(caf::abstract_actor::is_terminated_flag))
    return {};
  const auto& kept = kept_actors();
  auto is = [&actor](const auto& handle) { return handle && actor_behind(handle) == &actor; };
  for (const auto& [name, id] : rule_ids_) {
    if (is(kept.rule_actor(id)))
      return "rule " + name;
  }
  for (const auto& [id, target] : target_of_) {
    if (is(kept.throttle_of(id)))
      return "throttle " + target->name();
    if (is(kept.token_keeper_of(id)))
      return "token_keeper " + target->name();
  }
  return {};
}

bool world::has_rule_actor(std::string_view name) {
  return static_cast<bool>(kept_actors().rule_actor(rule_id(name)));
}

m::sync_rule world::rule(std::string_view name) {
  auto actor = kept_actors().rule_actor(rule_id(name));
  if (!actor)
    fail("the dispatcher has no actor of rule " + std::string{name} + " yet");
  return actor;
}

m::throttle world::throttle(std::string_view connection) {
  auto actor = kept_actors().throttle_of(connection_id(connection));
  if (!actor)
    fail("the dispatcher has no throttle of connection " + std::string{connection} + " yet");
  return actor;
}

m::token_keeper world::token_keeper(std::string_view connection) {
  auto actor = kept_actors().token_keeper_of(connection_id(connection));
  if (!actor)
    fail("the dispatcher has no token keeper of connection " + std::string{connection} + " yet");
  return actor;
}

namespace detail {

caf::mailbox_element* first_for(world& in, const caf::strong_actor_ptr& receiver) {
  return in.stage_.first_for(actor_behind(receiver));
}

void deliver_first(world& in, const caf::strong_actor_ptr& receiver) {
  in.stage_.deliver_to(actor_behind(receiver));
  in.check();
}

void fail_expectation(world& in, const std::type_info& wanted, const caf::strong_actor_ptr& from,
                      const caf::strong_actor_ptr& to, const char* word) {
  auto text = std::string{word} + " " + stage::short_name(wanted);
  if (from)
    text += " from " + in.stage_.name_of(from);
  text += " to " + in.stage_.name_of(to);
  const auto* waits = first_for(in, to);
  text += waits == nullptr ? ", for which nothing waits"
                           : ", for which waits first " + stage::text_of(waits->content()) + " from "
                                 + in.stage_.name_of(waits->sender);
  in.fail(text);
}

} // namespace detail

} // namespace sluice::harness
