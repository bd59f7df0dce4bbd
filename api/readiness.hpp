#pragma once

#include "api/desk.hpp"
#include "core/rule_state.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace sluice::api {

/// Whether the node can do what it is there for: the database answers, the lease is held, the dispatcher
/// shows signs of life. The database is asked at most once a second however many ask here, for nobody needs a
/// token to. Lives in the desk.
class readiness : public std::enable_shared_from_this<readiness> {
public:
  void ask(desk& at, const responder& answer);

private:
  void look(desk& at);
  void answer_all(desk& at);
  [[nodiscard]] response verdict(const desk& at) const;

  std::optional<core::installation_facts> found_; ///< absent: the database did not answer
  std::optional<core::duration> looked_at_;       ///< steady
  std::vector<responder> waiting_;
};

} // namespace sluice::api
