#include "app/serve.hpp"

#include "app/command_context.hpp"
#include "app/reload.hpp"
#include "app/service_manager.hpp"
#include "storage/runs.hpp"
#include "telemetry/log.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>

namespace sluice::app {

namespace {

/// SIGTERM and SIGINT, taken by this thread alone; made before the node's threads, which inherit the mask.
class end_signals {
public:
  end_signals() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGTERM);
    sigaddset(&set_, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
  }

  /// From here on SIGHUP waits until it is asked for.
  static void keep_hang_ups() {
    sigset_t hang_up;
    sigemptyset(&hang_up);
    sigaddset(&hang_up, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &hang_up, nullptr);
  }

  /// Has `hung_up` called at every SIGHUP until then, which ends nothing.
  void wait(const std::function<void()>& hung_up) {
    auto awaited = set_;
    sigaddset(&awaited, SIGHUP);
    int signal = 0;
    while (sigwait(&awaited, &signal) == 0 && signal == SIGHUP)
      hung_up();
    arrived_ = true;
  }

  /// Whether one has arrived, waiting for it up to `patience`.
  bool arrived_within(core::duration patience) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience);
    const std::chrono::nanoseconds rest = patience - seconds;
    const timespec limit{.tv_sec = seconds.count(), .tv_nsec = rest.count()};
    arrived_ = arrived_ || sigtimedwait(&set_, nullptr, &limit) > 0;
    return arrived_;
  }

  /// Whether one was seen to arrive before.
  [[nodiscard]] bool arrived() const noexcept { return arrived_; }

private:
  sigset_t set_;
  bool arrived_ = false;
};

/// `unfit` is set when the node may not go on; it then ends as after SIGTERM.
std::expected<std::unique_ptr<node>, int> start(const config::settings& settings, core::first_sweep first,
                                                end_signals& signals, std::atomic<bool>& unfit) {
  telemetry::open_log(settings.log.level, settings.log.format);
  auto keys = open_keys(settings);
  if (!keys)
    return std::unexpected{keys.error()};
  node::process process;
  process.unfit = [&unfit](const std::string&) {
    unfit.store(true);
    ::kill(::getpid(), SIGTERM);
  };
  process.pause = [&signals](core::duration length) { return !signals.arrived_within(length); };
  auto started = node::start(settings, std::move(*keys), first, std::move(process));
  if (started)
    return std::move(*started);
  if (signals.arrived())
    return std::unexpected{exit_ok};
  print_error("The node cannot start.", started.error(), "Mend that and start it again.");
  return std::unexpected{exit_unreachable};
}

/// Ends the node; what hangs is left where it is, recorded as far as it is known. Whoever watches the process
/// learns from the exit code that it did not end because it was told to.
int end(node& node, const std::atomic<bool>& unfit) {
  const auto code = unfit.load() ? exit_unreachable : exit_ok;
  if (!node.stop())
    std::_Exit(code);
  return code;
}

/// Whoever runs it from cron learns from the exit code that a rule did not get through.
int tell_broken_off(const command_context& context, core::timestamp since) {
  auto db = open_session(context, storage::access::read);
  if (!db)
    return db.error();
  const auto rules = storage::list_broken_off(*db, since);
  if (!rules)
    return report("the runs cannot be read", rules.error());
  for (const auto& rule : *rules)
    print_note("rule " + rule.rule_name + " ended " + std::string{core::to_string(rule.ending)} + ": "
               + rule.reason);
  return rules->empty() ? exit_ok : exit_refused;
}

} // namespace

int serve(const command_context& context) {
  return serve_and_tell(context, [](const node&) {});
}

int serve_and_tell(const command_context& context, const std::function<void(const node&)>& started) {
  end_signals signals;
  end_signals::keep_hang_ups();
  std::atomic<bool> unfit = false;
  auto node = start(context.settings, core::first_sweep::spread, signals, unfit);
  if (!node)
    return node.error();
  tell_service_manager("READY=1");
  started(**node);
  auto in_force = context.settings;
  signals.wait([&] {
    reload(in_force, context.load);
    (*node)->renew_identity();
  });
  tell_service_manager("STOPPING=1");
  return end(**node, unfit);
}

int deliver_once(const command_context& context) {
  end_signals signals;
  std::atomic<bool> unfit = false;
  const auto began = real_time{}.wall();
  auto node = start(context.settings, core::first_sweep::at_once, signals, unfit);
  if (!node)
    return node.error();
  while (!signals.arrived_within(core::duration{0}) && !(*node)->idle_within(std::chrono::seconds{1})) {
  }
  const auto told = signals.arrived() ? exit_ok : tell_broken_off(context, began);
  const auto ended = end(**node, unfit);
  return ended == exit_ok ? told : ended;
}

} // namespace sluice::app
