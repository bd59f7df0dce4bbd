#pragma once

#include "core/submission.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace sluice::providers {

/// What one of Twilio's error codes means for a submission. Twilio's own sentences quote numbers, so these
/// are ours.
struct twilio_error {
  int code = 0;
  core::submission_kind kind = core::submission_kind::rejected;
  core::rejection_cause cause = core::rejection_cause::provider; ///< with rejected
  std::string_view sentence;
  std::optional<core::suppression_reason> retires{};
};

/// Nothing where the code is not one of messaging's in Twilio's error and warning dictionary, as far as it is
/// known here.
[[nodiscard]] const twilio_error* find_twilio_error(int code) noexcept;

/// "Twilio error 30003: the handset cannot be reached"; empty for 0.
[[nodiscard]] std::string describe_twilio_error(int code);

/// A code as it stands in a form or in JSON; 0 where there is none.
[[nodiscard]] int parse_twilio_error(std::string_view text) noexcept;

} // namespace sluice::providers
