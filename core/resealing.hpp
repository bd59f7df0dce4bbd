#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::core {

/// What a key is in use for until it is made anew with another.
enum class keyed_thing : std::uint8_t {
  contact_addresses,    ///< sealed
  contact_fingerprints, ///< by the keys of fingerprints, which are a ring of their own
  profile_credentials,  ///< sealed, as all that follow
  notification_contents,
  provider_reports, ///< the bodies of callbacks and answers
  connection_credentials,
  subscription_headers,
  subscription_secrets,
};
inline constexpr std::size_t keyed_things = 8;

[[nodiscard]] std::string_view to_string(keyed_thing thing) noexcept;
[[nodiscard]] std::optional<keyed_thing> parse_keyed_thing(std::string_view text) noexcept;

/// How much still needs a key: while it is more than nothing, the key stays in the settings.
struct key_use {
  keyed_thing thing = keyed_thing::contact_addresses;
  std::string key; ///< its name
  std::int64_t live = 0;
  /// Fingerprints of contact points that were removed while suppressed. Without an address they cannot be
  /// made anew: when the key goes, an address that comes back is not known to be suppressed.
  std::int64_t removed = 0;

  friend bool operator==(const key_use&, const key_use&) = default;
};

/// What was made with an old key is made again with its ring's first.
struct resealing_order {
  keyed_thing thing = keyed_thing::contact_addresses;
  std::string key;           ///< the old one's name
  std::int64_t after_id = 0; ///< the step before's last; none at first
  std::int64_t limit = 200;
};

/// What one step came to. What could not be opened stays as it is, and so does a contact point whose address
/// has another row under the new key, which only nodes with different settings can bring about.
struct resealing_step {
  std::int64_t last_id = 0; ///< where the next one begins
  std::int64_t renewed = 0;
  std::int64_t changed_meanwhile = 0; ///< by others: for the next pass, if it still needs the old key
  std::int64_t unopened = 0;
  std::int64_t taken = 0; ///< the new fingerprint is another row's
  bool through = false;   ///< nothing is behind `last_id`
};

template <class Inspector>
auto inspect(Inspector& f, key_use& x) {
  return f(x.thing, x.key, x.live, x.removed);
}

template <class Inspector>
auto inspect(Inspector& f, resealing_order& x) {
  return f(x.thing, x.key, x.after_id, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, resealing_step& x) {
  return f(x.last_id, x.renewed, x.changed_meanwhile, x.unopened, x.taken, x.through);
}

} // namespace sluice::core
