#include "app/command_line.hpp"

#include <sys/prctl.h>

int main(int argc, char** argv) {
  // Keys, credentials and addresses stand in its memory in clear, so no core dump is made of it.
  static_cast<void>(::prctl(PR_SET_DUMPABLE, 0));
  return sluice::app::run_command_line(argc, argv, SLUICE_CONFIG_FILE);
}
