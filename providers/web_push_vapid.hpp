#pragma once

#include "core/time.hpp"
#include "crypto/p256.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::providers {

/// The Authorization header's value by which an application server says who it is (RFC 8292 section 3):
/// "vapid t=<token>, k=<public key>". `origin` is the push service's, `subject` a mailto: or https: address
/// of ours; push services refuse a token that is good for more than 24 hours.
[[nodiscard]] std::optional<std::string> vapid_authorization(const crypto::p256_key& key,
                                                             std::string_view origin,
                                                             std::string_view subject,
                                                             core::timestamp expires_at);

/// The same value for each message to one push service, so that neither side has a signature's work with
/// every one of them. May be asked by several threads.
class vapid_identity {
public:
  vapid_identity(crypto::p256_key key, std::string subject);

  /// Good for 11 to 12 hours from `now`; nothing where OpenSSL refuses to sign.
  [[nodiscard]] std::optional<std::string> authorization(std::string_view origin, core::timestamp now) const;

private:
  struct signed_value {
    std::string text;
    core::timestamp made_at;
  };

  crypto::p256_key key_;
  std::string subject_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, signed_value, std::less<>> by_origin_;
};

} // namespace sluice::providers
