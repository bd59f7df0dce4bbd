#pragma once

#include "api/desk.hpp"
#include "api/json_body.hpp"
#include "api/views.hpp"

#include <memory>
#include <string>

/// What several operations share.
namespace sluice::api {

/// Who acts, as the history names them.
[[nodiscard]] inline std::string actor_of(body_reader& body) {
  auto by = body.optional_text("by", 200);
  return by && !by->empty() ? std::move(*by) : std::string{"api"};
}

/// What the ids of a `names_listed` are called. An id that is gone by now is called by its number.
[[nodiscard]] names names_of(messages::names_listed listed);

/// Answers with the problem and says that there is one.
[[nodiscard]] inline bool refused(const std::optional<problem>& fault, const responder& answer) {
  if (fault)
    answer(as_response(*fault));
  return fault.has_value();
}

/// Goes on with what ids are called.
void with_names(desk& at, const responder& answer, std::function<void(const names&)> then);

} // namespace sluice::api
