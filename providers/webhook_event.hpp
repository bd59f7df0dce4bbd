#pragma once

#include "core/payload.hpp"
#include "core/provider_event.hpp"
#include "providers/webhook_settings.hpp"

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::providers {

inline constexpr std::size_t webhook_event_bytes_max = std::size_t{256} << 10U;

/// Reads what a receiver says of a message, by the words of its profile. A word that they do not have, or
/// none, is an event of type other; a time that cannot be read is none. Nothing where the text is no JSON
/// within the limits, or has neither an id of its own nor one of ours.
[[nodiscard]] std::optional<core::provider_event> read_webhook_event(std::string_view json,
                                                                     const webhook_words& words);

/// A receiver's callback: JSON, signed by one of the keys within the tolerance of `now`. Its webhook-id is
/// the event's; webhook-timestamp stands in for a time that is not said.
[[nodiscard]] std::expected<core::provider_event, core::callback_refusal>
verify_webhook_callback(const core::callback_request& callback, const webhook_settings& settings,
                        core::timestamp now);

/// The value as an id: a string, or a whole number as it is written; printable and of at most 512 bytes. Else
/// empty.
[[nodiscard]] std::string webhook_id_text(const core::value& value);

} // namespace sluice::providers
