#pragma once

#include "core/ids.hpp"
#include "core/notification.hpp"
#include "crypto/key_ring.hpp"
#include "storage/soci_session.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

// What is sent and to whom, as it is kept. All of it throws: use inside `guarded`.

namespace sluice::storage {

struct sealed_order {
  std::string public_id; ///< the notification's
  std::string tenant_public_id;
  std::string content; ///< sealed
  std::string contact_public_id;
  core::contact_kind kind = core::contact_kind::email;
  std::string address; ///< sealed
  std::optional<core::suppression_reason> suppressed;
  bool removed = false; ///< the contact point
};

using sealed_orders = std::map<core::notification_id, sealed_order>;

/// Those without a contact point are left out.
[[nodiscard]] sealed_orders read_orders(session& db, std::span<const std::int64_t> notifications);

/// Without the attempt and the expiry. Nothing: no key opens it.
[[nodiscard]] std::optional<core::submission_order> open_order(const sealed_order& sealed,
                                                               const crypto::key_ring& keys);

/// Its address alone; without a text where the contact point was removed or no key opens it.
[[nodiscard]] core::contact_address open_contact_of(const sealed_order& sealed, const crypto::key_ring& keys);

} // namespace sluice::storage
