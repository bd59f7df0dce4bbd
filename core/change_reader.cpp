#include "core/change_reader.hpp"

#include "core/json_places.hpp"
#include "core/source_id.hpp"

#include <optional>
#include <utility>

namespace sluice::core {

namespace {

constexpr const char* id_place = "/id";

payload_reader reader_of_id(std::size_t bytes_max) {
  payload_limits limits;
  ++limits.depth_max; // the record is one deeper here than in the mirror
  limits.bytes_max = bytes_max;
  return std::move(*payload_reader::compile({id_place}, limits));
}

/// Its members as they are written; a member that is not there has no text.
struct change_parts {
  std::string_view id;
  std::string_view record;
  std::string_view deleted;

  std::string_view* part(std::string_view name) {
    if (name == "id")
      return &id;
    if (name == "record")
      return &record;
    return name == "deleted" ? &deleted : nullptr;
  }
};

std::string quoted(std::string_view name) {
  return "\"" + std::string{name.substr(0, 60)} + "\"";
}

std::expected<change_parts, std::string> take_apart(std::string_view object) {
  change_parts parts;
  json_members members{object};
  json_members::member one;
  while (members.next(one)) {
    auto* part = parts.part(one.name);
    if (!part)
      return std::unexpected{"it has a member " + quoted(one.name) + "; allowed are id, record and deleted"};
    if (!part->empty())
      return std::unexpected{quoted(one.name) + " stands there twice"};
    *part = one.value;
  }
  return parts;
}

std::optional<std::string> fault_of(const change_parts& parts) {
  if (parts.record.empty() == parts.deleted.empty())
    return "it must have either a record or \"deleted\": true";
  if (!parts.deleted.empty())
    return parts.deleted == "true" ? std::nullopt : std::optional{std::string{"deleted must be true"}};
  if (kind_of(parts.record) != value_kind::object)
    return "the record is " + std::string{to_string(kind_of(parts.record))} + "; allowed is an object";
  const auto most = payload_limits{}.bytes_max;
  if (parts.record.size() > most)
    return "the record has " + std::to_string(parts.record.size()) + " bytes; allowed are "
           + std::to_string(most);
  return std::nullopt;
}

} // namespace

change_reader::change_reader(std::size_t bytes_max) : id_(reader_of_id(bytes_max)) {}

std::expected<incoming_change, std::string> change_reader::read(std::string_view text) {
  if (auto well = id_.read(text, values_); !well)
    return std::unexpected{std::move(well.error())};
  const auto object = trimmed_json(text);
  if (kind_of(object) != value_kind::object)
    return std::unexpected{"it is not a JSON object"};
  const auto parts = take_apart(object);
  if (!parts)
    return std::unexpected{parts.error()};
  auto fault = source_id_fault(values_.front(), id_place);
  if (!fault)
    fault = fault_of(*parts);
  if (fault)
    return std::unexpected{std::move(*fault)};
  return incoming_change{{std::move(values_.front().text), std::string{parts->record}},
                         !parts->deleted.empty()};
}

} // namespace sluice::core
