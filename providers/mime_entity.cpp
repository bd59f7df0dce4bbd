#include "providers/mime_entity.hpp"

#include "core/letter_case.hpp"
#include "crypto/encoding.hpp"

#include <algorithm>

namespace sluice::providers {

namespace {

constexpr std::string_view white_space = " \t\r\n";

/// The next line without its end, taken off the text with it.
std::string_view take_line(std::string_view& text) {
  const auto end = std::min(text.find('\n'), text.size());
  auto line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(white_space);
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(white_space) + 1 - first);
}

std::string lower(std::string_view text) {
  std::string made{text};
  core::make_lower(made);
  return made;
}

/// A parameter of a field's value, `; name=value` or `; name="value"` (RFC 2045 section 5.1).
std::string parameter_of(std::string_view value, std::string_view name) {
  while (true) {
    const auto semicolon = value.find(';');
    if (semicolon == std::string_view::npos)
      return {};
    value = trimmed(value.substr(semicolon + 1));
    const auto equals = value.find('=');
    if (equals == std::string_view::npos)
      return {};
    const bool wanted = lower(trimmed(value.substr(0, equals))) == name;
    value = trimmed(value.substr(equals + 1));
    std::string found;
    if (value.starts_with('"')) {
      std::size_t at = 1;
      for (; at < value.size() && value[at] != '"'; ++at) {
        at += value[at] == '\\' && at + 1 < value.size() ? 1U : 0U;
        found += value[at];
      }
      value.remove_prefix(std::min(at + 1, value.size()));
    } else {
      const auto end = std::min(value.find_first_of("; \t"), value.size());
      found = value.substr(0, end);
      value.remove_prefix(end);
    }
    if (wanted)
      return found;
  }
}

std::string from_mime_base64(std::string_view text) {
  std::string clean;
  std::ranges::copy_if(text, std::back_inserter(clean), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
  });
  const auto whole = clean.size() / 4 * 4;
  auto decoded = crypto::from_base64(std::string_view{clean}.substr(0, whole)).value_or(std::string{});
  auto rest = clean.substr(whole);
  if (rest.size() > 1) {
    rest.append(4 - rest.size(), '=');
    decoded += crypto::from_base64(rest).value_or(std::string{});
  }
  return decoded;
}

std::string from_quoted_printable(std::string_view text) {
  std::string decoded;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '=') {
      decoded += text[at];
      continue;
    }
    const auto rest = text.substr(at + 1);
    if (rest.starts_with("\r\n")) { // a line that goes on in the next one
      at += 2;
    } else if (rest.starts_with('\n')) {
      at += 1;
    } else if (const auto byte = crypto::from_hex(rest.substr(0, 2)); byte && byte->size() == 1) {
      decoded += *byte;
      at += 2;
    } else {
      decoded += '=';
    }
  }
  return decoded;
}

/// What a line is to a multipart's boundary.
enum class line_kind { inside, delimiter, close };

line_kind kind_of(std::string_view line, std::string_view boundary) {
  if (!line.starts_with("--") || !line.substr(2).starts_with(boundary))
    return line_kind::inside;
  const auto rest = trimmed(line.substr(2 + boundary.size()));
  return rest.empty() ? line_kind::delimiter : rest == "--" ? line_kind::close : line_kind::inside;
}

std::vector<std::string_view> parts_between(std::string_view body, std::string_view boundary) {
  std::vector<std::string_view> parts;
  const auto whole = body;
  std::size_t begin =
      std::string_view::npos; // of the part in hand; nothing before the first delimiter counts
  while (!body.empty() && parts.size() < mime_leaves_max) {
    const auto at = whole.size() - body.size();
    const auto kind = kind_of(take_line(body), boundary);
    if (kind == line_kind::inside)
      continue;
    if (begin != std::string_view::npos)
      parts.push_back(whole.substr(begin, at - begin));
    begin = kind == line_kind::close ? std::string_view::npos : whole.size() - body.size();
    if (kind == line_kind::close)
      break;
  }
  if (begin != std::string_view::npos && parts.size() < mime_leaves_max)
    parts.push_back(whole.substr(begin)); // cut off before its end
  return parts;
}

void collect(std::string_view text, std::size_t depth, std::vector<mime_entity>& leaves) {
  auto entity = read_entity(text);
  if (!entity.media_type().starts_with("multipart/")) {
    if (leaves.size() < mime_leaves_max)
      leaves.push_back(std::move(entity));
    return;
  }
  const auto boundary = parameter_of(value_of(entity.fields, "content-type"), "boundary");
  if (boundary.empty() || depth == mime_depth_max)
    return;
  for (const auto part : parts_between(entity.body, boundary))
    collect(part, depth + 1, leaves);
}

} // namespace

mail_fields take_fields(std::string_view& text) {
  mail_fields fields;
  bool kept = false; // the field in hand
  while (!text.empty()) {
    const auto line = take_line(text);
    if (trimmed(line).empty())
      break;
    if (line.front() == ' ' || line.front() == '\t') {
      if (kept)
        fields.back().value.append(1, ' ').append(trimmed(line));
      continue;
    }
    const auto colon = line.find(':');
    kept = colon != std::string_view::npos && fields.size() < mail_fields_max;
    if (kept)
      fields.push_back({lower(trimmed(line.substr(0, colon))), std::string{trimmed(line.substr(colon + 1))}});
  }
  return fields;
}

std::string_view value_of(const mail_fields& fields, std::string_view lower_case_name) noexcept {
  const auto found = std::ranges::find(fields, lower_case_name, &mail_field::name);
  return found == fields.end() ? std::string_view{} : std::string_view{found->value};
}

std::string mime_entity::media_type() const {
  const auto value = value_of(fields, "content-type");
  const auto type = lower(trimmed(value.substr(0, value.find(';'))));
  return type.empty() ? "text/plain" : type;
}

std::string mime_entity::decoded_body() const {
  const auto encoding = lower(value_of(fields, "content-transfer-encoding"));
  if (encoding == "base64")
    return from_mime_base64(body);
  return encoding == "quoted-printable" ? from_quoted_printable(body) : std::string{body};
}

mime_entity read_entity(std::string_view text) {
  mime_entity made;
  made.fields = take_fields(text);
  made.body = text;
  return made;
}

std::vector<mime_entity> leaves_of(std::string_view message) {
  std::vector<mime_entity> leaves;
  collect(message, 0, leaves);
  return leaves;
}

} // namespace sluice::providers
