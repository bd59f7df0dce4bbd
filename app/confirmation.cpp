#include "app/confirmation.hpp"

#include <iostream>
#include <string>
#include <unistd.h>

namespace sluice::app {

bool confirmed(const command_context& context, std::string_view question, std::string_view otherwise,
               std::string_view to_do) {
  if (::isatty(STDIN_FILENO) != 1 || context.style.json) {
    print_error(otherwise, "there is nobody to ask: standard input is no terminal, or --json was given",
                to_do);
    return false;
  }
  std::cerr << question << " [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  if (answer == "y" || answer == "yes" || answer == "Y") {
    return true;
  }
  print_note(otherwise);
  return false;
}

} // namespace sluice::app
