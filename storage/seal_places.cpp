#include "storage/seal_places.hpp"

namespace sluice::storage {

std::string connection_place(std::string_view public_id) {
  return std::string("connection:").append(public_id);
}

std::string profile_place(std::string_view tenant_public_id, std::string_view public_id) {
  return std::string("provider profile:").append(tenant_public_id).append(":").append(public_id);
}

std::string content_place(std::string_view tenant_public_id, std::string_view public_id) {
  return std::string("notification:").append(tenant_public_id).append(":").append(public_id);
}

std::string report_place(std::string_view profile, std::string_view digest) {
  return std::string("provider report ").append(profile).append(" ").append(digest);
}

std::string headers_place(std::string_view public_id) {
  return std::string("subscription headers:").append(public_id);
}

std::string secret_place(std::string_view public_id) {
  return std::string("subscription secret:").append(public_id);
}

} // namespace sluice::storage
