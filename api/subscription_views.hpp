#pragma once

#include "api/views.hpp"
#include "core/audit.hpp"
#include "core/change_event.hpp"
#include "core/event_delivery.hpp"
#include "core/pull.hpp"
#include "core/subscription.hpp"

#include <string>

/// How subscriptions, events and deliveries look in JSON: in the API's answers and in the commands' --json
/// alike.
namespace sluice::api {

/// Its secret, and the values of headers that must not be seen, are masked.
[[nodiscard]] json subscription_view(const core::subscription& one);
[[nodiscard]] json event_view(const core::change_event& event); ///< without its body
[[nodiscard]] json event_delivery_view(const core::event_delivery& delivery);
[[nodiscard]] json attempt_view(const core::delivery_attempt& attempt);
[[nodiscard]] json audit_view(const core::audit_entry& entry);

/// A page of events as text: each body in it is the event's own bytes.
[[nodiscard]] std::string pull_page_text(const core::pull_page& page);

} // namespace sluice::api
