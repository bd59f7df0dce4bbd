#pragma once

#include "api/notification_views.hpp"
#include "api/operation_parts.hpp"
#include "api/subscription_parts.hpp"
#include "messages/notification_overview.hpp"
#include "messages/notification_registrar.hpp"

#include <functional>
#include <optional>
#include <string>

/// What the operations on profiles, contact points, routes and notifications share. What the caller may not
/// see does not exist for them.
namespace sluice::api {

/// Goes on with what the path's {profile}, {contact}, {route} or {notification} names.
void with_profile(desk& at, const request& asked, const responder& answer,
                  std::function<void(core::profile_record&)> then);
void with_contact(desk& at, const request& asked, const responder& answer,
                  std::function<void(core::contact_record&)> then);
void with_route(desk& at, const request& asked, const responder& answer,
                std::function<void(core::notification_route&)> then);
void with_notification(desk& at, const request& asked, const responder& answer,
                       std::function<void(messages::notification_found&)> then);

/// Why the caller may not do what concerns every tenant; nothing where they may.
[[nodiscard]] std::optional<problem> limited_to_tenants(const caller& who);

/// The query's true or false; absent without it.
[[nodiscard]] std::expected<std::optional<bool>, problem> query_flag(const request& asked,
                                                                     const std::string& name);

/// The word of the query that is one of an enum's; absent without it.
template <class Enum>
std::expected<std::optional<Enum>, problem> query_word(const request& asked, const std::string& name,
                                                       std::optional<Enum> (*parse)(std::string_view),
                                                       const std::string& allowed) {
  const auto word = query_text(asked, name);
  if (word.empty())
    return std::optional<Enum>{};
  const auto parsed = parse(word);
  if (!parsed)
    return std::unexpected{invalid_member(name, name + " must be " + allowed)};
  return parsed;
}

/// "a, b or c": every word of an enum of `count` values.
template <class Enum>
std::string words_of(std::size_t count) {
  std::string words;
  for (std::size_t i = 0; i < count; ++i)
    words += (i == 0           ? ""
              : i + 1 == count ? " or "
                               : ", ")
             + std::string{core::to_string(static_cast<Enum>(i))};
  return words;
}

/// The page's tenants: those the caller sees, and of these the one the query names.
template <class Page>
void scope_page(const request& asked, Page& page) {
  page.tenants = asked.who.tenants;
  if (auto tenant = query_text(asked, "tenant"); !tenant.empty())
    page.tenant = std::move(tenant);
}

} // namespace sluice::api
