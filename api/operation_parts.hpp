#pragma once

#include "api/desk.hpp"
#include "api/json_body.hpp"
#include "api/views.hpp"

#include <memory>
#include <string>

/// What several operations share.
namespace sluice::api {

/// Who acts, as the history names them: whoever has a token of their own by its name, with what they say of
/// themselves behind it.
[[nodiscard]] std::string actor_of(const request& asked, body_reader& body);

/// What ids are called, and which of them the caller may see. An id that is gone by now is called by its
/// number, and seen by those alone who see everything.
struct seen_names : names {
  std::function<bool(core::rule_id)> shows_rule;
  std::function<bool(core::connection_id)> shows_connection;
  std::function<bool(const std::string&)> shows_tenant;
  bool shows_everything = false;

  /// A stop of everything concerns everybody.
  [[nodiscard]] bool shows(const core::delivery_stop& stop) const;
};
[[nodiscard]] seen_names names_for(const caller& who, messages::names_listed listed);

/// Answers with the problem and says that there is one.
[[nodiscard]] inline bool refused(const std::optional<problem>& fault, const responder& answer) {
  if (fault)
    answer(as_response(*fault));
  return fault.has_value();
}

/// An answer of one document whose ETag is the thing's revision.
[[nodiscard]] response tagged(std::int64_t revision, const nlohmann::ordered_json& view, int status = 200);

/// What is wrong with the version the caller has seen (If-Match); nothing where they do not say.
[[nodiscard]] std::optional<problem> outdated(const request& asked, std::int64_t revision,
                                              const std::string& name);

/// Of whoever asks for what concerns everything and sees some tenants alone.
[[nodiscard]] problem everything_is_not_theirs();

/// Goes on with the connection the route's {connection} names, a disconnected one too. One that the caller
/// may not see does not exist for them.
void with_connection(desk& at, const request& asked, const responder& answer,
                     std::function<void(const core::connection_life&)> then);

/// Goes on with what ids are called and which of them the caller may see.
void with_names(desk& at, const request& asked, const responder& answer,
                std::function<void(const seen_names&)> then);

} // namespace sluice::api
