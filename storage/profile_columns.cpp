#include "storage/profile_columns.hpp"

#include "storage/seal_places.hpp"

namespace sluice::storage {
namespace {

[[noreturn]] void refuse_seal(std::string_view what, crypto::seal_error why) {
  throw abandoned{{error::sealed, "The credentials of a provider profile cannot be " + std::string(what)
                                      + ": " + std::string(crypto::to_string(why))}};
}

} // namespace

std::vector<profile_row> read_profiles(session& db, const std::string& condition,
                                       const std::function<void(query&)>& bind) {
  query rows(db, "SELECT p.id, p.public_id, t.name, p.name, p.provider, p.settings, p.credentials, "
                 "p.revision, p.created_at, p.updated_at, t.public_id FROM provider_profiles AS p "
                 "JOIN tenants AS t ON t.id = p.tenant_id WHERE "
                     + condition);
  profile_row one;
  auto& to = one.record.profile;
  std::string provider;
  bind(rows);
  rows.into(to.id).into(to.public_id).into(to.tenant).into(to.name).into(provider).into(to.settings);
  rows.into(one.credentials).into(one.record.revision).into(one.record.created_at);
  rows.into(one.record.updated_at).into(one.tenant_public_id);
  std::vector<profile_row> found;
  while (rows.next()) {
    to.provider = known(core::parse_provider_kind(provider), "provider_profiles.provider");
    one.record.has_credentials = !one.credentials.empty();
    found.push_back(one);
  }
  return found;
}

std::optional<profile_row> read_profile(session& db, const std::string& condition,
                                        const std::function<void(query&)>& bind) {
  auto found = read_profiles(db, condition, bind);
  if (found.empty())
    return std::nullopt;
  return std::move(found.front());
}

std::string seal_profile_credentials(std::string_view credentials, std::string_view tenant_public_id,
                                     std::string_view public_id, const crypto::key_ring& keys) {
  if (credentials.empty())
    return {};
  auto sealed = crypto::seal(keys, credentials, profile_place(tenant_public_id, public_id));
  if (!sealed)
    refuse_seal("sealed", sealed.error());
  return std::move(*sealed);
}

std::string open_profile_credentials(const profile_row& row, const crypto::key_ring& keys) {
  if (row.credentials.empty())
    return {};
  auto opened =
      crypto::open(keys, row.credentials, profile_place(row.tenant_public_id, row.record.profile.public_id));
  if (!opened)
    refuse_seal("opened", opened.error());
  return std::move(*opened);
}

void raise_profiles_version(session& db) {
  query(db, "UPDATE profiles_version SET version = version + 1").run();
}

} // namespace sluice::storage
