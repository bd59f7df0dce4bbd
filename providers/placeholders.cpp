#include "providers/placeholders.hpp"

#include "providers/visible_text.hpp"

#include <algorithm>

namespace sluice::providers {

namespace {

std::string& literal_of(std::vector<template_piece>& pieces) {
  if (pieces.empty() || pieces.back().value) {
    pieces.emplace_back();
  }
  return pieces.back().literal;
}

/// Takes "name}" off the front of `text`.
std::expected<void, std::string> take_placeholder(std::string_view& text, std::string_view domain,
                                                  std::vector<template_piece>& pieces) {
  const auto end = text.find('}');
  if (end == std::string_view::npos) {
    return std::unexpected{R"(has a "{" without its "}"; a brace itself is written "{{")"};
  }
  const auto name = text.substr(0, end);
  text.remove_prefix(end + 1);
  if (name == "source_id") {
    pieces.push_back({{}, placeholder::source_id});
  } else if (name == "remote_id") {
    pieces.push_back({{}, placeholder::remote_id});
  } else if (name == "anchor_id") {
    pieces.push_back({{}, placeholder::anchor_id});
  } else if (name == "domain") {
    literal_of(pieces) += domain;
  } else {
    return std::unexpected{"has the placeholder {" + visible_text(name, {}, 40)
                           + "}; allowed: {source_id}, {remote_id}, {anchor_id}, {domain}"};
  }
  return {};
}

} // namespace

std::expected<std::vector<template_piece>, std::string> split_template(std::string_view text,
                                                                       std::string_view domain) {
  std::vector<template_piece> pieces;
  while (!text.empty()) {
    const char c = text.front();
    const bool doubled = text.size() > 1 && text[1] == c;
    if ((c == '{' || c == '}') && doubled) {
      literal_of(pieces) += c;
      text.remove_prefix(2);
    } else if (c == '}') {
      return std::unexpected{R"(has a "}" without its "{"; a brace itself is written "}}")"};
    } else if (c == '{') {
      text.remove_prefix(1);
      if (auto taken = take_placeholder(text, domain, pieces); !taken) {
        return std::unexpected{std::move(taken.error())};
      }
    } else {
      const auto end = std::min(text.find_first_of("{}"), text.size());
      literal_of(pieces) += text.substr(0, end);
      text.remove_prefix(end);
    }
  }
  return pieces;
}

bool uses(const std::vector<template_piece>& pieces, placeholder which) noexcept {
  return std::ranges::any_of(pieces, [which](const template_piece& piece) { return piece.value == which; });
}

std::string fill_in(const std::vector<template_piece>& pieces, const template_values& values) {
  std::string out;
  for (const auto& piece : pieces) {
    out += piece.value ? values.of(*piece.value) : std::string_view{piece.literal};
  }
  return out;
}

} // namespace sluice::providers
