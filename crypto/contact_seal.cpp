#include "crypto/contact_seal.hpp"

namespace sluice::crypto {

namespace {

/// The tenant behind its length: no two places have the same text.
std::string place_of(std::string_view tenant, std::string_view contact_id) {
  return std::string{"contact point "}
      .append(std::to_string(tenant.size()))
      .append(1, ':')
      .append(tenant)
      .append(contact_id);
}

} // namespace

std::expected<std::string, seal_error> seal_contact(const key_ring& keys, std::string_view address,
                                                    std::string_view tenant, std::string_view contact_id) {
  return seal(keys, address, place_of(tenant, contact_id));
}

std::expected<std::string, seal_error> open_contact(const key_ring& keys, std::string_view sealed,
                                                    std::string_view tenant, std::string_view contact_id) {
  return open(keys, sealed, place_of(tenant, contact_id));
}

} // namespace sluice::crypto
