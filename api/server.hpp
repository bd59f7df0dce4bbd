#pragma once

#include "api/router.hpp"
#include "api/senders.hpp"
#include "config/settings.hpp"
#include "core/time.hpp"
#include "telemetry/metrics.hpp"

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>

namespace sluice::api {

/// The HTTP/1.1 server: one thread, one coroutine a connection. It reads requests within the limits of the
/// settings, has the gate judge each head, hands over what is whole and writes what is answered, one request
/// of a connection after the other. It knows no actor.
///
///   listening -- close() --> nothing new; requests being served are answered -- end() --> over
///
/// A connection: waiting -> head -> (refused | body) -> served -> waiting. One that waits or still sends its
/// head makes room for a new one when there are too many: nobody without a token keeps others out.
class server {
public:
  using hand_over = std::function<void(arrived)>;

  struct plan {
    config::api_settings settings;  ///< with `listen`, or
    std::string socket_path;        ///< where the machine's own user finds it without a token; empty: nowhere
    bool socket_optional = false;   ///< without it the server starts all the same
    const router* routes = nullptr; ///< outlives the server
    std::shared_ptr<const senders> who;
    token_lookup find_token; ///< called by the server's thread; must not block
    hand_over serve;         ///< likewise
    const core::time_source* time = nullptr;
    core::duration answer_timeout{}; ///< a request not answered by then is answered 504
    std::shared_ptr<telemetry::metrics> metrics = std::make_shared<telemetry::metrics>();
  };

  /// The error is a sentence for people.
  [[nodiscard]] static std::expected<std::unique_ptr<server>, std::string> start(plan how);

  ~server(); ///< ends it without waiting

  [[nodiscard]] std::uint16_t port() const noexcept;
  [[nodiscard]] std::string address() const; ///< "127.0.0.1:8400"; empty where it has the socket alone

  /// Why there is no socket although one was planned; empty: there is.
  [[nodiscard]] const std::string& socket_fault() const noexcept;

  /// Reads the certificate and its key again, for connections accepted from then on. The error is a sentence;
  /// those in force stay.
  [[nodiscard]] std::expected<void, std::string> renew_identity();

  void close();
  /// Waits up to `patience` for the answers under way, then cuts what is left.
  void end(core::duration patience);

private:
  struct implementation;
  explicit server(std::unique_ptr<implementation> made);

  std::unique_ptr<implementation> implementation_;
};

} // namespace sluice::api
