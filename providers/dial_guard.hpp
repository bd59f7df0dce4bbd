#pragma once

#include "core/outside_address.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct sockaddr;

namespace sluice::providers {

enum class dial_verdict : std::uint8_t {
  allowed,
  not_public,   ///< private, loopback, link-local, reserved, … or an IPv6 form that leads to such an IPv4
                ///< address
  not_internet, ///< neither IPv4 nor IPv6
};

/// Keeps calls from reaching inside: says which addresses may be dialled. Names are judged by what they
/// resolve to, at the moment of dialling, so a name that changes its mind gains nothing.
class dial_guard {
public:
  /// `allowed_networks`: CIDR ranges that may be dialled although they are not public. Throws
  /// std::invalid_argument for one that is none.
  explicit dial_guard(const std::vector<std::string>& allowed_networks);

  [[nodiscard]] dial_verdict verdict(const sockaddr& address) const noexcept;

  /// Why this host of a URL can never be dialled, when that shows without resolving it.
  [[nodiscard]] std::optional<std::string> refuse_literal(std::string_view host) const {
    return addresses_.refuse_host(host);
  }

private:
  core::outside_addresses addresses_;
};

} // namespace sluice::providers
