#pragma once

#include "app/command_context.hpp"

#include <cstdint>
#include <string>

namespace sluice::app {

struct delivery_list_options {
  std::string subscription; ///< name or id
  std::string state;        ///< empty: every one
  std::int64_t limit = 100; ///< the newest so many
};

/// `sluice subscriptions deliveries`
[[nodiscard]] int list_deliveries(const command_context& context, const delivery_list_options& options);

/// `sluice subscriptions attempts`: the tries to push one event, with what was answered.
[[nodiscard]] int list_attempts(const command_context& context, const std::string& subscription,
                                const std::string& event);

/// `sluice subscriptions retry`
[[nodiscard]] int retry_delivery(const command_context& context, const std::string& subscription,
                                 const std::string& event);

} // namespace sluice::app
