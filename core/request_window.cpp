#include "core/request_window.hpp"

#include "core/assertion.hpp"

#include <algorithm>
#include <charconv>
#include <ratio>
#include <string_view>

namespace sluice::core {

namespace {

using tenths = std::chrono::duration<std::int64_t, std::deci>;

constexpr std::string_view format_mark = "w1";
constexpr std::int64_t count_max = 1'000'000'000;
/// Times in the text lie within ten thousand years of 1970, so that no sum of them overflows.
constexpr std::int64_t seconds_max = std::int64_t{10'000} * 366 * 86'400;

/// When a slot whose call ended at `ended_at` is free: always more than 60 s after, so that not even a span
/// of 60 s with both its ends holds a call of the slot's old use and one of its new.
[[nodiscard]] timestamp free_time(timestamp ended_at) noexcept {
  return std::chrono::floor<tenths>(ended_at + request_window::window) + tenths{1};
}

/// Takes the next word of `text`, which words are separated by single spaces.
[[nodiscard]] std::string_view next_word(std::string_view& text) noexcept {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

[[nodiscard]] std::optional<std::int64_t> read_number(std::string_view word, std::int64_t least,
                                                      std::int64_t most) noexcept {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || value < least || value > most)
    return std::nullopt;
  return value;
}

} // namespace

void request_window::expire(timestamp now) {
  // A wall clock that was set back must not lengthen a block.
  if (blocked_until_)
    blocked_until_ = std::min(*blocked_until_, now + block_length_);
  if (blocked_until_ && *blocked_until_ <= now)
    blocked_until_.reset();
  while (!cooling_.empty() && cooling_.front().free_at <= now) {
    cooling_total_ -= cooling_.front().count;
    cooling_.pop_front();
  }
  // No call ends in the future: an entry further off is from before the wall clock was set back.
  const timestamp latest = free_time(now);
  for (auto entry = cooling_.rbegin(); entry != cooling_.rend() && entry->free_at > latest; ++entry)
    entry->free_at = latest;
}

request_window::grant request_window::take(std::int64_t wanted, timestamp now) {
  assert_that(wanted >= 0 && wanted <= count_max, "a number of slots is asked for");
  expire(now);
  if (blocked_until_)
    return {.now = 0, .rest_at = wanted > 0 ? blocked_until_ : std::nullopt};
  if (limit_ <= 0) {
    outstanding_ += wanted;
    return {.now = wanted, .rest_at = std::nullopt};
  }
  const std::int64_t granted = std::clamp(limit_ - outstanding_ - cooling_total_, std::int64_t{0}, wanted);
  outstanding_ += granted;
  if (granted == wanted)
    return {.now = granted, .rest_at = std::nullopt};
  return {.now = granted, .rest_at = next_free(now)};
}

timestamp request_window::next_free(timestamp now) const {
  std::int64_t taken = outstanding_ + cooling_total_;
  for (const cooling& entry : cooling_) {
    taken -= entry.count;
    if (taken < limit_)
      return entry.free_at;
  }
  return free_time(now); // every slot is out: none of their calls has ended yet
}

void request_window::end(std::int64_t count, timestamp ended_at) {
  assert_that(count >= 0 && count <= count_max, "a number of calls ended");
  // Calls of before a restart are cooling already; counting a late end of theirs again is safe.
  outstanding_ -= std::min(count, outstanding_);
  if (count > 0 && limit_ > 0)
    cool(free_time(ended_at), count);
}

void request_window::cool(timestamp free_at, std::int64_t count) {
  auto place = cooling_.end();
  while (place != cooling_.begin() && std::prev(place)->free_at > free_at)
    --place;
  if (place != cooling_.begin() && std::prev(place)->free_at == free_at)
    std::prev(place)->count += count;
  else
    cooling_.insert(place, {.free_at = free_at, .count = count});
  cooling_total_ += count;
}

void request_window::give_back(std::int64_t count) {
  assert_that(count >= 0 && count <= count_max, "a number of slots is given back");
  outstanding_ -= std::min(count, outstanding_);
}

void request_window::block(timestamp until, timestamp now) {
  if (blocked_until_ && *blocked_until_ >= until)
    return;
  blocked_until_ = until;
  block_length_ = until - now;
}

std::optional<timestamp> request_window::blocked_until(timestamp now) const {
  return blocked_until_ && *blocked_until_ > now ? blocked_until_ : std::nullopt;
}

// "w1 <outstanding> <block's end in us, or -> <count>@<free at, in tenths of a second> …"
std::string request_window::to_text() const {
  std::string text{format_mark};
  text += ' ' + std::to_string(outstanding_) + ' ';
  text += blocked_until_ ? std::to_string(to_us(*blocked_until_)) : "-";
  for (const cooling& entry : cooling_) {
    const auto free_at = std::chrono::floor<tenths>(entry.free_at.time_since_epoch());
    text += ' ' + std::to_string(entry.count) + '@' + std::to_string(free_at.count());
  }
  return text;
}

std::optional<timestamp> request_window::block_of(std::string_view text) {
  if (next_word(text) != format_mark)
    return std::nullopt;
  static_cast<void>(next_word(text)); // what was outstanding
  const auto until = read_number(next_word(text), -seconds_max * 1'000'000, seconds_max * 1'000'000);
  return until ? std::optional{from_us(*until)} : std::nullopt;
}

std::optional<request_window> request_window::from_text(const std::string& text, std::int64_t limit,
                                                        timestamp now) {
  std::string_view rest = text;
  if (next_word(rest) != format_mark || (!text.empty() && text.back() == ' '))
    return std::nullopt;
  request_window restored{limit};
  const auto outstanding = read_number(next_word(rest), 0, count_max);
  const std::string_view block = next_word(rest);
  const auto until = read_number(block, -seconds_max * 1'000'000, seconds_max * 1'000'000);
  if (!outstanding || (!until && block != "-"))
    return std::nullopt;
  if (until)
    restored.block(from_us(*until), now);
  while (!rest.empty()) {
    const std::string_view word = next_word(rest);
    const std::size_t at = std::min(word.find('@'), word.size());
    const auto count = read_number(word.substr(0, at), 1, count_max);
    const auto free_at =
        read_number(word.substr(std::min(at + 1, word.size())), -seconds_max * 10, seconds_max * 10);
    if (!count || !free_at || restored.cooling_total_ > count_max)
      return std::nullopt;
    if (limit > 0)
      restored.cool(timestamp{tenths{*free_at}}, *count);
  }
  restored.end(*outstanding, now);
  restored.expire(now);
  return restored;
}

} // namespace sluice::core
