#pragma once

#include "api/intake.hpp"
#include "api/open_page.hpp"
#include "api/router.hpp"
#include "api/senders.hpp"
#include "core/outside_address.hpp"
#include "core/rule_state.hpp"
#include "messages/callback_intake.hpp"
#include "messages/dispatcher.hpp"
#include "messages/doorkeeper.hpp"
#include "messages/notification_dispatcher.hpp"
#include "messages/notification_overview.hpp"
#include "messages/notification_registrar.hpp"
#include "messages/overview.hpp"
#include "messages/planner.hpp"
#include "messages/push_dispatcher.hpp"
#include "messages/reader.hpp"
#include "messages/recorder.hpp"
#include "messages/registrar.hpp"
#include "messages/request.hpp"
#include "messages/subscription_overview.hpp"
#include "messages/subscription_registrar.hpp"
#include "messages/verifier.hpp"
#include "telemetry/metrics.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace sluice::api {

/// server: somebody asks. The message is the server's way onto the desk's thread and goes nowhere else.
struct serve_request {
  arrived request;
};

/// server: whose token is this. Goes nowhere else either.
struct look_up_token {
  std::string digest;
  std::function<void(found_token)> answer;
};

using desk_actor = caf::typed_actor<caf::reacts_to<serve_request>, caf::reacts_to<look_up_token>>;

/// Whom the desk asks.
struct desk_links {
  messages::dispatcher dispatcher;
  messages::recorder recorder;
  messages::reader reader;          ///< held up by no rule
  messages::reader delivery_reader; ///< one that rules ask: held up by no person
  messages::overview overview;
  messages::planner planner;
  messages::verifier verifier;
  messages::doorkeeper doorkeeper;
  messages::registrar registrar;
  messages::subscription_overview subscription_overview;
  messages::subscription_registrar subscription_registrar;
  messages::push_dispatcher push_dispatcher; ///< told of new events and of what changed, asked for replays
  messages::callback_intake callbacks;       ///< none: this node takes no callbacks
  core::duration callback_patience{};        ///< for its answer; longer than it ever takes
  messages::notification_overview notification_overview;
  messages::notification_registrar notification_registrar;
  messages::notification_dispatcher
      notification_dispatcher; ///< told of what is due and what changed, asked for acts
  core::replay_limits replays;
  core::outside_addresses outside; ///< what a subscription's URL may name
  std::shared_ptr<const senders> who;
  intake_actor intake;
  live_actor live;
  const core::time_source* time = nullptr;
  core::health_settings health;
  bool secure_cookies = false;
  core::duration grace_period{}; ///< from a disconnect to the purge
  core::duration request_timeout{};
  std::shared_ptr<telemetry::metrics> metrics;
  std::function<bool()> lease_held; ///< any thread
};

/// The error of a request to an actor, as a client is told it.
[[nodiscard]] problem problem_of(const caf::error& error);

/// What was named does not exist, or not for this caller: the two are told alike.
[[nodiscard]] problem missing(std::string_view kind, std::string_view name);

/// The desk: runs the handlers of the routes, on a thread of its own. A handler asks the node's actors and
/// goes; what they answer becomes the response. It decides nothing, keeps nothing and never blocks.
class desk {
public:
  static constexpr const char* name = "api_desk";

  explicit desk(desk_actor::pointer self) : self_(self) {}

  desk_actor::behavior_type behavior(desk_links links);

  [[nodiscard]] const desk_links& links() const noexcept { return links_; }
  [[nodiscard]] core::timestamp now() const { return links_.time->wall(); }

  /// The caller this token stands for, or why there is none.
  void with_sender(const shown_sender& shown, std::function<void(std::expected<caller, problem>)> then);

  /// Asks an actor; `then` makes what comes next of its answer, a fault becomes a problem.
  template <class Answer, class Whom, class Question>
  void ask(const Whom& whom, Question question, const responder& answer, std::function<void(Answer&)> then) {
    auto answered = [then = std::move(then)](Answer& given) { then(given); };
    auto failed = [answer](const caf::error& error) { answer(as_response(problem_of(error))); };
    messages::request(self_, whom, links_.request_timeout, std::move(question), answered, failed);
  }

  /// Asks and goes on without an answer where none comes within `patience`: `then` is given null.
  template <class Answer, class Whom, class Question>
  void look(const Whom& whom, core::duration patience, Question question,
            std::function<void(const Answer*)> then) {
    auto answered = [then](const Answer& given) { then(&given); };
    auto failed = [then](const caf::error&) { then(nullptr); };
    messages::request(self_, whom, patience, std::move(question), answered, failed);
  }

  /// The same where the answer is all there is to show.
  template <class Answer, class Whom, class Question>
  void show(const Whom& whom, Question question, const responder& answer,
            std::function<nlohmann::ordered_json(const Answer&)> view) {
    ask<Answer>(whom, std::move(question), answer,
                [answer, view = std::move(view)](Answer& given) { answer(json_of(view(given))); });
  }

  /// Goes on with the rule the route's {rule} names. One that the caller may not see does not exist for them.
  void with_rule(const request& asked, const responder& answer,
                 std::function<void(messages::rule_found&)> then);
  /// The same for a rule that is named otherwise.
  void with_rule(const std::string& rule, const caller& who, const responder& answer,
                 std::function<void(messages::rule_found&)> then);

private:
  void serve(const arrived& request);
  /// Once what is known of its repetitions is.
  void serve_once(const arrived& request);
  [[nodiscard]] responder keeping(const std::string& key_digest, const responder& answer);
  void look_up(const std::string& digest, std::function<void(found_token)> answer);
  [[nodiscard]] static response json_of(const nlohmann::ordered_json& document);

  desk_actor::pointer self_;
  desk_links links_;
};

[[nodiscard]] desk_actor::behavior_type open_desk(desk_actor::stateful_pointer<desk> self, desk_links links);

} // namespace sluice::api

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sluice::api::serve_request)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sluice::api::look_up_token)
