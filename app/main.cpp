#include "app/command_line.hpp"

int main(int argc, char** argv) {
  return sluice::app::run_command_line(argc, argv, SLUICE_CONFIG_FILE);
}
