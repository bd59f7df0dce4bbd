#include "app/version.hpp"

namespace sluice::app {

int version(const output_style& style) {
  if (style.json) {
    print_json({{"name", "sluice"}, {"version", version_text}});
  } else {
    print_line("sluice " + std::string{version_text});
  }
  return exit_ok;
}

} // namespace sluice::app
