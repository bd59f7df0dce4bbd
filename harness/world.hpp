#pragma once

#include "config/settings.hpp"
#include "core/cursor.hpp"
#include "core/ledger.hpp"
#include "core/rule.hpp"
#include "core/stop.hpp"
#include "crypto/key_ring.hpp"
#include "harness/asked.hpp"
#include "harness/failure.hpp"
#include "harness/mock.hpp"
#include "harness/node_actors.hpp"
#include "harness/script.hpp"
#include "harness/scripted_target.hpp"
#include "harness/scripted_transport.hpp"
#include "harness/stage.hpp"
#include "harness/virtual_clock.hpp"
#include "harness/world_options.hpp"
#include "messages/alarm.hpp"
#include "messages/breaker.hpp"
#include "messages/callback_intake.hpp"
#include "messages/courier.hpp"
#include "messages/dispatcher.hpp"
#include "messages/fan_out.hpp"
#include "messages/notification_dispatcher.hpp"
#include "messages/notifier.hpp"
#include "messages/push_dispatcher.hpp"
#include "messages/reader.hpp"
#include "messages/reconciler.hpp"
#include "messages/recorder.hpp"
#include "messages/subscription.hpp"
#include "messages/sync_rule.hpp"
#include "messages/throttle.hpp"
#include "messages/token_keeper.hpp"
#include "storage/mirror.hpp"
#include "storage/rules.hpp"
#include "storage/runs.hpp"
#include "storage/session.hpp"
#include "telemetry/metrics.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::actors {
class dispatcher_state;
class notification_dispatcher_state;
class push_dispatcher_state;
} // namespace sluice::actors

namespace sluice::harness {

/// One test's world: a virtual clock, CAF's deterministic scheduler, an in-memory database, scripted targets
/// and the real actors between them. Nothing happens unless the test says so. docs/harness.md is its manual.
///
/// Every word that can fail ends the test through `world_options::fail`, with the last messages.
class world {
public:
  explicit world(world_options options = {});
  ~world();
  world(const world&) = delete;
  world& operator=(const world&) = delete;

  // the script

  template <class Message>
  [[nodiscard]] expectation<Message> expect() {
    return expectation<Message>{*this};
  }
  template <class Message>
  [[nodiscard]] allowance<Message> allow() {
    return allowance<Message>{*this};
  }
  template <class Message>
  [[nodiscard]] prohibition<Message> disallow() {
    return prohibition<Message>{*this};
  }
  template <class Message>
  [[nodiscard]] injection<Message> inject(Message message) {
    return injection<Message>{std::move(message)};
  }

  /// Sends a request whose answer the test looks at once it has come.
  template <class Answer, class Handle, class Message>
  asked<Answer> ask(const Handle& to, Message message) {
    auto outcome = std::make_shared<typename asked<Answer>::outcome>();
    adopt(
        pointer_to(detail::spawn_asker<Answer>(stage_.system(), pointer_to(to), std::move(message), outcome)),
        "test");
    return asked<Answer>{outcome};
  }

  /// Delivers the next message, whoever it is for. False: none waits.
  bool deliver_next();
  /// Delivers until no message waits. No time passes.
  void settle();
  /// Delivers until the next message to be delivered is a `Message`; none comes: the test fails.
  template <class Message>
  void settle_before() {
    settle_before(typeid(Message),
                  [](const caf::type_erased_tuple& content) { return content.match_elements<Message>(); });
  }
  /// Lets time pass to the next moment something is due, at most to `end`, and hands back the answers that
  /// come then. False: nothing was due until `end`, where it is now.
  bool wait_for_due(core::duration end);
  /// Settles, then lets time pass to each moment something is due, settling there.
  void advance(core::duration by);
  /// The wall clock alone is set, as a correction or an operator does.
  void jump_wall_clock(core::duration by) { clock_.jump(by); }

  [[nodiscard]] std::vector<message_line> pending_messages() { return stage_.pending(); }
  [[nodiscard]] const message_log& last_messages() const noexcept { return stage_.log(); }

  /// The actor ends at once; who monitors it is told.
  template <class Handle>
  void kill(const Handle& actor) {
    stage_.kill(pointer_to(actor));
  }
  /// All actors of the node die without a word and new ones start; the database and the targets stay.
  void crash_and_restart();
  /// Another owner takes the node's lease, and its calls end. What it still writes must change nothing.
  void lose_the_lease();
  void crash();
  void start();

  /// Ends the test here.
  [[noreturn]] void fail(const std::string& why);
  /// Ends the test once the message being delivered is through: for what runs inside an actor.
  void fail_afterwards(std::string why);

  // who is who

  [[nodiscard]] const messages::dispatcher& dispatcher() const noexcept { return node_.dispatcher; }
  [[nodiscard]] const messages::recorder& recorder() const noexcept { return node_.links->recorder; }
  [[nodiscard]] const messages::courier& courier() const noexcept { return node_.links->courier; }
  [[nodiscard]] const messages::breaker& breaker() const noexcept { return node_.links->breaker; }
  [[nodiscard]] const messages::alarm& alarm() const noexcept { return node_.links->alarm; }
  /// Of a world with subscriptions.
  [[nodiscard]] const messages::push_dispatcher& push_dispatcher() const noexcept { return node_.pushes; }
  [[nodiscard]] messages::fan_out fan_out();
  [[nodiscard]] messages::replayer replayer();
  /// While it is the subscription's turn; empty where it is not.
  [[nodiscard]] messages::subscription subscription_actor(core::subscription_id subscription);
  /// Of a world with notifications.
  [[nodiscard]] const messages::notification_dispatcher& notification_dispatcher() const noexcept {
    return node_.notifications;
  }
  [[nodiscard]] messages::reconciler reconciler();
  /// Of a world with callbacks.
  [[nodiscard]] const messages::callback_intake& callback_intake() const noexcept { return node_.callbacks; }
  /// While it is the profile's turn; empty where it is not.
  [[nodiscard]] messages::notifier notifier(core::provider_profile_id profile);
  /// What this life of the node has counted.
  [[nodiscard]] telemetry::metrics& metrics() const noexcept { return *node_.links->metrics; }
  [[nodiscard]] const messages::reader& reader(std::size_t number = 0) const {
    return node_.readers.at(number);
  }
  /// Actors the dispatcher keeps, by the names of the rule and the target connection.
  [[nodiscard]] bool has_rule_actor(std::string_view name);
  [[nodiscard]] messages::sync_rule rule(std::string_view name = "customers");
  [[nodiscard]] messages::throttle throttle(std::string_view connection = "crm");
  [[nodiscard]] messages::token_keeper token_keeper(std::string_view connection = "crm");

  template <class Interface>
  [[nodiscard]] harness::mock<Interface> mock(std::string name) {
    harness::mock<Interface> made{stage_.system(), name,
                                  [this](std::string why) { fail_afterwards(std::move(why)); }};
    adopt(pointer_to(made), std::move(name));
    return made;
  }
  /// Spawns an actor of a world without a node; it dies with the world.
  template <class Function, class... Arguments>
  auto spawn(std::string name, Function function, Arguments&&... arguments) {
    auto actor = stage_.system().spawn(function, std::forward<Arguments>(arguments)...);
    adopt(pointer_to(actor), std::move(name));
    return actor;
  }

  [[nodiscard]] virtual_clock& clock() noexcept { return clock_; }
  [[nodiscard]] core::timestamp now() const { return clock_.wall(); }
  [[nodiscard]] const config::settings& settings() const noexcept { return options_.settings; }
  [[nodiscard]] const std::shared_ptr<const crypto::key_ring>& keys() const noexcept { return keys_; }
  /// Why the node was told that it must not go on.
  [[nodiscard]] const std::vector<std::string>& unfit() const noexcept { return unfit_; }

  // setting up: world_setup.cpp

  void add_tenant(const std::string& name);
  void add_source(const std::string& name = "shop");
  scripted_target& add_target(const std::string& name = "crm", target_options options = {});
  /// With the source and the target it names, where they are not there yet.
  core::rule_id add_rule(const std::string& name = "customers", const rule_options& options = {});
  void change_rule(const std::string& name, const rule_options& options) { add_rule(name, options); }
  /// What stands at addresses that begin so, and is no connection: a provider of notifications, say.
  scripted_target& add_endpoint(const std::string& name, std::string url_prefix);
  void set_connection_status(const std::string& name, core::connection_status to);
  [[nodiscard]] scripted_target& target(const std::string& name = "crm");

  /// A record whose payload has its id and an e-mail address made of it and of `tag`.
  void put_record(const std::string& source_id, const std::string& tag = {}, const record_place& in = {});
  void put_payload(const std::string& source_id, std::string payload, const record_place& in = {});
  /// In one transaction.
  void put_payloads(std::vector<storage::incoming_record> batch, const record_place& in = {});
  /// "PREFIX1" to "PREFIXn", in one transaction.
  void put_records(int count, const std::string& prefix = "c-", const record_place& in = {});
  void delete_record(const std::string& source_id, const record_place& in = {});
  void delete_records(const std::vector<std::string>& source_ids, const record_place& in = {});
  /// "PREFIX1" to "PREFIXn", in one transaction.
  void delete_records(int count, const std::string& prefix = "c-", const record_place& in = {});

  // looking: world_setup.cpp

  [[nodiscard]] core::rule_id rule_id(std::string_view rule = "customers");
  [[nodiscard]] core::connection_id connection_id(std::string_view connection);
  [[nodiscard]] core::connection connection(std::string_view name);
  [[nodiscard]] std::optional<core::ledger_row> row(std::string_view source_id,
                                                    std::string_view rule = "customers");
  /// The row's status as its word; "none": there is no row.
  [[nodiscard]] std::string status(std::string_view source_id, std::string_view rule = "customers");
  [[nodiscard]] std::int64_t count_rows(core::delivery_status status, std::string_view rule = "customers");
  [[nodiscard]] std::vector<storage::listed_run> runs(std::string_view rule = "customers"); ///< newest first
  [[nodiscard]] core::delivery_cursor cursor(std::string_view rule = "customers");
  [[nodiscard]] std::vector<core::intent> intents(std::string_view rule = "customers");
  /// Manual stops and holds, oldest first.
  [[nodiscard]] std::vector<core::delivery_stop> live_stops();
  /// Live and ended ones, newest first.
  [[nodiscard]] std::vector<core::delivery_stop> stop_history();

  /// A session of the world's own on its database; what is done in it is hinted to nobody.
  [[nodiscard]] storage::session& db() noexcept { return *db_; }
  [[nodiscard]] storage::session open_session(storage::access mode);
  [[nodiscard]] const storage::database& database() const noexcept { return where_; }
  [[nodiscard]] harness::stage& its_stage() noexcept { return stage_; }
  /// Tells the dispatcher that somebody committed something.
  void hint();

  /// The value, or the end of the test.
  template <class T>
  T must(storage::result<T> outcome) {
    if (!outcome)
      fail("the database refused: " + outcome.error().detail);
    if constexpr (!std::is_void_v<T>)
      return std::move(*outcome);
  }

private:
  friend caf::mailbox_element* detail::first_for(world&, const caf::strong_actor_ptr&);
  friend void detail::deliver_first(world&, const caf::strong_actor_ptr&);
  friend void detail::fail_expectation(world&, const std::type_info&, const caf::strong_actor_ptr&,
                                       const caf::strong_actor_ptr&, const char*);

  void settle_before(const std::type_info& wanted,
                     const std::function<bool(const caf::type_erased_tuple&)>& matches);
  void check();
  [[nodiscard]] storage::fence take_lease();
  void open_node_sessions();
  void adopt(caf::strong_actor_ptr actor, std::string name);
  [[nodiscard]] std::optional<core::duration> next_due() const;
  [[nodiscard]] const actors::dispatcher_state& kept_actors();
  [[nodiscard]] const actors::push_dispatcher_state& kept_pushes();
  [[nodiscard]] const actors::notification_dispatcher_state& kept_notifications();
  [[nodiscard]] std::string kept_name(const caf::abstract_actor& actor);
  void apply(const storage::configuration& plan);
  [[nodiscard]] scripted_target* target_of(const core::outbound_call& call);
  [[nodiscard]] std::unique_ptr<providers::transport> make_transport(providers::transport::answer_sink sink);

  world_options options_;
  virtual_clock clock_;
  stage stage_;
  storage::database where_;
  std::shared_ptr<const crypto::key_ring> keys_;
  std::optional<storage::session> db_; ///< as long as it is open, the database is there
  /// The node's. They outlive its crash: what it had not committed is rolled back, and prepared statements
  /// are all that is left of it in them.
  std::shared_ptr<storage::session> writer_;
  std::vector<std::shared_ptr<storage::session>> readers_;
  std::map<std::string, std::unique_ptr<scripted_target>, std::less<>> targets_;
  std::map<core::connection_id, scripted_target*> target_of_;
  std::map<std::string, scripted_target*> endpoints_; ///< by what their URLs begin with
  std::map<std::string, core::rule_id, std::less<>> rule_ids_;
  std::vector<scripted_transport*> transports_; ///< those of living couriers
  std::vector<caf::strong_actor_ptr> adopted_;
  std::vector<std::string> unfit_;
  std::string failed_;
  node_actors node_;
};

} // namespace sluice::harness
