#pragma once

#include "core/notification.hpp"
#include "core/time.hpp"

#include <string>
#include <vector>

/// The Message of FCM's HTTP v1 API ("REST Resource: projects.messages").
namespace sluice::providers {

/// Why the order could never be a message, each a sentence with its field.
[[nodiscard]] std::vector<std::string> faults_of_fcm_message(const core::submission_order& order);

/// The body of messages:send. An order with faults gives a body, too, which FCM will refuse.
[[nodiscard]] std::string fcm_message(const core::submission_order& order, core::timestamp now);

} // namespace sluice::providers
