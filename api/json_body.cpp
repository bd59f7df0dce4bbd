#include "api/json_body.hpp"

#include "core/payload.hpp"

#include <algorithm>
#include <charconv>

namespace sluice::api {

namespace {

using nlohmann::json;

constexpr int depth_max = 16; ///< no body of ours is deeper, and a deep one costs memory

/// Counts the open brackets outside of texts.
bool too_deep(std::string_view text) {
  auto depth = 0;
  auto quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto c = text[at];
    if (quoted && c == '\\') {
      ++at;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '{' || c == '[')) {
      if (++depth > depth_max)
        return true;
    } else if (!quoted && (c == '}' || c == ']')) {
      --depth;
    }
  }
  return false;
}

/// Of a text the parser refused.
std::string why_not_json(std::string_view text) {
  const auto checked = core::check_payload(text, {.bytes_max = text.size()});
  return checked ? "the body holds a number beyond 1.7976931348623157e308" // the parser's alone
                 : "the body is not JSON: " + checked.error();
}

std::string range_text(std::int64_t least, std::int64_t most) {
  if (most == std::numeric_limits<std::int64_t>::max())
    return std::to_string(least) + " or more";
  return std::to_string(least) + " to " + std::to_string(most);
}

const std::string* text_in(const json& object, const char* name) {
  if (!object.is_object() || !object.contains(name))
    return nullptr;
  const auto* text = object.at(name).get_ptr<const std::string*>();
  return text && text->find('\0') == std::string::npos ? text : nullptr;
}

} // namespace

response json_response(const nlohmann::ordered_json& document, int status) {
  response answer;
  answer.status = status;
  answer.body = document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  return answer;
}

body_reader::body_reader(const request& from) : text_{from.body} {
  document_ = json::object();
  if (from.body.empty())
    return;
  if (too_deep(from.body)) {
    fault_ = bad_request("the body nests deeper than " + std::to_string(depth_max) + " levels");
    return;
  }
  auto parsed = json::parse(from.body, nullptr, false);
  if (parsed.is_discarded())
    fault_ = bad_request(why_not_json(from.body));
  else if (!parsed.is_object())
    fault_ = bad_request("the body is " + std::string{parsed.type_name()} + "; allowed is an object");
  else
    document_ = std::move(parsed);
}

const json* body_reader::member(std::string_view name, bool needed) {
  known_.emplace_back(name);
  if (fault_)
    return nullptr;
  const auto found = document_.find(name);
  if (found != document_.end() && !found->is_null())
    return &*found;
  if (needed)
    refuse(name, std::string{name} + " is missing");
  return nullptr;
}

std::string body_reader::text(std::string_view name, std::size_t least, std::size_t most) {
  const auto* found = member(name, least > 0);
  if (!found)
    return {};
  const auto* value = found->get_ptr<const std::string*>();
  const auto sized = value && value->size() >= least && value->size() <= most;
  if (!sized || value->find('\0') != std::string::npos) {
    refuse(name, std::string{name} + " must be a text of "
                     + range_text(static_cast<std::int64_t>(least), static_cast<std::int64_t>(most))
                     + " bytes without NUL");
    return {};
  }
  return *value;
}

std::optional<std::string> body_reader::optional_text(std::string_view name, std::size_t most) {
  if (!member(name, false))
    return std::nullopt;
  return text(name, 0, most);
}

std::optional<std::vector<std::string>> body_reader::optional_texts(std::string_view name, std::size_t most) {
  const auto* found = member(name, false);
  if (!found)
    return std::nullopt;
  std::vector<std::string> texts;
  const auto good = [&](const json& item) {
    const auto* text = item.get_ptr<const std::string*>();
    return text && !text->empty() && text->size() <= most && text->find('\0') == std::string::npos
           && std::ranges::find(texts, *text) == texts.end();
  };
  for (const auto& item : found->is_array() ? *found : json::array({nullptr})) {
    if (!good(item)) {
      refuse(name, std::string{name} + " must be a list of texts of 1 to " + std::to_string(most)
                       + " bytes without NUL, each once");
      return std::nullopt;
    }
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

std::vector<std::pair<std::string, std::string>>
body_reader::text_pairs(std::string_view name, const char* first, const char* second, std::size_t most) {
  const auto* found = member(name, true);
  if (!found)
    return {};
  if (!found->is_array() || found->empty() || found->size() > most) {
    refuse(name, std::string{name} + " must be a list of 1 to " + std::to_string(most) + " objects");
    return {};
  }
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& item : *found) {
    const auto* one = text_in(item, first);
    const auto* other = text_in(item, second);
    if (!one || !other || item.size() != 2) {
      refuse(name, std::string{name} + "[" + std::to_string(pairs.size())
                       + "] must be an object of the texts " + first + " and " + second
                       + ", without NUL, and of nothing else");
      return {};
    }
    pairs.emplace_back(*one, *other);
  }
  return pairs;
}

std::int64_t body_reader::number(std::string_view name, std::int64_t least, std::int64_t most) {
  (void)member(name, true);
  return optional_number(name, least, most).value_or(least);
}

std::optional<std::int64_t> body_reader::optional_number(std::string_view name, std::int64_t least,
                                                         std::int64_t most) {
  const auto* found = member(name, false);
  if (!found)
    return std::nullopt;
  const auto* unsigned_value = found->get_ptr<const json::number_unsigned_t*>();
  const auto fits =
      found->is_number_integer() && (!unsigned_value || std::in_range<std::int64_t>(*unsigned_value));
  if (!fits || found->get<std::int64_t>() < least || found->get<std::int64_t>() > most) {
    refuse(name, std::string{name} + " must be a whole number, " + range_text(least, most));
    return std::nullopt;
  }
  return found->get<std::int64_t>();
}

bool body_reader::flag(std::string_view name) {
  return optional_flag(name).value_or(false);
}

std::optional<bool> body_reader::optional_flag(std::string_view name) {
  const auto* found = member(name, false);
  if (found && !found->is_boolean())
    refuse(name, std::string{name} + " must be true or false");
  if (!found || !found->is_boolean())
    return std::nullopt;
  return found->get<bool>();
}

std::optional<std::vector<json>> body_reader::optional_objects(std::string_view name, std::size_t most) {
  const auto* found = member(name, false);
  if (!found)
    return std::nullopt;
  const auto good = found->is_array() && found->size() <= most
                    && std::ranges::all_of(*found, [](const json& item) { return item.is_object(); });
  if (!good) {
    refuse(name, std::string{name} + " must be a list of at most " + std::to_string(most) + " objects");
    return std::nullopt;
  }
  return std::vector<json>(found->begin(), found->end());
}

std::optional<std::string> body_reader::optional_object_text(std::string_view name) {
  const auto* found = member(name, false);
  if (!found)
    return !fault_ && document_.contains(name) ? std::optional{std::string{}} : std::nullopt;
  std::vector<core::value> values;
  auto reader = core::payload_reader::compile({"/" + std::string{name}});
  if (found->is_object() && reader && reader->read(text_, values))
    return std::move(values.front().text);
  refuse(name, std::string{name} + " must be an object, of UTF-8 without NUL");
  return std::nullopt;
}

core::timestamp body_reader::time(std::string_view name) {
  (void)member(name, true);
  return optional_time(name).value_or(core::timestamp{});
}

std::optional<core::timestamp> body_reader::optional_time(std::string_view name) {
  const auto value = optional_text(name, 64);
  if (!value)
    return std::nullopt;
  const auto parsed = core::parse_rfc3339(*value);
  if (parsed)
    return *parsed;
  refuse(name, std::string{name} + " must be a time such as 2026-01-31T12:00:00Z");
  return std::nullopt;
}

/// A member nobody knows is the first thing to tell: it is why another is missing, most of the time.
std::optional<problem> body_reader::finish() {
  for (const auto& [name, value] : document_.items()) {
    if (std::ranges::find(known_, name) == known_.end())
      return invalid_member(name, name + " is not a member of this request");
  }
  return std::move(fault_);
}

void body_reader::refuse(std::string_view name, std::string detail) {
  if (!fault_)
    fault_ = invalid_member(name, std::move(detail));
}

std::expected<std::int64_t, problem> query_number(const request& from, std::string_view name,
                                                  std::int64_t otherwise, std::int64_t least,
                                                  std::int64_t most) {
  const auto found = from.query.find(name);
  if (found == from.query.end())
    return otherwise;
  const auto& text = found->second;
  std::int64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size() || value < least || value > most)
    return std::unexpected{
        invalid_member(name, std::string{name} + " must be a whole number, " + range_text(least, most))};
  return value;
}

std::string query_text(const request& from, std::string_view name) {
  const auto found = from.query.find(name);
  return found == from.query.end() ? std::string{} : found->second;
}

} // namespace sluice::api
