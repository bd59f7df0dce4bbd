#pragma once

#include "core/ids.hpp"
#include "core/provider_event.hpp"

#include <string>
#include <string_view>

namespace sluice::core {

/// What makes an event the one it is, for duplicates to be known by: the profile and the provider's own id of
/// it; without one, the profile, the message's id, the provider's word for the type, the time it happened and
/// the digest of the payload. A text of canonical parts that no two different events share; of any length,
/// so what is stored and indexed is its digest.
///
/// `payload_digest` is of the whole callback's bytes. An adapter whose provider's id covers several
/// recipients or events of one callback makes `event_id` distinct. Of the type only the provider's word
/// counts, and never our own: a better adapter reads an old callback differently, and it is the same event.
[[nodiscard]] std::string provider_event_key(provider_profile_id profile, const provider_event& event,
                                             std::string_view payload_digest);

} // namespace sluice::core
