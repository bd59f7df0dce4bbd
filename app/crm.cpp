#include "app/crm.hpp"

#include "app/output.hpp"

#include <cstdio>

namespace sluice::app {

int crm(const crm_options& options) {
  auto server = crm_server::listen(options);
  if (!server) {
    print_error(server.error(), "the stand-in target was not started",
                "choose another address, or port 0 for a free one");
    return exit_unreachable;
  }
  server->stop_on_signals(); // before anybody knows of it
  std::printf("listening %s\n", server->address().c_str());
  std::fflush(stdout);
  server->run();
  return exit_ok;
}

} // namespace sluice::app
