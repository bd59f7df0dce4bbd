#include "app/callback_delivery.hpp"
#include "tests/app/notification_world.hpp"

namespace sluice::app {
namespace {

using tests::http_client;
using tests::json;
using tests::notification_world;

const std::string attempt = "01890a5d-ac96-774b-bcce-b302099a8057";

/// A bounce of that attempt's message, as a mail server writes it.
std::string bounce(const std::string& id = attempt,
                   const std::string& date = "Mon, 30 Nov 2026 10:00:00 +0000") {
  return "Subject: Undelivered Mail\nDate: " + date
         + "\nContent-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n"
           "Reporting-MTA: dns; mx.example\n\nAction: failed\nStatus: 5.1.1\n\n--b\nContent-Type: "
           "text/rfc822-headers\n\nMessage-ID: <"
         + id + "@example.com>\n\n--b--\n";
}

/// A node with the profile "mail" of an SMTP server.
struct bounce_world : notification_world {
  bounce_world() {
    profile =
        made_at("/v1/profiles", {{"name", "mail"},
                                 {"provider", "smtp"},
                                 {"settings", {{"host", "mx.example.com"}, {"from", "news@example.com"}}}});
    options.profile = "mail";
  }

  [[nodiscard]] int pipe(const std::string& mail) const {
    text_source source{mail};
    return deliver_callback(context, options, source);
  }

  [[nodiscard]] int mailbox_of(const std::string& text) {
    options.mailbox = folder.file("mailbox", text);
    return deliver_callbacks(context, options);
  }

  [[nodiscard]] json events() const { return ask("GET", "/v1/provider-events").document.at("events"); }

  [[nodiscard]] int post(const std::string& mail, const std::string& headers) const {
    return http_client{port()}
        .send("POST", "/v1/profiles/" + id_of(profile) + "/reports", mail, headers)
        .status;
  }

  json profile;
  callback_delivery_options options;
};

TEST_CASE("a bounce that is piped to the command is recorded, and once however often it comes") {
  bounce_world w;
  CHECK(w.pipe(bounce()) == exit_ok);
  CHECK(w.pipe("From MAILER-DAEMON Mon Nov 30\n" + bounce()) == exit_ok);
  const auto events = w.events();
  REQUIRE(events.size() == 2);
  CHECK(events[0].at("progress") == "duplicate");
  CHECK(events[1].at("type") == "bounced");
  CHECK(events[1].at("provider_message_id") == attempt + "@example.com");
  w.options.tenant = "acme";
  CHECK(w.pipe(bounce()) == exit_ok);
}

TEST_CASE(
    "what can never be read ends as such, and what a person has to mend has the mail server come again") {
  bounce_world w;
  CHECK(w.pipe("Subject: I am on holiday\n\nUntil Monday.\n") == exit_never_read);
  CHECK(w.pipe("") == exit_never_read);
  CHECK(w.pipe(bounce("someone-else")) == exit_never_read);
  CHECK(w.events().empty());
  w.options.profile = "nobody";
  CHECK(w.pipe(bounce()) == exit_come_again);
  w.options.profile = "mail";
  w.options.tenant = "globex";
  CHECK(w.pipe(bounce()) == exit_come_again);
  w.options = {w.id_of(w.made_profile()), {}, {}}; // a webhook's
  CHECK(w.pipe(bounce()) == exit_come_again);
  w.options.profile = "mail";
  CHECK(w.node->stop());
  w.node.reset();
  CHECK(w.pipe(bounce()) == exit_come_again);
}

TEST_CASE("of a mailbox each mail is recorded once, also when it is read again") {
  bounce_world w;
  const auto other = "01890a5d-ac96-774b-bcce-b302099a8058";
  const auto box =
      "From MAILER-DAEMON Mon\n" + bounce() + "\nFrom MAILER-DAEMON Mon\n" + bounce(other) + "\n";
  CHECK(w.mailbox_of(box) == exit_ok);
  CHECK(w.mailbox_of(box) == exit_ok);
  CHECK(w.pipe(bounce(other)) == exit_ok); // it came by the pipe, too
  std::size_t duplicates = 0;
  for (const auto& event : w.events())
    duplicates += event.at("progress") == "duplicate" ? 1 : 0;
  CHECK(w.events().size() == 5);
  CHECK(duplicates == 3);
  CHECK(w.mailbox_of("From a Mon\nSubject: spam\n\nBuy!\n\n" + box) == exit_never_read);
  CHECK(w.events().size() == 7);
  CHECK(w.mailbox_of("") == exit_ok);
  CHECK(w.mailbox_of("Subject: no mailbox\n") == exit_never_read);
  w.options.mailbox = w.folder.path("nowhere");
  CHECK(deliver_callbacks(w.context, w.options) == exit_come_again);
}

TEST_CASE("a bounce with a long message behind it is recorded from its beginning") {
  bounce_world w;
  CHECK(w.pipe(bounce() + std::string(std::size_t{1} << 20U, 'x')) == exit_ok);
  CHECK(w.events().size() == 1);
}

TEST_CASE("a report is taken from an operator alone, as a mail, within the limit of callbacks") {
  bounce_world w;
  const auto bearer = "Authorization: Bearer " + w.context.settings.api.token + "\r\n";
  const std::string mail = "Content-Type: message/rfc822\r\n";
  CHECK(w.post(bounce(), mail) == 401);
  CHECK(w.post(bounce(), bearer + mail) == 200);
  CHECK(w.post(bounce(), bearer + "Content-Type: text/plain\r\n") == 415);
  CHECK(w.post(std::string((std::size_t{256} << 10U) + 1, 'x'), bearer + mail) == 413);
  const auto address = "/v1/callbacks/" + w.id_of(w.profile);
  CHECK(http_client{w.port()}.send("POST", address, bounce(), "Content-Type: text/plain\r\n").status == 404);
  CHECK(w.events().size() == 1);
}

TEST_CASE("a report is of no other tenant's profile than the token's") {
  bounce_world w;
  const auto globex = w.folder.file("globex.toml", w.configuration("globex", "g-"));
  REQUIRE(apply(w.context, {.file = globex, .yes = true}) == exit_ok);
  const json wanted{{"name", "bounces"}, {"role", "operator"}, {"tenants", json::array({"globex"})}};
  const auto made = w.ask("POST", "/v1/tokens", wanted);
  REQUIRE(made.status == 201);
  const auto headers = "Authorization: Bearer " + made.document.at("token").get<std::string>()
                       + "\r\nContent-Type: message/rfc822\r\n";
  CHECK(w.post(bounce(), headers) == 404);
}

} // namespace
} // namespace sluice::app
