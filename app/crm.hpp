#pragma once

#include "core/time.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

namespace sluice::app {

/// How the stand-in target behaves. Shares are probabilities from 0 to 1, drawn once a request from the seed.
struct crm_options {
  std::string listen = "127.0.0.1:0";   ///< ADDRESS:PORT; port 0 lets the system choose
  core::duration latency{};             ///< every answer is held back so long
  std::int64_t requests_per_minute = 0; ///< more in any 60 s are answered 429; 0: no limit
  double fail_rate = 0;                 ///< answered 503 before anything happened
  double lose_reply_rate = 0;           ///< the write happens, the connection is cut without an answer
  double hang_rate = 0;                 ///< nothing happens and nothing is answered; the connection stays
  std::uint64_t seed = 1;
  bool ignore_keys = false; ///< an Idempotency-Key is not looked at
};

/// A target that behaves like a CRM, on one thread: for trying rules, the demo and tests.
///
/// - POST /{collection}: a JSON object, may have "external_id" -> 201 {"id": "…"}
/// - PATCH /{collection}/{id} merges members, PUT replaces them -> 200, or 404 when it is not there;
///   {"active": false} deactivates it, {"active": true} brings it back
/// - DELETE /{collection}/{id} -> 204 or 404
/// - GET /{collection}?external_id=X -> {"items": […]}; GET /{collection}/{id} -> one of them or 404
/// - GET /_state: what it counted; GET /_state/{collection}: what it holds, and each withdrawal with its time
///   (never limited, delayed or failed)
///
/// The same Idempotency-Key gets the same answer; without one a second create of an external id makes a
/// second object and is counted in `created_twice`. Payloads are kept as text, numbers with their digits.
class crm_server {
public:
  /// Listens from here on. The error is a sentence.
  [[nodiscard]] static std::expected<crm_server, std::string> listen(const crm_options& options);
  crm_server(crm_server&&) noexcept;
  crm_server& operator=(crm_server&&) noexcept;
  ~crm_server();

  [[nodiscard]] std::string address() const; ///< "127.0.0.1:41234"
  [[nodiscard]] std::uint16_t port() const noexcept;

  void run();  ///< serves on the calling thread until stopped
  void stop(); ///< from any thread
  /// SIGTERM and SIGINT stop it; for a process that is nothing else.
  void stop_on_signals();

private:
  struct implementation;
  explicit crm_server(std::unique_ptr<implementation> made);
  std::unique_ptr<implementation> implementation_;
};

/// `sluice crm`: prints `listening ADDRESS:PORT` and serves until SIGTERM or SIGINT.
[[nodiscard]] int crm(const crm_options& options);

} // namespace sluice::app
