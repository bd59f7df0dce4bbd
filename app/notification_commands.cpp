#include "app/notification_commands.hpp"

#include "app/callback_delivery.hpp"
#include "app/callbacks_command.hpp"
#include "app/contacts_command.hpp"
#include "app/keys_command.hpp"
#include "app/notifications_command.hpp"
#include "app/profiles_command.hpp"
#include "app/reconciliation_command.hpp"

#include <memory>

namespace sluice::app {
namespace {

const std::vector<std::string> kind_words{"email",    "phone", "fcm_installation", "fcm_token", "apns_token",
                                          "web_push", "other"};
const std::vector<std::string> state_words{"queued",    "dispatching", "accepted", "rejected",
                                           "ambiguous", "failed",      "expired",  "cancelled"};

/// One thing, and what is said of it.
struct one_thing {
  std::string named;
  std::string reason;
  bool yes = false;
  bool reveal = false;
};

template <class Action>
std::pair<CLI::App*, std::shared_ptr<one_thing>>
add_one(CLI::App& under, const command_adder& add, const std::string& name, const std::string& description,
        const char* value, Action action) {
  auto options = std::make_shared<one_thing>();
  auto* made = add(under, name, description,
                   [options, action](const command_context& context) { return action(context, *options); });
  made->add_option(value == std::string{"NAME"} ? "name" : "id", options->named,
                   value == std::string{"NAME"} ? "Its name or id" : "Its id")
      ->required()
      ->type_name(value);
  return {made, options};
}

void add_reason(const std::pair<CLI::App*, std::shared_ptr<one_thing>>& to) {
  to.first->add_option("--reason", to.second->reason, "Why, for the audit")->type_name("TEXT");
}

void add_yes(const std::pair<CLI::App*, std::shared_ptr<one_thing>>& to) {
  to.first->add_flag("--yes", to.second->yes, "Do not ask");
}

void add_limit(CLI::App& to, std::int64_t& limit) {
  to.add_option("--limit", limit, "So many; default: 100")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000}))
      ->type_name("N");
}

void add_sending(CLI::App& group, const command_adder& add) {
  auto said = std::make_shared<notification_options>();
  auto* made = add(group, "send", "Tell somebody something",
                   [said](const command_context& c) { return send_notification(c, *said); });
  made->add_option("contact", said->contact, "The contact point's id")->required()->type_name("ID");
  made->add_option("--route", said->route, "The profiles it is tried with, by the route's name or id")
      ->required()
      ->type_name("NAME");
  made->add_option("--tenant", said->tenant, "Whose it is")->type_name("NAME");
  made->add_option("--subject", said->subject, "Of an e-mail")->type_name("TEXT");
  made->add_option("--title", said->title, "Of a push message")->type_name("TEXT");
  made->add_option("--text", said->text, "Plain text")->type_name("TEXT");
  made->add_option("--html", said->html_file, "Of an e-mail; - for standard input")->type_name("FILE");
  made->add_option("--data", said->data, "An object for an app")->type_name("JSON");
  made->add_option("--urgency", said->urgency, "How soon it is to be seen; default: normal")
      ->check(CLI::IsMember({"very_low", "low", "normal", "high"}))
      ->type_name("WORD");
  made->add_option("--expires", said->expires_at, "Nobody wants it from then on")->type_name("TIME");
  made->add_option("--key", said->key, "Send it once, however often it is asked for with this key")
      ->type_name("KEY");
}

void add_notifications(CLI::App& app, const command_adder& add) {
  auto& group = command_group(app, "notifications", "What is to be told to people, and how it goes");
  add_sending(group, add);
  auto listed = std::make_shared<notification_list_options>();
  auto* list = add(group, "list", "Show the newest",
                   [listed](const command_context& c) { return list_notifications(c, *listed); });
  list->add_option("--tenant", listed->tenant, "Those of this tenant")->type_name("NAME");
  list->add_option("--state", listed->state, "Those in this state")
      ->check(CLI::IsMember(state_words))
      ->type_name("WORD");
  list->add_option("--contact", listed->contact, "Those to this contact point")->type_name("ID");
  add_limit(*list, listed->limit);
  add_one(group, add, "show", "Show one with its attempts and what became of each", "ID",
          [](const command_context& c, const one_thing& of) { return show_notification(c, of.named); });
  add_reason(add_one(group, add, "cancel", "Do not send one that is queued", "ID",
                     [](const command_context& c, const one_thing& of) {
                       return cancel_notification(c, of.named, of.reason);
                     }));
  auto settled = std::make_shared<settling_options>();
  auto* settle = add(group, "settle", "Say what became of an ambiguous one, which no query can tell",
                     [settled](const command_context& c) { return settle_notification(c, *settled); });
  settle->add_option("id", settled->id, "Its id")->required()->type_name("ID");
  settle->add_option("outcome", settled->outcome, "The provider took it, or it is to be sent again")
      ->required()
      ->check(CLI::IsMember({"accepted", "not-sent"}))
      ->type_name("WORD");
  settle
      ->add_option("--message-id", settled->provider_message_id,
                   "The provider's id of it, where it was taken")
      ->type_name("ID");
  settle->add_option("--reason", settled->reason, "How it was found out, for the audit")->type_name("TEXT");
}

void add_contacts(CLI::App& app, const command_adder& add) {
  auto& group = command_group(app, "contacts", "Addresses of people, sealed");
  auto said = std::make_shared<contact_options>();
  auto* made = add(group, "add", "The contact point of an address, made where there is none",
                   [said](const command_context& c) { return add_contact(c, *said); });
  made->add_option("kind", said->kind, "What the address is")
      ->required()
      ->check(CLI::IsMember(kind_words))
      ->type_name("WORD");
  made->add_option("address", said->address, "The address; - for standard input, which no process list shows")
      ->required()
      ->type_name("ADDRESS");
  made->add_option("--tenant", said->tenant, "Whose it is")->type_name("NAME");
  auto listed = std::make_shared<contact_list_options>();
  auto* list = add(group, "list", "Show contact points, without their addresses",
                   [listed](const command_context& c) { return list_contacts(c, *listed); });
  list->add_option("--tenant", listed->tenant, "Those of this tenant")->type_name("NAME");
  list->add_option("--kind", listed->kind, "Those of this kind")
      ->check(CLI::IsMember(kind_words))
      ->type_name("WORD");
  list->add_flag("--suppressed", listed->suppressed, "Suppressed ones alone");
  auto [show, shown] =
      add_one(group, add, "show", "Show one", "ID", [](const command_context& c, const one_thing& of) {
        return show_contact(c, of.named, of.reveal);
      });
  show->add_flag("--reveal", shown->reveal, "Its address, too; the audit has who asked");
  add_reason(add_one(group, add, "suppress", "Send nothing to it any more", "ID",
                     [](const command_context& c, const one_thing& of) {
                       return suppress_contact(c, of.named, of.reason);
                     }));
  add_reason(add_one(
      group, add, "lift", "Send to a suppressed one again", "ID",
      [](const command_context& c, const one_thing& of) { return lift_contact(c, of.named, of.reason); }));
  add_yes(add_one(
      group, add, "remove", "Remove it for good, its address at once", "ID",
      [](const command_context& c, const one_thing& of) { return remove_contact(c, of.named, of.yes); }));
}

/// Lists by tenant.
template <class Action>
void add_tenant_list(CLI::App& group, const command_adder& add, const std::string& description,
                     Action action) {
  auto tenant = std::make_shared<std::string>();
  auto* made = add(group, "list", description,
                   [tenant, action](const command_context& c) { return action(c, *tenant); });
  made->add_option("--tenant", *tenant, "Those of this tenant")->type_name("NAME");
}

void add_profiles(CLI::App& app, const command_adder& add) {
  auto& group = command_group(app, "profiles", "Accounts at providers of notifications");
  add_tenant_list(group, add, "Show the profiles", list_profiles);
  add_one(group, add, "show", "Show one, its credentials masked", "NAME",
          [](const command_context& c, const one_thing& of) { return show_profile(c, of.named); });
  auto file = std::make_shared<std::string>();
  auto* set = add(group, "set", "Make the profile a file describes, or change the one of its name",
                  [file](const command_context& c) { return set_profile(c, *file); });
  set->add_option("file", *file,
                  "JSON: tenant, name, provider, settings and credentials; - for standard input")
      ->required()
      ->type_name("FILE");
  add_yes(add_one(
      group, add, "remove", "Remove it for good, its credentials at once", "NAME",
      [](const command_context& c, const one_thing& of) { return remove_profile(c, of.named, of.yes); }));
}

void add_routes(CLI::App& app, const command_adder& add) {
  auto& group = command_group(app, "routes", "The profiles notifications are tried with, in their order");
  add_tenant_list(group, add, "Show the routes", list_routes);
  auto said = std::make_shared<route_options>();
  auto* set = add(group, "set", "Make a route, or change the one of its name",
                  [said](const command_context& c) { return set_route(c, *said); });
  set->add_option("name", said->name, "Its name")->required()->type_name("NAME");
  set->add_option("profiles", said->profiles, "The first profile's name, then those of its fallbacks")
      ->required()
      ->type_name("PROFILE");
  set->add_option("--tenant", said->tenant, "Whose it is")->type_name("NAME");
  add_yes(add_one(
      group, add, "remove", "Remove it for good", "NAME",
      [](const command_context& c, const one_thing& of) { return remove_route(c, of.named, of.yes); }));
}

void add_callbacks(CLI::App& app, const command_adder& add) {
  auto& group = command_group(app, "callbacks", "What providers tell of notifications");
  auto listed = std::make_shared<callback_list_options>();
  auto* list = add(group, "list", "Show the newest events",
                   [listed](const command_context& c) { return list_callbacks(c, *listed); });
  list->add_option("--progress", listed->progress, "Those that have come so far")
      ->check(CLI::IsMember({"pending", "unmatched", "matched", "duplicate"}))
      ->type_name("WORD");
  auto refused = std::make_shared<callback_list_options>();
  auto* denied = add(group, "refused", "Show the newest callbacks that were refused",
                     [refused](const command_context& c) { return list_refused_callbacks(c, *refused); });
  for (const auto& [to, options] : {std::pair{list, listed}, std::pair{denied, refused}}) {
    to->add_option("--profile", options->profile, "To this profile alone, by its name or id")
        ->type_name("NAME");
    add_limit(*to, options->limit);
  }
  auto delivery = std::make_shared<callback_delivery_options>();
  auto* delivered = add(
      group, "deliver", "Record bounce reports that came by mail: one from standard input, or a mailbox",
      [delivery](const command_context& c) { return deliver_callbacks(c, *delivery); }, exit_come_again);
  delivered->add_option("--profile", delivery->profile, "Whose messages they are about, by its name or id")
      ->required()
      ->type_name("NAME");
  delivered->add_option("--tenant", delivery->tenant, "The profile's")->type_name("NAME");
  delivered->add_option("--mailbox", delivery->mailbox, "A file of mails in the form mboxrd")
      ->type_name("FILE");
  add(group, "replay", "Make what became of messages anew from the events that are kept", replay_callbacks);
}

void add_keys(CLI::App& app, const command_adder& add) {
  auto& group = command_group(app, "keys", "The keys of the settings");
  add(group, "list", "Show each key, and how much needs it", list_keys);
  add(group, "rotate", "Make anew, with the first key of the settings, what other keys made", rotate_keys);
}

void add_reconciliation(CLI::App& app, const command_adder& add) {
  auto wanted = std::make_shared<reconciliation_options>();
  auto* made =
      add(app, "reconciliation", "Show what is not known yet, of notifications and of rules' creates",
          [wanted](const command_context& c) { return list_unsettled(c, *wanted); });
  made->add_option("--kind", wanted->kind, "Of this kind alone")
      ->check(CLI::IsMember({"lapsed_attempt", "ambiguous_submission", "overdue_callback", "unmatched_event",
                             "unknown_create"}))
      ->type_name("WORD");
  made->add_flag("--for-people", wanted->for_people, "Those alone that only a person can end");
}

} // namespace

void add_notification_commands(CLI::App& app, const command_adder& add) {
  add_notifications(app, add);
  add_contacts(app, add);
  add_profiles(app, add);
  add_routes(app, add);
  add_callbacks(app, add);
  add_reconciliation(app, add);
  add_keys(app, add);
}

} // namespace sluice::app
