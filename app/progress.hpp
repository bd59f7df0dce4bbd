#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::app {

/// A bar on standard error for what takes longer than a second; nothing where standard error is no terminal.
class progress {
public:
  progress(std::string_view label, std::int64_t total); ///< total 0: nobody knows how much there is
  ~progress();                                          ///< removes the bar
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void show(std::int64_t done); ///< cheap: draws ten times a second at the most

  /// "import [=====     ]  50 %", for a share of `done` of `total`; without a total, what is done.
  [[nodiscard]] static std::string bar(std::string_view label, std::int64_t done, std::int64_t total);

private:
  using clock = std::chrono::steady_clock;

  std::string label_;
  std::int64_t total_;
  bool terminal_;
  bool drawn_ = false;
  clock::time_point next_draw_;
};

} // namespace sluice::app
