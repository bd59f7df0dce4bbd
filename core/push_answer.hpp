#pragma once

#include "core/delivery_state.hpp"
#include "core/http.hpp"

#include <string>

namespace sluice::core {

/// What an attempt to push came to.
struct push_verdict {
  attempt_ending ending = attempt_ending::transient;
  std::string error_class; ///< "http_503", "timed_out"; empty after a success
  std::string error; ///< a sentence for people, without a word of the subscriber's; empty after a success
};

/// Reads the answer to a push. Push is at least once, so whatever leaves the outcome open may pass and is
/// repeated:
///
///   2xx                                   acknowledged, even where the body was over the limit
///   408, 425, 429, 5xx                    transient
///   no whole answer, no connection,
///   an address that may not be dialled    transient
///   3xx                                   transient and never followed: whoever moved the receiver has until
///                                         the last attempt to say so (decision 0060)
///   410                                   gone
///   any other 4xx                         permanent
///   any other status                      transient
///
/// An attempt that was held back before its call is none: give it back instead.
[[nodiscard]] push_verdict read_push_answer(const http_answer& answer);

} // namespace sluice::core
