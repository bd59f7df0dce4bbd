#pragma once

#include "core/http.hpp"

#include <string>

namespace sluice::providers {

/// How far an exchange came, as far as it can be known.
struct exchange_trace {
  bool request_begun = false;   ///< a connection stood and the request was about to be written
  bool held_back = false;       ///< the permit had ended before the request was written
  bool address_refused = false; ///< the guard refused an address
  bool address_dialled = false; ///< the guard let an address pass
  bool header_whole = false;    ///< the header of an answer came to its end
  bool answer_overflowed = false;
};

/// What a CURLcode means for the asker. In doubt the request may have arrived.
[[nodiscard]] core::call_error judge(int code, const exchange_trace& trace) noexcept;

/// A sentence about a CURLcode in our own words; never anything of the request.
[[nodiscard]] std::string describe(core::call_error error, int code);

} // namespace sluice::providers
