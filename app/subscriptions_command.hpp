#pragma once

#include "app/command_context.hpp"

#include <optional>
#include <string>
#include <vector>

namespace sluice::app {

struct subscription_list_options {
  std::string tenant; ///< empty: every one
  std::string status; ///< empty: every one
};

/// What a person says of a subscription; what is not said stays as it is.
struct subscription_options {
  std::string tenant; ///< at its making
  std::string mode;   ///< at its making
  std::optional<std::string> name;
  std::optional<std::string> url;
  std::vector<std::string> event_types;
  std::optional<std::string> filter; ///< a JSON object; empty: none
  std::optional<std::string> ordered_by;
  std::vector<std::string> headers;        ///< "Name: value"
  std::vector<std::string> secret_headers; ///< the same; shown masked ever after
  bool no_headers = false;
  std::string signing; ///< empty: as it is
};

/// `sluice subscriptions list`
[[nodiscard]] int list_subscriptions(const command_context& context,
                                     const subscription_list_options& options);

/// `sluice subscriptions show`
[[nodiscard]] int show_subscription(const command_context& context, const std::string& named);

/// `sluice subscriptions create`: the one time, beside a rotation, that its secret is shown.
[[nodiscard]] int create_subscription(const command_context& context, const subscription_options& options);

/// `sluice subscriptions change`
[[nodiscard]] int change_subscription(const command_context& context, const std::string& named,
                                      const subscription_options& options);

/// `sluice subscriptions pause|resume|enable|disable`
[[nodiscard]] int set_subscription_status(const command_context& context, const std::string& named,
                                          const std::string& act, const std::string& reason);

/// `sluice subscriptions rotate`
[[nodiscard]] int rotate_subscription(const command_context& context, const std::string& named,
                                      const std::string& signing);

/// `sluice subscriptions test`
[[nodiscard]] int test_subscription(const command_context& context, const std::string& named);

/// `sluice subscriptions remove`, which asks unless `yes`.
[[nodiscard]] int remove_subscription(const command_context& context, const std::string& named, bool yes);

} // namespace sluice::app
