#pragma once

#include "core/call.hpp"
#include "core/time.hpp"
#include "providers/curl_mail.hpp"
#include "providers/dial_guard.hpp"
#include "providers/transport.hpp"

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace sluice::providers {

/// E-mails on their way, each on a thread of its own for as long as it lasts: libcurl waits for the server's
/// last replies, and nothing else may wait with it (see curl_mail). How many there are at a time is for
/// whoever sends them. One thread owns this; only `tell` is called from others.
class mail_threads {
public:
  struct sent {
    core::connection_id connection{};
    core::call_answer answer;
  };

  /// `tell` is called whenever an answer is there to be collected.
  mail_threads(const transport_settings& settings, const dial_guard& guard, const core::time_source& time,
               std::function<void()> tell);
  ~mail_threads();
  mail_threads(const mail_threads&) = delete;
  mail_threads& operator=(const mail_threads&) = delete;

  void send(core::outbound_call call);
  [[nodiscard]] std::vector<sent> collect();

  /// Ends every session at once; then all their answers can be collected. Waits for no peer.
  void give_up();

private:
  struct session {
    std::unique_ptr<curl_mail> mail;
    std::thread thread;
    std::optional<core::call_answer> answer; ///< under the lock
  };

  void run(session& mine);

  const transport_settings& settings_;
  const dial_guard& guard_;
  const core::time_source& time_;
  std::function<void()> tell_;
  std::mutex mutex_;
  std::list<session> sessions_;
};

} // namespace sluice::providers
