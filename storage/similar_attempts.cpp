#include "storage/similar_attempts.hpp"

#include "storage/notification_content.hpp"

namespace sluice::storage {
namespace {

constexpr core::duration near = std::chrono::hours{24};
constexpr std::int64_t others_max = 1000;

/// Attempts that may have left. A content is read where the message's id is not known.
constexpr std::string_view others =
    "SELECT a.provider_message_id, t.public_id, n.public_id, "
    "CASE WHEN a.provider_message_id = '' THEN n.content ELSE '' END "
    "FROM notifications AS own JOIN notifications AS n ON n.contact_point_id = own.contact_point_id "
    "JOIN notification_attempts AS a ON a.notification_id = n.id JOIN tenants AS t ON t.id = n.tenant_id "
    "WHERE own.id = :notification AND a.id <> :attempt AND a.profile_id = :profile "
    "AND a.submitted_at >= :since AND a.submitted_at <= :until "
    "AND a.state IN ('dispatching', 'ambiguous', 'accepted') ORDER BY a.id DESC LIMIT :limit";

std::optional<std::string> text_of(const sealed_order& sealed, const crypto::key_ring& keys) {
  auto content = open_content(sealed.content, sealed.tenant_public_id, sealed.public_id, keys);
  return content ? std::optional(std::move(content->text)) : std::nullopt;
}

} // namespace

void tell_apart(session& db, core::reconciliation_question& of, const sealed_order& sealed,
                const crypto::key_ring& keys) {
  of.text = text_of(sealed, keys).value_or("");
  std::string message;
  sealed_order other;
  query rows(db, others);
  rows.use("notification", of.item.notification).use("attempt", of.item.key.subject);
  rows.use("profile", of.item.profile).use("since", of.submitted_at - near);
  rows.use("until", of.submitted_at + near).use("limit", others_max);
  rows.into(message).into(other.tenant_public_id).into(other.public_id).into(other.content);
  while (rows.next()) {
    if (!message.empty())
      of.other_ids.push_back(message);
    else if (const auto text = text_of(other, keys); !text || *text == of.text)
      of.alike = true;
  }
}

} // namespace sluice::storage
