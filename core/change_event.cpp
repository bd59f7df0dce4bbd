#include "core/change_event.hpp"

#include "core/payload.hpp"

#include <algorithm>
#include <array>

namespace sluice::core {

namespace {

constexpr std::array<std::string_view, 3> change_words{"created", "updated", "deleted"};
static_assert(change_words[static_cast<std::size_t>(record_change::deleted)] == "deleted");

constexpr std::array<std::string_view, 3> kind_words{"change", "published", "test"};
static_assert(kind_words[static_cast<std::size_t>(event_kind::test)] == "test");

} // namespace

std::string_view to_string(event_kind kind) noexcept {
  const auto index = static_cast<std::size_t>(kind);
  return index < kind_words.size() ? kind_words[index] : std::string_view{"unknown"};
}

std::optional<event_kind> parse_event_kind(std::string_view text) noexcept {
  const auto found = std::ranges::find(kind_words, text);
  if (found == kind_words.end())
    return std::nullopt;
  return static_cast<event_kind>(found - kind_words.begin());
}

std::string_view to_string(record_change change) noexcept {
  const auto index = static_cast<std::size_t>(change);
  return index < change_words.size() ? change_words[index] : std::string_view{"unknown"};
}

std::string event_type_of(std::string_view domain, record_change change) {
  return std::string{domain}.append(1, '.').append(to_string(change));
}

std::string event_body(const change_event& event) {
  if (event.kind != event_kind::change || !event.source)
    return event.body;
  std::string body;
  body.reserve(event.body.size() + event.source->source_id.size() + 160);
  body += R"({"type":)";
  append_json_string(body, event.type);
  body.append(R"(,"timestamp":")").append(to_rfc3339(event.occurred_at));
  body += R"(","data":{"source_id":)";
  append_json_string(body, event.source->source_id);
  body.append(R"(,"record":)").append(event.body).append("}}");
  return body;
}

} // namespace sluice::core
