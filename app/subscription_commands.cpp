#include "app/subscription_commands.hpp"

#include "app/deliveries_command.hpp"
#include "app/events_command.hpp"
#include "app/replay_commands.hpp"
#include "app/subscriptions_command.hpp"

#include <memory>

namespace sluice::app {
namespace {

const std::vector<std::string> signing_words{"hmac_sha256", "ed25519"};

struct named_options {
  std::string subscription;
  std::string event;
  std::string replay;
  std::string reason;
  std::string signing;
  bool yes = false;
  subscription_options said;
};

/// A command on one subscription.
template <class Action>
std::pair<CLI::App*, std::shared_ptr<named_options>>
add_named(CLI::App& under, const command_adder& add, const std::string& name, const std::string& description,
          Action action) {
  auto options = std::make_shared<named_options>();
  auto* made = add(under, name, description,
                   [options, action](const command_context& context) { return action(context, *options); });
  made->add_option("subscription", options->subscription, "Its name or id")->required()->type_name("NAME");
  return {made, options};
}

void add_settings(CLI::App& to, subscription_options& said) {
  to.add_option("--url", said.url, "Where its events are posted")->type_name("URL");
  to.add_option(
        "--event", said.event_types,
        "A type it wants, \"customers.*\" for all beneath a word; may be repeated; default: every one")
      ->type_name("TYPE");
  to.add_option("--filter", said.filter, "A predicate on the event's body; \"\" for none")->type_name("JSON");
  to.add_option("--ordered-by", said.ordered_by,
                "A JSON pointer into the body: events of one value go one after the other")
      ->type_name("POINTER");
  to.add_option("--header", said.headers, "\"Name: value\", sent with each push; may be repeated")
      ->type_name("HEADER");
  to.add_option("--secret-header", said.secret_headers, "The same, and never shown again")
      ->type_name("HEADER");
}

void add_signing(CLI::App& to, std::string& into, const std::string& otherwise) {
  to.add_option("--signing", into, "How its receiver verifies what comes; default: " + otherwise)
      ->check(CLI::IsMember(signing_words))
      ->type_name("WORD");
}

void add_list(CLI::App& group, const command_adder& add) {
  auto options = std::make_shared<subscription_list_options>();
  auto* made = add(group, "list", "Show the subscriptions",
                   [options](const command_context& c) { return list_subscriptions(c, *options); });
  made->add_option("--tenant", options->tenant, "Those of this tenant")->type_name("NAME");
  made->add_option("--status", options->status, "Those of this status")
      ->check(CLI::IsMember({"active", "paused", "disabled"}))
      ->type_name("WORD");
}

void add_making(CLI::App& group, const command_adder& add) {
  auto said = std::make_shared<subscription_options>();
  auto* made = add(group, "create", "Make a subscription; its secret is shown this once",
                   [said](const command_context& c) { return create_subscription(c, *said); });
  made->add_option("name", said->name, "Its name")->required()->type_name("NAME");
  made->add_option("--tenant", said->tenant, "Whose events it wants")->type_name("NAME");
  made->add_option("--mode", said->mode, "Events are posted to it, or its owner reads them; default: push")
      ->check(CLI::IsMember({"push", "pull"}))
      ->type_name("WORD");
  add_settings(*made, *said);
  add_signing(*made, said->signing, "hmac_sha256");
  auto [change, changed] = add_named(group, add, "change", "Change what is named of it; the rest stays",
                                     [](const command_context& c, const named_options& options) {
                                       return change_subscription(c, options.subscription, options.said);
                                     });
  change->add_option("--name", changed->said.name, "Another name")->type_name("NAME");
  add_settings(*change, changed->said);
  change->add_flag("--no-headers", changed->said.no_headers, "Send none of its headers any more");
}

void add_acts(CLI::App& group, const command_adder& add) {
  const std::vector<std::pair<std::string, std::string>> acts{
      {"pause", "Keep its deliveries until it is resumed"},
      {"resume", "Go on with what waited for a paused one"},
      {"enable", "Go on with what waited for a disabled one"},
      {"disable", "Keep its deliveries until it is enabled"}};
  for (const auto& [act, description] : acts) {
    auto [made, options] =
        add_named(group, add, act, description, [act](const command_context& c, const named_options& of) {
          return set_subscription_status(c, of.subscription, act, of.reason);
        });
    made->add_option("--reason", options->reason, "Why, for those who find it so")->type_name("TEXT");
  }
  auto [rotate, rotated] =
      add_named(group, add, "rotate", "Give it a new secret, shown this once; the one before signs beside it",
                [](const command_context& c, const named_options& of) {
                  return rotate_subscription(c, of.subscription, of.signing);
                });
  add_signing(*rotate, rotated->signing, "as before");
  add_named(group, add, "test", "Send a test event to it alone",
            [](const command_context& c, const named_options& of) {
              return test_subscription(c, of.subscription);
            });
  auto [remove, removed] = add_named(group, add, "remove", "Remove it for good",
                                     [](const command_context& c, const named_options& of) {
                                       return remove_subscription(c, of.subscription, of.yes);
                                     });
  remove->add_flag("--yes", removed->yes, "Do not ask");
}

void add_deliveries(CLI::App& group, const command_adder& add) {
  auto options = std::make_shared<delivery_list_options>();
  auto* made = add(group, "deliveries", "Show its newest deliveries",
                   [options](const command_context& c) { return list_deliveries(c, *options); });
  made->add_option("subscription", options->subscription, "Its name or id")->required()->type_name("NAME");
  made->add_option("--state", options->state, "Those in this state")
      ->check(CLI::IsMember({"pending", "delivered", "retrying", "failed", "dead", "skipped_filter"}))
      ->type_name("WORD");
  made->add_option("--limit", options->limit, "So many; default: 100")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000}))
      ->type_name("N");
  const auto of_event = [&](const std::string& name, const std::string& description, auto action) {
    auto [one, named] =
        add_named(group, add, name, description, [action](const command_context& c, const named_options& of) {
          return action(c, of.subscription, of.event);
        });
    one->add_option("event", named->event, "The event's id")->required()->type_name("EVENT");
  };
  of_event("attempts", "Show the tries to push an event, with what was answered", list_attempts);
  of_event("retry", "Deliver an event again", retry_delivery);
}

void add_events(CLI::App& app, const command_adder& add) {
  auto& group = command_group(app, "events", "Events that subscriptions are told");
  auto listed = std::make_shared<event_list_options>();
  auto* list = add(group, "list", "Show the newest events",
                   [listed](const command_context& c) { return list_events(c, *listed); });
  list->add_option("--tenant", listed->tenant, "Those of this tenant")->type_name("NAME");
  list->add_option("--type", listed->type, "Those of this type")->type_name("TYPE");
  list->add_option("--limit", listed->limit, "So many; default: 100")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000}))
      ->type_name("N");
  auto published = std::make_shared<publish_options>();
  auto* publish = add(group, "publish", "Publish an event whose body is the file's bytes",
                      [published](const command_context& c) { return publish_event(c, *published); });
  publish->add_option("file", published->file, "JSON of at most 256 KiB; - for standard input")
      ->required()
      ->type_name("FILE");
  publish->add_option("--type", published->type, "What happened: orders.paid")->required()->type_name("TYPE");
  publish->add_option("--tenant", published->tenant, "Whose event it is")->type_name("NAME");
  publish->add_option("--key", published->key, "Publish it once, however often it is asked for with this key")
      ->type_name("KEY");
}

void add_replays(CLI::App& app, const command_adder& add) {
  auto wanted = std::make_shared<replay_options>();
  auto* made = add(app, "replay", "Deliver again what is retained of a subscription's window",
                   [wanted](const command_context& c) { return replay_window(c, *wanted); });
  made->add_option("subscription", wanted->subscription, "Its name or id")->required()->type_name("NAME");
  made->add_option("--from", wanted->from, "Events that occurred at this time or later")
      ->required()
      ->type_name("TIME");
  made->add_option("--to", wanted->to, "Events that occurred before this time; default: now")
      ->type_name("TIME");
  made->add_option(
          "--state", wanted->states,
          "Deliveries that are delivered, retrying, failed or dead; may be repeated; default: failed "
          "and dead")
      ->type_name("WORD");
  made->add_flag("--yes", wanted->yes, "Do not ask");
  made->add_flag("--no-wait", wanted->no_wait, "Leave it to the node once it has begun");
  auto [list, listed] = add_named(app, add, "replays", "Show a subscription's replays, or end one",
                                  [](const command_context& c, const named_options& of) {
                                    return of.replay.empty() ? list_replays(c, of.subscription)
                                                             : cancel_replay(c, of.subscription, of.replay);
                                  });
  list->add_option("--cancel", listed->replay, "End this one; what it has done stays done")->type_name("ID");
}

} // namespace

void add_subscription_commands(CLI::App& app, const command_adder& add) {
  auto& group = command_group(app, "subscriptions", "Who is told of which events, and how it goes");
  add_list(group, add);
  add_named(group, add, "show", "Show one", [](const command_context& c, const named_options& of) {
    return show_subscription(c, of.subscription);
  });
  add_making(group, add);
  add_acts(group, add);
  add_deliveries(group, add);
  add_events(app, add);
  add_replays(app, add);
}

} // namespace sluice::app
