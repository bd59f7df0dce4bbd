#pragma once

#include "core/notification.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <string>

/// What is asked about provider profiles by those who work with them.
namespace sluice::messages {

/// callback_intake: the profile whose callbacks go to this address, with its credentials.
struct load_profile {
  std::string public_id;
  std::optional<std::int64_t> known_version; ///< of all profiles, when the asker loaded this one; none: never
};

struct profile_loaded {
  std::int64_t version = 0;                      ///< read before the profile: no newer than what is answered
  bool unchanged = false;                        ///< the version is the known one; the profile is left out
  std::optional<core::provider_profile> profile; ///< none else: it does not exist, or was removed
};

using profile_source = caf::typed_actor<caf::replies_to<load_profile>::with<profile_loaded>>;

template <class Inspector>
auto inspect(Inspector& f, load_profile& x) {
  return f(x.public_id, x.known_version);
}

template <class Inspector>
auto inspect(Inspector& f, profile_loaded& x) {
  return f(x.version, x.unchanged, x.profile);
}

} // namespace sluice::messages
