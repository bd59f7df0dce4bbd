#include "providers/url_template.hpp"

#include "core/outside_address.hpp"
#include "providers/text_encoding.hpp"

#include <algorithm>

namespace sluice::providers {

namespace {

bool is_dot_segment(std::string_view value) {
  return value.empty() || value == "." || value == "..";
}

std::string encoded(std::string_view text) {
  std::string out;
  append_percent_encoded(out, text);
  return out;
}

} // namespace

std::expected<url_template, std::string> url_template::compile(std::string_view path,
                                                               std::string_view domain) {
  if (path.empty() || path.front() != '/') {
    return std::unexpected{"must begin with \"/\"; it follows base_url"};
  }
  if (path.find('#') != std::string_view::npos) {
    return std::unexpected{"must not hold a fragment (\"#\"); write %23 for the character"};
  }
  auto pieces = split_template(path, encoded(domain));
  if (!pieces) {
    return std::unexpected{std::move(pieces.error())};
  }
  url_template made;
  for (auto& piece : *pieces) {
    if (!core::is_url_text(piece.literal)) {
      return std::unexpected{
          "holds a character that must be percent-encoded (RFC 3986), such as %20 for a space "
          "and %22 for a quote"};
    }
    made.has_query_ = made.has_query_ || piece.literal.find('?') != std::string::npos;
    made.pieces_.push_back(std::move(piece));
    made.path_pieces_ += made.has_query_ ? 0U : 1U;
  }
  return made;
}

void url_template::prepend(std::string_view base) {
  pieces_.front().literal.insert(0, base); // the first piece is literal: a path begins with "/"
}

void url_template::add_query(std::string_view name, std::string_view value) {
  auto parameter = (has_query_ ? "&" : "?") + encoded(name) + "=" + encoded(value);
  has_query_ = true;
  pieces_.push_back({std::move(parameter), std::nullopt});
}

std::optional<std::string> url_template::fill_in(const template_values& values) const {
  std::string out;
  out.reserve(pieces_.front().literal.size() + 64);
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const auto& piece = pieces_[i];
    if (!piece.value) {
      out += piece.literal;
      continue;
    }
    const auto value = values.of(*piece.value);
    if (i < path_pieces_ && is_dot_segment(value)) {
      return std::nullopt;
    }
    append_percent_encoded(out, value);
  }
  return out;
}

std::expected<std::string, std::string> check_base_url(std::string_view url) {
  const auto parsed = core::parse_outside_url(url);
  if (!parsed) {
    return std::unexpected{parsed.error()};
  }
  auto path = parsed->path;
  if (path.find('?') != std::string_view::npos) {
    return std::unexpected{"must not hold a query"};
  }
  while (path.ends_with('/')) {
    path.remove_suffix(1);
  }
  return std::string{parsed->origin}.append(path);
}

} // namespace sluice::providers
