#include "storage/report_body.hpp"

#include "crypto/seal.hpp"
#include "storage/seal_places.hpp"
#include "storage/soci_session.hpp"

namespace sluice::storage {
namespace {

std::string needed_text(std::expected<std::string, crypto::seal_error> made, std::string_view what) {
  if (!made)
    throw abandoned{{error::sealed, "What a provider told " + std::string(what) + ": "
                                        + std::string(crypto::to_string(made.error()))}};
  return std::move(*made);
}

} // namespace

std::string sealed_report(core::provider_profile_id profile, std::string_view digest, std::string_view body,
                          const crypto::key_ring& keys) {
  return needed_text(crypto::seal(keys, body, report_place(std::to_string(profile.value), digest)),
                     "could not be sealed");
}

std::string opened_report(core::provider_profile_id profile, std::string_view digest, std::string_view sealed,
                          const crypto::key_ring& keys) {
  return needed_text(crypto::open(keys, sealed, report_place(std::to_string(profile.value), digest)),
                     "cannot be opened");
}

} // namespace sluice::storage
