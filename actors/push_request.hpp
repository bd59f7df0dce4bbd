#pragma once

#include "core/event_delivery.hpp"
#include "core/http.hpp"
#include "core/signing_secret.hpp"
#include "core/subscription.hpp"
#include "core/time.hpp"

#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace sluice::actors {

/// Makes the requests of one subscription: its headers are made once, each attempt is signed anew.
class push_request_maker {
public:
  explicit push_request_maker(core::served_subscription subscription);

  /// The event's bytes and its id are the same on every attempt, the timestamp is `now`. The error says why
  /// nothing signs.
  [[nodiscard]] std::expected<core::http_request, std::string> make(const core::change_event& event,
                                                                    core::timestamp now) const;

  /// Whether another look at the subscription found what these requests are made of.
  [[nodiscard]] bool made_of(const core::served_subscription& found) const;

private:
  core::served_subscription subscription_;
  std::shared_ptr<const core::header_lines> headers_;
};

/// Whether there is somebody to push to.
[[nodiscard]] bool may_push(const core::subscription& to) noexcept;

} // namespace sluice::actors
