#include "storage/contact_columns.hpp"

#include "storage/dialect.hpp"

namespace sluice::storage {
namespace {

constexpr std::string_view columns =
    "p.id, p.public_id, t.name, p.kind, p.suppressed_reason, p.suppressed_detail, p.suppressed_at, "
    "p.suppressed_by, p.retired_at, p.token_seen_at, p.created_at, p.updated_at";

std::string parameter(std::size_t number) {
  return "fingerprint_" + std::to_string(number);
}

} // namespace

std::vector<core::contact_record> read_contacts(session& db, const std::string& condition,
                                                const std::function<void(query&)>& bind) {
  query rows(db, "SELECT " + std::string(columns)
                     + " FROM contact_points AS p JOIN tenants AS t ON t.id = p.tenant_id WHERE "
                     + condition);
  core::contact_record one;
  core::contact_suppression told;
  std::string kind;
  std::optional<std::string> reason;
  bind(rows);
  rows.into(one.id).into(one.public_id).into(one.tenant).into(kind).into(reason).into(told.detail);
  rows.into(told.at).into(told.by).into(told.retired_at).into(one.token_seen_at);
  rows.into(one.created_at).into(one.updated_at);
  std::vector<core::contact_record> found;
  while (rows.next()) {
    one.kind = known(core::parse_contact_kind(kind), "contact_points.kind");
    one.suppression.reset();
    if (reason) {
      told.reason = known(core::parse_suppression_reason(*reason), "contact_points.suppressed_reason");
      one.suppression = told;
    }
    found.push_back(one);
  }
  return found;
}

std::optional<core::contact_record> read_contact(session& db, const std::string& condition,
                                                 const std::function<void(query&)>& bind) {
  auto found = read_contacts(db, condition, bind);
  if (found.empty())
    return std::nullopt;
  return std::move(found.front());
}

std::optional<core::contact_record> lock_contact(session& db, core::contact_point_id id) {
  core::contact_point_id locked{};
  query(db, "SELECT id FROM contact_points WHERE id = :id AND deleted_at IS NULL"
                + std::string(dialect::for_update(db.kind())))
      .use("id", id)
      .into(locked)
      .run();
  if (!locked)
    return std::nullopt;
  return read_contact(db, "p.id = :id", [&](query& row) { row.use("id", id); });
}

std::string of_address(const keyed_address& address) {
  std::string text = "p.tenant_id = :tenant_id AND p.kind = :kind AND p.fingerprint IN (";
  for (std::size_t number = 0; number < address.fingerprints.size(); ++number)
    text.append(number == 0 ? ":" : ", :").append(parameter(number));
  return text + ")";
}

void use_address(query& rows, const keyed_address& address) {
  rows.use("tenant_id", address.tenant).use("kind", core::to_string(address.kind));
  for (std::size_t number = 0; number < address.fingerprints.size(); ++number)
    rows.use(parameter(number).c_str(), address.fingerprints[number]);
}

} // namespace sluice::storage
