#include "providers/curl_headers.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <strings.h>

namespace sluice::providers {
namespace {

/// Sets remembered at most; a target changes its set when its token changes, so old ones pile up.
constexpr std::size_t chains_max = 256;

} // namespace

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
