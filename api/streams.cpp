#include "api/streams.hpp"

namespace sluice::api {

bool answer_queue::push(piece more) {
  std::function<void()> wake;
  bool taken = true;
  {
    const std::lock_guard guard{mutex_};
    if (closed_ || waiting_.ended)
      return false;
    if (!waiting_.pieces.empty() && bytes_ + more->size() > bytes_max_) {
      waiting_ = {.pieces = {}, .ended = true, .broken_off = true};
      bytes_ = 0;
      taken = false;
    } else {
      bytes_ += more->size();
      waiting_.pieces.push_back(std::move(more));
    }
    wake = wake_;
  }
  if (wake)
    wake();
  return taken;
}

void answer_queue::end() {
  std::function<void()> wake;
  {
    const std::lock_guard guard{mutex_};
    waiting_.ended = true;
    wake = wake_;
  }
  if (wake)
    wake();
}

bool answer_queue::over() {
  const std::lock_guard guard{mutex_};
  return closed_ || waiting_.broken_off;
}

void answer_queue::wake_by(std::function<void()> wake) {
  const std::lock_guard guard{mutex_};
  wake_ = std::move(wake);
}

answer_queue::waiting answer_queue::take() {
  const std::lock_guard guard{mutex_};
  bytes_ = 0;
  auto pieces = std::exchange(waiting_.pieces, {});
  return {std::move(pieces), waiting_.ended, waiting_.broken_off};
}

void answer_queue::close() {
  const std::lock_guard guard{mutex_};
  closed_ = true;
  wake_ = nullptr;
  waiting_.pieces.clear();
}

} // namespace sluice::api
