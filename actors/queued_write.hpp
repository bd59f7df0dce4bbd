#pragma once

#include "actors/reply.hpp"
#include "storage/error.hpp"

#include <caf/typed_response_promise.hpp>
#include <caf/unit.hpp>

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace sluice::actors {

/// A write on its way into a transaction, and those who wait for it.
template <class Answer, class Request>
struct queued_write {
  using value = std::conditional_t<std::is_void_v<Answer>, caf::unit_t, Answer>;

  Request ask;
  std::optional<value> answer;
  std::vector<caf::typed_response_promise<Answer>> waiting;

  /// The transaction is through, or not.
  void tell(const std::optional<storage::failure>& failed) {
    for (auto& each : waiting) {
      auto& promise = static_cast<caf::response_promise&>(each);
      if (failed)
        promise.deliver(to_error(*failed));
      else
        promise.deliver(*answer);
    }
  }
};

} // namespace sluice::actors
