#include "api/notification_parts.hpp"

#include <utility>

namespace sluice::api {

namespace m = messages;

void with_profile(desk& at, const request& asked, const responder& answer,
                  std::function<void(core::profile_record&)> then) {
  at.ask<core::profile_record>(at.links().notification_overview,
                               m::find_profile{asked.parameters.at("profile"), asked.who.tenants}, answer,
                               std::move(then));
}

void with_contact(desk& at, const request& asked, const responder& answer,
                  std::function<void(core::contact_record&)> then) {
  at.ask<core::contact_record>(at.links().notification_overview,
                               m::find_contact{asked.parameters.at("contact"), asked.who.tenants}, answer,
                               std::move(then));
}

void with_route(desk& at, const request& asked, const responder& answer,
                std::function<void(core::notification_route&)> then) {
  at.ask<core::notification_route>(at.links().notification_overview,
                                   m::find_route{asked.parameters.at("route"), asked.who.tenants}, answer,
                                   std::move(then));
}

void with_notification(desk& at, const request& asked, const responder& answer,
                       std::function<void(m::notification_found&)> then) {
  at.ask<m::notification_found>(at.links().notification_overview,
                                m::find_notification{asked.parameters.at("notification"), asked.who.tenants},
                                answer, std::move(then));
}

std::expected<std::optional<bool>, problem> query_flag(const request& asked, const std::string& name) {
  const auto word = query_text(asked, name);
  if (word.empty())
    return std::optional<bool>{};
  if (word != "true" && word != "false")
    return std::unexpected{invalid_member(name, name + " must be true or false")};
  return word == "true";
}

std::optional<problem> limited_to_tenants(const caller& who) {
  if (who.tenants.everything())
    return std::nullopt;
  return everything_is_not_theirs();
}

} // namespace sluice::api
