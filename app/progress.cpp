#include "app/progress.hpp"

#include "app/output.hpp"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace sluice::app {

progress::progress(std::string_view label, std::int64_t total)
    : label_{label}, total_{total}, terminal_{::isatty(STDERR_FILENO) == 1},
      next_draw_{clock::now() + std::chrono::seconds{1}} {}

progress::~progress() {
  if (drawn_) {
    std::fputs("\r\033[K", stderr);
  }
}

void progress::show(std::int64_t done) {
  if (!terminal_ || clock::now() < next_draw_) {
    return;
  }
  next_draw_ = clock::now() + std::chrono::milliseconds{100};
  drawn_ = true;
  std::fputs(("\r" + bar(label_, done, total_) + "\033[K").c_str(), stderr);
  std::fflush(stderr);
}

std::string progress::bar(std::string_view label, std::int64_t done, std::int64_t total) {
  if (total <= 0) {
    return std::string{label} + ": " + grouped(done);
  }
  constexpr std::int64_t cells = 40;
  const double share = std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(cells));
  const auto percent = std::to_string(static_cast<int>(share * 100));
  return std::string{label} + " [" + std::string(filled, '=') + std::string(cells - filled, ' ') + "] "
         + std::string(3 - std::min<std::size_t>(3, percent.size()), ' ') + percent + " %";
}

} // namespace sluice::app
