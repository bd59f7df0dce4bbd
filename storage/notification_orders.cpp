#include "storage/notification_orders.hpp"

#include "crypto/contact_seal.hpp"
#include "storage/delivery_rows.hpp"
#include "storage/notification_content.hpp"

namespace sluice::storage {
namespace {

constexpr std::string_view columns =
    "SELECT n.id, n.public_id, t.public_id, n.content, p.public_id, p.kind, p.address, p.suppressed_reason, "
    "CASE WHEN p.deleted_at IS NULL THEN 0 ELSE 1 END FROM ";

constexpr std::string_view sqlite_of_ids =
    "json_each(:ids) AS i CROSS JOIN notifications AS n ON n.id = i.value CROSS JOIN contact_points AS p "
    "ON p.id = n.contact_point_id CROSS JOIN tenants AS t ON t.id = n.tenant_id";

/// By the keys, row after row, whatever was believed of the tables when the plan was made.
constexpr std::string_view postgresql_of_ids =
    "unnest(CAST(:ids AS bigint[])) AS i (id) CROSS JOIN LATERAL (SELECT x.* FROM notifications AS x "
    "WHERE x.id = i.id LIMIT 1) AS n CROSS JOIN LATERAL (SELECT x.* FROM contact_points AS x "
    "WHERE x.id = n.contact_point_id LIMIT 1) AS p CROSS JOIN LATERAL (SELECT x.* FROM tenants AS x "
    "WHERE x.id = n.tenant_id LIMIT 1) AS t";

} // namespace

sealed_orders read_orders(session& db, std::span<const std::int64_t> notifications) {
  sealed_orders found;
  if (notifications.empty())
    return found;
  core::notification_id id{};
  sealed_order one;
  std::string kind;
  std::optional<std::string> suppressed;
  query rows(db, std::string(columns)
                     + std::string(db.kind() == engine::sqlite ? sqlite_of_ids : postgresql_of_ids));
  rows.use("ids", integer_list(db.kind(), notifications)).into(id).into(one.public_id);
  rows.into(one.tenant_public_id).into(one.content).into(one.contact_public_id).into(kind);
  rows.into(one.address).into(suppressed).into(one.removed);
  while (rows.next()) {
    one.kind = known(core::parse_contact_kind(kind), "contact_points.kind");
    one.suppressed.reset();
    if (suppressed)
      one.suppressed = known(core::parse_suppression_reason(*suppressed), "contact_points.suppressed_reason");
    found.emplace(id, one);
  }
  return found;
}

std::optional<core::submission_order> open_order(const sealed_order& sealed, const crypto::key_ring& keys) {
  auto contact = open_contact_of(sealed, keys);
  auto content = open_content(sealed.content, sealed.tenant_public_id, sealed.public_id, keys);
  if (contact.text.empty() || !content)
    return std::nullopt;
  core::submission_order order;
  order.notification_id = sealed.public_id;
  order.contact = std::move(contact);
  order.content = std::move(*content);
  return order;
}

core::contact_address open_contact_of(const sealed_order& sealed, const crypto::key_ring& keys) {
  core::contact_address address{sealed.kind, {}};
  if (sealed.removed)
    return address;
  if (auto opened =
          crypto::open_contact(keys, sealed.address, sealed.tenant_public_id, sealed.contact_public_id))
    address.text = std::move(*opened);
  return address;
}

} // namespace sluice::storage
