#pragma once

#include "core/call.hpp"
#include "core/stop_set.hpp"
#include "core/time.hpp"
#include "providers/answer_group.hpp"
#include "providers/call_queue.hpp"
#include "providers/curl_handle.hpp"
#include "providers/curl_headers.hpp"
#include "providers/curl_multi.hpp"
#include "providers/dial_guard.hpp"
#include "providers/mail_threads.hpp"
#include "providers/transport.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sluice::providers {

/// One thread with nothing but libcurl on it, and one more for each e-mail that is being sent. Askers put
/// calls into the queue under a lock; the thread hands them to libcurl under the same lock, which is why a
/// stop or a withdrawal holds from its return on.
///
/// The destructor waits for no peer and no resolver: what waits is answered unattempted, what is in flight is
/// given up and answered not_connected or cut. Whoever wants calls in flight to finish stops the starting,
/// waits for the answers and destroys then. The sink must stand until the destructor returns.
///
/// Every dialled address passes the guard. Behind a proxy that is the proxy's address; of the target,
/// addresses written in the URL are refused here, and names are the proxy's to judge.
class curl_transport final : public transport {
public:
  curl_transport(const transport_settings& settings, const core::time_source& time, answer_sink sink);
  ~curl_transport() override;
  curl_transport(const curl_transport&) = delete;
  curl_transport& operator=(const curl_transport&) = delete;

  void submit(std::vector<core::outbound_call> calls) override;
  void withdraw(core::call_owner owner) override;
  void set_stop(const core::stop_target& where) override;
  void lift_stop(const core::stop_target& where) override;
  void stop_starting() override;

private:
  struct held_call {
    core::call_id id{};
    core::call_owner owner{};
  };
  struct freed_slot {
    core::call_owner owner{};
    core::connection_id connection{};
  };

  void run();
  [[nodiscard]] bool start_what_may(); ///< true when the thread has to end
  void start(core::outbound_call call);
  void answer_unsent();
  void collect_finished();
  void collect_mail();
  [[nodiscard]] core::call_answer conclude(curl_handle& handle, int code);
  void count(const core::http_answer& answer);
  void give_up_in_flight();
  [[nodiscard]] curl_handle& idle_handle();
  [[nodiscard]] core::duration patience() const;

  void hold_back(const core::outbound_call& call);
  void hold_back(const std::vector<core::outbound_call>& calls);
  void announce();
  void show_queue();

  const transport_settings settings_;
  const core::time_source& time_;
  const dial_guard guard_;

  std::mutex mutex_; ///< guards what follows, and each hand-over to libcurl
  call_queue queue_;
  std::vector<held_call> held_back_; ///< to be answered unattempted by the thread
  core::stop_set stops_;
  bool stopped_ = false;
  bool ending_ = false;

  std::atomic<bool> news_ = false;     ///< something changed that the thread has to look at
  bool nothing_waits_ = true;          ///< when calls were started last
  std::atomic<bool> sleeping_ = false; ///< the thread waits, or is about to and will look at news_ first

  // Of the thread alone.
  curl_multi multi_;
  mail_threads mail_;
  header_chains chains_;
  std::vector<std::unique_ptr<curl_handle>> handles_;
  std::vector<curl_handle*> idle_;
  std::vector<freed_slot> freed_;         ///< of ended calls, not yet told to the queue
  std::vector<held_call> unattempted_;    ///< to be answered
  std::vector<core::call_answer> unsent_; ///< answers to calls libcurl could not take
  answer_group group_;

  std::thread thread_;
};

} // namespace sluice::providers
