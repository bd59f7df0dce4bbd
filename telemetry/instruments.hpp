#pragma once

#include "core/time.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <vector>

/// What is counted while a node works. Thread-safe; none takes a lock or allocates, so that it costs the path
/// it stands in no more than an atomic addition.
namespace sluice::telemetry {

[[nodiscard]] constexpr double seconds(core::duration length) noexcept {
  return std::chrono::duration<double>{length}.count();
}

/// Only grows.
class counter {
public:
  void add(std::int64_t by = 1) noexcept { value_.fetch_add(by, std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

private:
  std::atomic<std::int64_t> value_ = 0;
};

/// Goes up and down. One that is not known is shown nowhere.
class gauge {
public:
  void set(double to) noexcept { value_.store(to, std::memory_order_relaxed); }
  void add(double by) noexcept { value_.fetch_add(by, std::memory_order_relaxed); }
  void forget() noexcept { set(std::numeric_limits<double>::quiet_NaN()); }

  [[nodiscard]] std::optional<double> value() const noexcept {
    const auto now = value_.load(std::memory_order_relaxed);
    return std::isnan(now) ? std::nullopt : std::optional{now};
  }

private:
  std::atomic<double> value_ = 0;
};

/// What one holder adds to a gauge that several share; taken back when the holder ends, however it does.
class gauge_share {
public:
  explicit gauge_share(gauge& of) noexcept : of_(of) {}
  ~gauge_share() { of_.add(-static_cast<double>(held_)); }
  gauge_share(const gauge_share&) = delete;
  gauge_share& operator=(const gauge_share&) = delete;

  void take() noexcept {
    ++held_;
    of_.add(1);
  }
  void give_back() noexcept {
    --held_;
    of_.add(-1);
  }
  [[nodiscard]] std::size_t held() const noexcept { return held_; }

private:
  gauge& of_;
  std::size_t held_ = 0;
};

/// How often a value was at most so large.
class histogram {
public:
  struct reading {
    std::vector<double> bounds;
    std::vector<std::int64_t> counts; ///< one a bound and one for what is above the last
    double sum = 0;
  };

  /// `bounds` grow, and outlive it.
  explicit histogram(std::span<const double> bounds) : bounds_(bounds), counts_(bounds.size() + 1) {}

  void observe(double value) noexcept {
    const auto at = std::ranges::lower_bound(bounds_, value) - bounds_.begin();
    counts_[static_cast<std::size_t>(at)].add();
    sum_.add(value);
  }

  [[nodiscard]] reading value() const {
    reading now{{bounds_.begin(), bounds_.end()}, {}, sum_.value().value_or(0)};
    std::ranges::transform(counts_, std::back_inserter(now.counts), &counter::value);
    return now;
  }

private:
  std::span<const double> bounds_;
  std::vector<counter> counts_;
  gauge sum_;
};

} // namespace sluice::telemetry
