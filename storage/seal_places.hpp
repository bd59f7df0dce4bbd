#pragma once

#include <string>
#include <string_view>

// Where each sealed value belongs: what it is bound to, so that it opens nowhere else.

namespace sluice::storage {

[[nodiscard]] std::string connection_place(std::string_view public_id);
[[nodiscard]] std::string profile_place(std::string_view tenant_public_id, std::string_view public_id);
[[nodiscard]] std::string content_place(std::string_view tenant_public_id, std::string_view public_id);
/// The body of the profile's report of this digest; `profile` is its number in this database.
[[nodiscard]] std::string report_place(std::string_view profile, std::string_view digest);
/// Of a subscription, by its public id.
[[nodiscard]] std::string headers_place(std::string_view public_id);
[[nodiscard]] std::string secret_place(std::string_view public_id);

} // namespace sluice::storage
