#pragma once

#include "app/command_context.hpp"

#include <cstdint>
#include <string>

namespace sluice::app {

/// What a person has told to somebody.
struct notification_options {
  std::string contact; ///< a contact point's id
  std::string route;   ///< its name or id
  std::string tenant;
  std::string subject;
  std::string title;
  std::string text;
  std::string html_file; ///< empty: none
  std::string data;      ///< a JSON object; empty: none
  std::string urgency;   ///< empty: normal
  std::string expires_at;
  std::string key; ///< it is sent once, however often it is asked for with this key
};

/// `sluice notifications send`
[[nodiscard]] int send_notification(const command_context& context, const notification_options& options);

struct notification_list_options {
  std::string tenant;  ///< empty: every one
  std::string state;   ///< empty: every one
  std::string contact; ///< empty: every one
  std::int64_t limit = 100;
};

/// `sluice notifications list`
[[nodiscard]] int list_notifications(const command_context& context,
                                     const notification_list_options& options);

/// `sluice notifications show`: with its attempts and what became of each.
[[nodiscard]] int show_notification(const command_context& context, const std::string& id);

/// `sluice notifications cancel`
[[nodiscard]] int cancel_notification(const command_context& context, const std::string& id,
                                      const std::string& reason);

struct settling_options {
  std::string id;
  std::string outcome; ///< accepted or not-sent
  std::string provider_message_id;
  std::string reason;
};

/// `sluice notifications settle`
[[nodiscard]] int settle_notification(const command_context& context, const settling_options& options);

} // namespace sluice::app
