#pragma once

#include "core/call.hpp"
#include "core/time.hpp"
#include "providers/dial_guard.hpp"
#include "providers/exchange_trace.hpp"
#include "providers/smtp_session.hpp"
#include "providers/transport.hpp"

#include <atomic>
#include <mutex>
#include <string_view>
#include <vector>

namespace sluice::providers {

/// One e-mail by SMTP, over a connection of its own, which is why libcurl never sends it again: it does so
/// over reused connections alone. Should it ask for a second sending all the same, the session is refused,
/// and the message cannot be read twice.
///
/// libcurl waits for the reply to the final dot, and to QUIT, within one call of its own, and a transfer that
/// is taken out of a multi handle while its message is on its way ends with the final dot: half a message
/// would count as a whole one. So an e-mail does not go through the multi handle, and ends early by a
/// callback alone.
class curl_mail {
public:
  /// All of them outlive it.
  curl_mail(const transport_settings& settings, const dial_guard& guard, const core::time_source& time,
            core::outbound_call call);
  curl_mail(const curl_mail&) = delete;
  curl_mail& operator=(const curl_mail&) = delete;

  [[nodiscard]] const core::outbound_call& call() const noexcept { return call_; }

  /// The whole session: blocks until it has ended, at most as long as a call may take. Once.
  [[nodiscard]] core::call_answer send();

  /// From another thread: the session ends now.
  void give_up() noexcept;

private:
  struct callbacks; ///< what libcurl calls, with libcurl's types

  /// A part's text on its way out.
  struct part_reading {
    curl_mail* mail = nullptr;
    std::string_view rest;
    bool last = false; ///< no part follows
  };

  [[nodiscard]] int perform(); ///< CURLcode
  void set_session(void* easy);
  void set_envelope(void* easy);
  [[nodiscard]] bool can_be_sent() const;
  void hang_up() noexcept;

  const transport_settings& settings_;
  const dial_guard& guard_;
  const core::time_source& time_;
  core::outbound_call call_;
  exchange_trace trace_;
  smtp_session session_;
  part_reading text_;
  part_reading html_;
  bool begun_ = false;

  std::atomic<bool> given_up_ = false;
  std::mutex mutex_; ///< guards what follows: a descriptor must not be another's by the time it is shut down
  std::vector<int> descriptors_; ///< of open connections: two addresses of one host may be tried at a time
};

} // namespace sluice::providers
