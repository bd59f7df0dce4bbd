#pragma once

#include "core/http.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace sluice::harness {

/// What a scripted target does with one call. Made by the words below, which read as sentences:
/// `crm.next(lose_the_reply())`, `crm.next(answer(500).after(2s))`.
struct reaction {
  enum class carries : std::uint8_t { out, nothing };

  carries request = carries::nothing; ///< whether the target does what it was asked
  /// What comes back; absent: what a well-behaved target says to what it did.
  std::optional<core::http_answer> told;
  bool hangs = false;     ///< nothing comes back, so the call ends at the transport's timeout
  core::duration takes{}; ///< virtual time until the answer
  core::duration works{}; ///< … and until what it was asked is done, where that comes later than the call

  [[nodiscard]] reaction after(core::duration latency) const;
};

/// Does it and says so.
[[nodiscard]] reaction serve();
/// Does nothing and answers with this status.
[[nodiscard]] reaction answer(int status, std::string body = {});
/// 429; `retry_after` is the header's raw value, empty: none.
[[nodiscard]] reaction rate_limit(std::string retry_after = {});
/// Does it, and the connection ends before the answer.
[[nodiscard]] reaction lose_the_reply();
/// Does nothing, and the connection ends before the answer.
[[nodiscard]] reaction cut_the_call();
/// Does nothing and never answers.
[[nodiscard]] reaction hang();
/// Does it and never answers.
[[nodiscard]] reaction serve_and_hang();
/// Never answers, and does it so long after the call came: later than anybody waits for.
[[nodiscard]] reaction work_on(core::duration works);
/// The call never arrives.
[[nodiscard]] reaction refuse_the_connection();

} // namespace sluice::harness
