#pragma once

#include "api/http_message.hpp"
#include "api/problem.hpp"
#include "api/views.hpp"
#include "core/configuration.hpp"
#include "messages/overview.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

/// What is checked of a configuration before anything is written, and how one thing of it is named.
namespace sluice::api {

enum class one_thing : std::uint8_t { tenant, connection, rule };

/// A configuration whose text has these faults.
[[nodiscard]] problem faulty(const std::vector<std::string>& faults);

/// A configuration of the one thing the path names, from a body that is its table of an apply file without
/// the name.
[[nodiscard]] std::expected<core::configuration, problem> only(one_thing what, const request& asked);

/// What the caller has seen of it, by If-Match, or that there was nothing, by If-None-Match: *
/// (RFC 9110 section 13.1). Nothing: they do not say.
[[nodiscard]] std::expected<std::optional<core::seen_version>, problem> seen_by(const request& asked,
                                                                                one_thing what);

[[nodiscard]] std::string etag_of(core::timestamp changed_at);

/// Why the caller may not have it so: something it names, makes or changes is another tenant's.
[[nodiscard]] std::optional<problem> not_theirs(const caller& who, const core::configuration& wanted,
                                                const messages::connections_listed& connections,
                                                const messages::rules_listed& rules);

[[nodiscard]] json rule_view(const messages::rule_found& found);

} // namespace sluice::api
