#include "actors/reader.hpp"
#include "storage/provider_profiles.hpp"

#include <utility>

// What is asked about provider profiles.

namespace sluice::actors {

namespace m = messages;
using storage::result;
using storage::session;

namespace {

/// The version comes first: what is changed between the two reads is loaded again by whoever asks next.
result<m::profile_loaded> profile_of(session& db, const m::load_profile& ask, const crypto::key_ring& keys) {
  auto version = storage::profiles_version(db);
  if (!version)
    return std::unexpected{version.error()};
  if (ask.known_version == *version)
    return m::profile_loaded{*version, true, std::nullopt};
  auto profile = storage::load_profile(db, ask.public_id, keys);
  if (!profile)
    return std::unexpected{profile.error()};
  return m::profile_loaded{*version, false, std::move(*profile)};
}

} // namespace

caf::result<m::profile_loaded> reader_state::on_load_profile(const m::load_profile& ask) {
  return with_session([&](session& db) { return profile_of(db, ask, *resources_.keys); });
}

} // namespace sluice::actors
