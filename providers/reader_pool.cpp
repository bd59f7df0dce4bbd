#include "providers/reader_pool.hpp"

namespace sluice::providers {

namespace {

/// The transport has limited an answer's bytes already.
constexpr core::payload_limits answer_limits{.depth_max = 64, .bytes_max = std::size_t{64} << 20U};
constexpr std::size_t idle_max = 16;

} // namespace

reader_pool::reader_pool(std::vector<std::string> pointers) : pointers_{std::move(pointers)} {
  idle_.reserve(idle_max);
}

reader_pool::reading::~reading() {
  if (borrowed_) {
    pool_->give_back(std::move(borrowed_));
  }
}

std::unique_ptr<reader_pool::tool> reader_pool::borrow() {
  {
    const std::lock_guard lock{mutex_};
    if (!idle_.empty()) {
      auto taken = std::move(idle_.back());
      idle_.pop_back();
      return taken;
    }
  }
  auto made = core::payload_reader::compile(pointers_, answer_limits);
  return made ? std::make_unique<tool>(std::move(*made)) : nullptr;
}

void reader_pool::give_back(std::unique_ptr<tool> borrowed) noexcept {
  const std::lock_guard lock{mutex_};
  if (idle_.size() < idle_max) {
    idle_.push_back(std::move(borrowed)); // within the reserved capacity: does not throw
  }
}

std::optional<reader_pool::reading> reader_pool::read(std::string_view text) {
  auto borrowed = borrow();
  if (!borrowed) {
    return std::nullopt;
  }
  reading made{*this, std::move(borrowed)};
  auto& used = made.borrowed_;
  if (!used->reader.read(text, used->values)) {
    return std::nullopt;
  }
  return made;
}

} // namespace sluice::providers
