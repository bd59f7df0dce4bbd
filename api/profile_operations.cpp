#include "api/configuration_checks.hpp"
#include "api/notification_parts.hpp"
#include "api/operations.hpp"

#include <caf/send.hpp>

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::size_t word_bytes_max = 20;

std::string providers() {
  return words_of<core::provider_kind>(core::provider_kinds);
}

void list(desk& at, const request& asked, const responder& answer) {
  const auto place = page_of(asked, "after");
  const auto provider =
      query_word<core::provider_kind>(asked, "provider", core::parse_provider_kind, providers());
  if (!place || !provider) {
    answer(as_response(place ? provider.error() : place.error()));
    return;
  }
  core::profile_page page;
  scope_page(asked, page);
  page.provider = *provider;
  page.after_id = {place->from};
  page.limit = place->limit;
  at.show<m::profiles_listed>(at.links().notification_overview, m::list_profiles{page}, answer,
                              [limit = page.limit](const m::profiles_listed& listed) {
                                return listed_view("profiles", "next_after", listed.profiles, limit,
                                                   profile_view,
                                                   [](const auto& one) { return one.profile.id.value; });
                              });
}

/// What is written over what is there. True: credentials came along.
bool read_profile(body_reader& body, core::provider_profile& into) {
  if (auto name = body.optional_text("name", core::profile_name_bytes_max))
    into.name = std::move(*name);
  if (auto settings = body.optional_object_text("settings"))
    into.settings = settings->empty() ? "{}" : std::move(*settings);
  auto credentials = body.optional_object_text("credentials");
  if (credentials)
    into.credentials = std::move(*credentials);
  return credentials.has_value();
}

core::provider_kind provider_of(body_reader& body) {
  const auto provider = core::parse_provider_kind(body.text("provider", 1, word_bytes_max));
  if (!provider)
    body.refuse("provider", "provider must be " + providers());
  return provider.value_or(core::provider_kind::webhook);
}

/// What is sent from here on goes by its new settings.
void hint_changed(const desk& at) {
  caf::anon_send(at.links().notification_dispatcher, m::profiles_changed{});
}

void answer_written(const m::profile_written& done, const responder& answer, int status) {
  if (!done.faults.empty())
    answer(as_response(faulty(done.faults)));
  else
    answer(tagged(done.record.revision, profile_view(done.record), status));
}

void make(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  m::make_profile act;
  const auto tenant = body.optional_text("tenant", 200).value_or("");
  act.wanted.provider = provider_of(body);
  act.wanted.settings = "{}";
  (void)read_profile(body, act.wanted);
  act.by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  auto owner = tenant_of(asked.who, tenant);
  if (!owner) {
    answer(as_response(owner.error()));
    return;
  }
  act.wanted.tenant = std::move(*owner);
  at.ask<m::profile_written>(at.links().notification_registrar, std::move(act), answer,
                             [answer](m::profile_written& done) { answer_written(done, answer, 201); });
}

void show(desk& at, const request& asked, const responder& answer) {
  with_profile(at, asked, answer,
               [answer](core::profile_record& one) { answer(tagged(one.revision, profile_view(one))); });
}

/// The members that are sent; the others stay.
void change(desk& at, const request& asked, const responder& answer) {
  with_profile(at, asked, answer, [&at, asked, answer](core::profile_record& one) {
    body_reader body{asked};
    m::change_profile act;
    act.change = {one.profile, true, one.revision};
    act.change.keeps_credentials = !read_profile(body, act.change.written);
    act.by = actor_of(asked, body);
    if (refused(body.finish(), answer) || refused(outdated(asked, one.revision, one.profile.name), answer))
      return;
    at.ask<m::profile_written>(at.links().notification_registrar, std::move(act), answer,
                               [&at, answer](m::profile_written& done) {
                                 hint_changed(at);
                                 answer_written(done, answer, 200);
                               });
  });
}

void remove(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  const auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  with_profile(at, asked, answer, [&at, asked, answer, by](core::profile_record& one) {
    if (refused(outdated(asked, one.revision, one.profile.name), answer))
      return;
    const auto revision = asked.if_match.empty() ? std::nullopt : std::optional(one.revision);
    at.ask<m::thing_removed>(at.links().notification_registrar, m::remove_profile{one, revision, by}, answer,
                             [&at, answer, id = one.profile.public_id](m::thing_removed&) {
                               hint_changed(at);
                               answer(json_response({{"removed", id}}));
                             });
  });
}

} // namespace

void add_profile_operations(router& to) {
  const std::string one = "/v1/profiles/{profile}";
  to.add("GET", "/v1/profiles", access::viewer, list);
  to.add("POST", "/v1/profiles", access::administer, make);
  to.add("GET", one, access::viewer, show);
  to.add("PATCH", one, access::administer, change);
  to.add("DELETE", one, access::administer, remove);
}

} // namespace sluice::api
