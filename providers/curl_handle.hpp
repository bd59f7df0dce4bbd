#pragma once

#include "core/call.hpp"
#include "core/time.hpp"
#include "providers/curl_headers.hpp"
#include "providers/dial_guard.hpp"
#include "providers/exchange_trace.hpp"
#include "providers/transport.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers {

class curl_multi;

/// One easy handle, used for call after call: what all calls share is set once.
class curl_handle {
public:
  /// All of them outlive the handle.
  curl_handle(const transport_settings& settings, const dial_guard& guard, curl_multi& multi,
              const core::time_source& time);
  ~curl_handle();
  curl_handle(const curl_handle&) = delete;
  curl_handle& operator=(const curl_handle&) = delete;

  [[nodiscard]] static curl_handle& of(void* easy);
  [[nodiscard]] void* easy() const noexcept { return easy_; }
  [[nodiscard]] bool busy() const noexcept { return busy_; }

  /// Takes over a call; from here to `conclude` the handle is busy. False when the request cannot be sent: it
  /// is not HTTP, or the guard refuses its address already; then `conclude` follows at once.
  [[nodiscard]] bool prepare(core::outbound_call call, std::shared_ptr<const header_chain> common,
                             core::timestamp wall_now, core::duration steady_now);

  [[nodiscard]] core::call_owner owner() const noexcept { return call_.owner; }
  [[nodiscard]] core::connection_id connection() const noexcept { return call_.connection; }

  /// The answer to a call that ended with this CURLcode and is no longer in the multi handle.
  [[nodiscard]] core::call_answer conclude(int code, core::timestamp wall_now, core::duration steady_now);

private:
  enum class body_mode { none, head, bytes };

  void set_once(const transport_settings& settings);
  void set_request_line();
  void set_body();
  void set_headers();
  void set_http_version();

  struct callbacks; ///< what libcurl calls, with libcurl's types

  [[nodiscard]] bool may_start() const;

  const dial_guard& guard_;
  curl_multi& multi_;
  const core::time_source& time_;
  std::shared_ptr<const start_permit> permit_; ///< null: it always may
  std::size_t answer_bytes_max_;
  bool proxied_;
  void* easy_ = nullptr;
  bool busy_ = false;

  // What libcurl has been told; told again only when it changes.
  std::string method_told_;
  std::string url_told_;
  body_mode mode_told_ = body_mode::none;
  bool http2_told_ = false;

  // The call in hand.
  core::outbound_call call_;
  std::shared_ptr<const header_chain> common_;
  std::vector<curl_slist> nodes_;
  exchange_trace trace_;
  answer_header header_;
  core::http_answer answer_;
  core::duration started_steady_{};
};

} // namespace sluice::providers
