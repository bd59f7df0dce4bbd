#include "providers/curl_headers.hpp"

#include "providers/retry_after.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <strings.h>

namespace sluice::providers {
namespace {

/// Sets remembered at most; a target changes its set when its token changes, so old ones pile up.
constexpr std::size_t chains_max = 256;

/// Bytes kept of a value.
constexpr std::size_t header_value_max = 8192;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// What stands behind a line's colon, without the white space around it.
std::string_view value_in(std::string_view line) {
  const auto first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos)
    return {};
  const auto last = line.find_last_not_of(" \t\r\n");
  return last == std::string_view::npos || last < first
             ? std::string_view{}
             : line.substr(first, std::min(last + 1 - first, header_value_max));
}

/// The value when the line's name is this one (with its colon, lower case).
std::string_view value_of(std::string_view line, std::string_view name) {
  return std::ranges::equal(line.substr(0, name.size()), name, {}, lower) ? value_in(line.substr(name.size()))
                                                                          : std::string_view{};
}

std::string_view longer_wait(std::string_view one, std::string_view other, core::timestamp now) {
  const auto first = parse_retry_after(one, now);
  const auto second = parse_retry_after(other, now);
  return !first || (second && *second > *first) ? other : one;
}

} // namespace

bool answer_header::take(std::string_view line, core::http_answer& answer) {
  bytes_ += line.size();
  if (bytes_ > answer_header_bytes_max)
    return false;
  if (line.starts_with("HTTP/")) { // of a 1xx, or behind one
    whole_ = false;
    answer.retry_after.clear();
    answer.location.clear();
    answer.headers.clear();
    return true;
  }
  if (whole_)
    return true;
  if (line == "\r\n" || line == "\n") {
    whole_ = true;
    return true;
  }
  note_wanted(line, answer);
  if (const auto wait = value_of(line, "retry-after:"); !wait.empty()) {
    answer.retry_after = std::string{longer_wait(answer.retry_after, wait, answer.started_at)};
  } else if (const auto place = value_of(line, "location:"); !place.empty()) {
    answer.location = place;
  }
  return true;
}

void answer_header::note_wanted(std::string_view line, core::http_answer& answer) const {
  for (const auto& name : wanted_) {
    if (line.size() <= name.size() || line[name.size()] != ':' || answer.headers.size() >= wanted_values_max)
      continue;
    if (std::ranges::equal(line.substr(0, name.size()), name, {}, lower)) {
      answer.headers.emplace_back(name, value_in(line.substr(name.size() + 1)));
      return;
    }
  }
}

bool is_clean_line(std::string_view line) noexcept {
  return !line.empty() && std::ranges::none_of(line, [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return (code < 0x20 && c != '\t') || code == 0x7f;
  });
}

bool is_content_type(std::string_view line) noexcept {
  constexpr std::string_view name = "content-type:";
  const auto* begin = line.data();
  return line.size() >= name.size() && strncasecmp(begin, name.data(), name.size()) == 0;
}

header_chain::header_chain(std::shared_ptr<const core::header_lines> lines) : lines_(std::move(lines)) {
  if (!lines_)
    return;
  nodes_.resize(lines_->size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto& line = (*lines_)[i];
    nodes_[i].data = const_cast<char*>(line.c_str());
    nodes_[i].next = i + 1 < nodes_.size() ? &nodes_[i + 1] : nullptr;
    clean_ = clean_ && is_clean_line(line);
    has_content_type_ = has_content_type_ || is_content_type(line);
  }
}

header_chain::~header_chain() = default;

curl_slist* header_chain::first() const noexcept {
  return nodes_.empty() ? nullptr : const_cast<curl_slist*>(nodes_.data());
}

std::shared_ptr<const header_chain>
header_chains::of(const std::shared_ptr<const core::header_lines>& lines) {
  const auto found = chains_.find(lines.get());
  if (found != chains_.end())
    return found->second;
  if (chains_.size() >= chains_max)
    chains_.clear();
  return chains_.emplace(lines.get(), std::make_shared<const header_chain>(lines)).first->second;
}

} // namespace sluice::providers
