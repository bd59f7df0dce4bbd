#include "app/serve.hpp"

#include "app/command_context.hpp"
#include "app/node.hpp"
#include "telemetry/log.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <expected>
#include <memory>
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

  void wait() const {
    int signal = 0;
    sigwait(&set_, &signal);
  }

  [[nodiscard]] bool arrived() const {
    timespec at_once{};
    return sigtimedwait(&set_, nullptr, &at_once) > 0;
  }

private:
  sigset_t set_;
};

/// `unfit` is set when the node may not go on; it then ends as after SIGTERM.
std::expected<std::unique_ptr<node>, int> start(const config::settings& settings, core::first_sweep first,
                                                std::atomic<bool>& unfit) {
  telemetry::open_log(settings.log.level, settings.log.format);
  auto keys = open_keys(settings);
  if (!keys)
    return std::unexpected{keys.error()};
  auto started = node::start(settings, std::move(*keys), first, [&unfit](const std::string&) {
    unfit.store(true);
    ::kill(::getpid(), SIGTERM);
  });
  if (started)
    return std::move(*started);
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

} // namespace

int serve(const config::settings& settings) {
  end_signals signals;
  std::atomic<bool> unfit = false;
  auto node = start(settings, core::first_sweep::spread, unfit);
  if (!node)
    return node.error();
  signals.wait();
  return end(**node, unfit);
}

int deliver_once(const config::settings& settings, const output_style&) {
  end_signals signals;
  std::atomic<bool> unfit = false;
  auto node = start(settings, core::first_sweep::at_once, unfit);
  if (!node)
    return node.error();
  while (!signals.arrived() && !(*node)->idle_within(std::chrono::seconds{1})) {
  }
  return end(**node, unfit);
}

} // namespace sluice::app
