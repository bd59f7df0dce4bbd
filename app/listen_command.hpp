#pragma once

#include "app/output.hpp"
#include "app/webhook_listener.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace sluice::app {

struct listen_options {
  std::string listen = "127.0.0.1:0"; ///< ADDRESS:PORT or a port; port 0 lets the system choose
  bool allow_any = false;             ///< an address that others reach, too
  std::vector<std::string> secrets;
  std::vector<std::string> secret_files;
  listener_plan plan;
  bool verbose = false; ///< the bodies, too
};

/// What the command line has for `into`, which the parser fills.
void add_listen_options(CLI::App& to, listen_options& into);

/// `sluice listen`: prints `listening ADDRESS:PORT`, then each webhook that arrives, and when SIGTERM, SIGINT
/// or the limit ends it, how many there were. With `json` each of these is a document on a line.
[[nodiscard]] int listen(const listen_options& options, const output_style& style);

} // namespace sluice::app
