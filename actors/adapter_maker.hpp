#pragma once

#include "core/notification.hpp"
#include "providers/notification_adapter.hpp"

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sluice::actors {

/// How a profile becomes an adapter that knows the address of its callbacks; the error lists faults, which
/// quote no secret.
using adapter_maker =
    std::function<std::expected<std::shared_ptr<const providers::notification_adapter>,
                                std::vector<std::string>>(const core::provider_profile& profile)>;

} // namespace sluice::actors
