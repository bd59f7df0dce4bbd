#include "providers/url_template.hpp"

#include "providers/text_encoding.hpp"

#include <algorithm>

namespace sluice::providers {

namespace {

/// RFC 3986: what may stand in a path or query, "%" as part of an escape.
bool allowed_in_path(std::string_view text) {
  static constexpr std::string_view others = "-._~!$&'()*+,;=:@/?%[]";
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
           || others.find(c) != std::string_view::npos;
  });
}

bool is_dot_segment(std::string_view value) {
  return value.empty() || value == "." || value == "..";
}

std::string encoded(std::string_view text) {
  std::string out;
  append_percent_encoded(out, text);
  return out;
}

bool valid_port(std::string_view port) {
  return !port.empty() && port.size() <= 5
         && std::ranges::all_of(port, [](char c) { return c >= '0' && c <= '9'; });
}

/// "host", "host:port" or "[address]:port".
bool valid_authority(std::string_view authority) {
  const auto bracket = authority.find(']');
  const auto colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const auto host = authority.substr(0, colon);
  if (host.empty() || (colon != std::string_view::npos && !valid_port(authority.substr(colon + 1)))) {
    return false;
  }
  const bool address = host.front() == '[' && host.back() == ']' && host.size() > 2;
  return std::ranges::all_of(address ? host.substr(1, host.size() - 2) : host, [address](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.'
           || (address ? c == ':' : c == '-' || c == '_');
  });
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
    if (!allowed_in_path(piece.literal)) {
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
  const bool https = url.starts_with("https://");
  if (!https && !url.starts_with("http://")) {
    return std::unexpected{"must be an absolute address that begins with https:// or http://"};
  }
  const auto start = std::size_t{https ? 8U : 7U};
  const auto end = std::min(url.find_first_of("/?#", start), url.size());
  const auto authority = url.substr(start, end - start);
  if (authority.find('@') != std::string_view::npos) {
    return std::unexpected{"must not hold a user or password; credentials have their own place"};
  }
  if (!valid_authority(authority)) {
    return std::unexpected{"must name a host, and a port if any as digits"};
  }
  auto path = url.substr(end);
  if (path.find_first_of("?#{}") != std::string_view::npos || !allowed_in_path(path)) {
    return std::unexpected{"must not hold a query, a fragment, a placeholder or a character to be encoded"};
  }
  while (path.ends_with('/')) {
    path.remove_suffix(1);
  }
  return std::string{url.substr(0, end)}.append(path);
}

} // namespace sluice::providers
