#include "bench/outcome_writer.hpp"

#include <ctime>
#include <utility>

namespace sluice::bench {

outcome_writer::outcome_writer(std::unique_ptr<outcome_store> store)
    : store_(std::move(store)), thread_([this] { run(); }) {}

outcome_writer::~outcome_writer() {
  finish();
}

void outcome_writer::add(std::vector<outcome> group) {
  bool was_empty = false;
  {
    const std::lock_guard lock(mutex_);
    was_empty = queue_.empty();
    queue_.push_back(std::move(group));
  }
  if (was_empty) {
    changed_.notify_one();
  }
}

outcome_writer::result outcome_writer::finish() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) {
    thread_.join();
  }
  return result_;
}

void outcome_writer::run() {
  std::vector<std::vector<outcome>> groups;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return closed_ || !queue_.empty(); });
      if (queue_.empty()) {
        break;
      }
      groups.swap(queue_);
    }
    for (const auto& group : groups) {
      const auto written = store_->write(group);
      if (!written && result_.error.empty()) {
        result_.error = written.error();
      }
    }
    groups.clear();
  }
  timespec cpu{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
  result_.cpu_seconds = static_cast<double>(cpu.tv_sec) + static_cast<double>(cpu.tv_nsec) / 1e9;
}

} // namespace sluice::bench
