#pragma once

#include "core/callback_audit.hpp"
#include "core/contact_record.hpp"
#include "core/notification_record.hpp"
#include "core/provider_report.hpp"
#include "core/reconciliation_item.hpp"
#include "messages/callback_intake.hpp"
#include "tests/conformance/conformance_world.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::tests {

/// What is posted back, and how it is signed.
struct posted_callback {
  std::string body;
  std::string id = "evt_1"; ///< the header webhook-id, by which a duplicate is known
  std::string type = "application/json";
  bool forged = false;
  std::string profile{}; ///< the address's last part; empty: the receiver's
};

/// A node that sends notifications and takes callbacks: a receiver of the provider "webhook" that takes every
/// message as "m-1", "m-2", …, and the real adapter, intake, projector, reconciler and database.
struct callback_world : conformance_world {
  /// Whether the receiver can be asked what became of a message.
  explicit callback_world(bool askable = true);

  /// Made, and sent as far as no time has to pass for it.
  core::notification_record notify(const std::string& text = "It is there.");
  [[nodiscard]] core::notification_record now_of(const core::notification_record& of);
  [[nodiscard]] std::string state(const core::notification_record& of);
  [[nodiscard]] core::notification_attempt attempt(const core::notification_record& of); ///< its last
  /// What the last attempt's projection says; "": nothing.
  [[nodiscard]] std::string told(const core::notification_record& of);

  core::callback_outcome post(const posted_callback& what);
  core::callback_outcome tell(const std::string& message, const std::string& word, const std::string& id);

  [[nodiscard]] std::vector<core::kept_event> events(); ///< oldest first
  [[nodiscard]] std::vector<core::refused_callback> refused();
  [[nodiscard]] std::vector<core::reconciliation_item> targets(core::reconciliation_target kind);
  [[nodiscard]] std::size_t sent() { return target("receiver").count("POST"); }

  messages::callback_intake intake;

private:
  std::string profile_;
  core::contact_point_id person_{};
  core::notification_route_id route_{};
};

} // namespace sluice::tests
