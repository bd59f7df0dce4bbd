#include "core/progress.hpp"

#include "core/assertion.hpp"

namespace sluice::core {

progress::ticket progress::add(position at) {
  assert_that(entries_.empty() || entries_.back().at <= at, "a stream is read forward");
  entries_.push_back({at, false});
  ++open_;
  return first_ + entries_.size() - 1;
}

void progress::add_concluded(position at) {
  assert_that(entries_.empty() || entries_.back().at <= at, "a stream is read forward");
  entries_.push_back({at, true});
}

void progress::conclude(ticket which) {
  assert_that(which >= first_ && which - first_ < entries_.size(), "the ticket is open");
  auto& concluded = entries_[which - first_].concluded;
  if (concluded)
    return;
  concluded = true;
  --open_;
}

std::optional<position> progress::advance() {
  std::optional<position> passed;
  while (!entries_.empty() && entries_.front().concluded) {
    passed = entries_.front().at;
    entries_.pop_front();
    ++first_;
  }
  return passed;
}

} // namespace sluice::core
