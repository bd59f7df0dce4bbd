#include "core/record_batches.hpp"

#include "core/json_places.hpp"

#include <utility>

namespace sluice::core {

namespace {

constexpr std::size_t document_depth = 3; ///< of a record in it: the document, its array, the item

void refuse(record_batch& batch, std::int64_t line, std::string reason, const batch_limits& limits) {
  ++batch.refused;
  if (batch.listed.size() < limits.refused_listed_max)
    batch.listed.push_back({line, std::move(reason)});
}

/// Puts what `text` says into the batch; returns how many bytes it keeps of it.
std::size_t read_into(record_batch& batch, change_reader& reader, std::int64_t line, std::string_view text,
                      const batch_limits& limits) {
  batch.last_line = line;
  auto change = reader.read(text);
  if (!change) {
    refuse(batch, line, std::move(change.error()), limits);
    return 0;
  }
  batch.changes.push_back(std::move(*change));
  return text.size();
}

std::unexpected<document_fault> unfit(std::string why) {
  return std::unexpected{document_fault{document_fault::kind::unfit, std::move(why)}};
}

/// The array of the document's one member.
std::expected<std::string_view, document_fault> records_of(std::string_view document,
                                                           const payload_limits& bounds) {
  if (auto well = check_payload(document, bounds); !well)
    return std::unexpected{document_fault{document_fault::kind::unreadable, std::move(well.error())}};
  const auto object = trimmed_json(document);
  if (kind_of(object) != value_kind::object)
    return std::unexpected{document_fault{document_fault::kind::unreadable, "the body is not a JSON object"}};
  json_members members{object};
  json_members::member one;
  std::string_view records;
  while (members.next(one)) {
    if (one.name != "records" || !records.empty())
      return unfit("the body must have the one member records");
    records = one.value;
  }
  if (kind_of(records) != value_kind::array)
    return unfit("records must be an array of objects");
  return records;
}

} // namespace

record_batches::record_batches(const batch_limits& limits)
    : limits_(limits), lines_(limits.line_bytes_max), reader_(limits.line_bytes_max) {}

void record_batches::end() {
  lines_.end();
  ended_ = true;
}

bool record_batches::next(record_batch& batch) {
  text_line line;
  while (!full() && lines_.next(line))
    take(line);
  const bool last = ended_ && gathered_.last_line > 0;
  if (!full() && !last)
    return false;
  batch = std::exchange(gathered_, {});
  gathered_bytes_ = 0;
  return true;
}

void record_batches::take(const text_line& line) {
  if (!line.whole) {
    gathered_.last_line = line.number;
    refuse(gathered_, line.number,
           "the line is longer than " + std::to_string(limits_.line_bytes_max) + " bytes", limits_);
    return;
  }
  gathered_bytes_ += read_into(gathered_, reader_, line.number, line.text, limits_);
}

bool record_batches::full() const {
  const auto lines = gathered_.changes.size() + static_cast<std::size_t>(gathered_.refused);
  return lines >= limits_.records_max || gathered_bytes_ >= limits_.bytes_max;
}

std::expected<record_batch, document_fault> read_record_document(std::string_view document,
                                                                 const batch_limits& limits) {
  payload_limits bounds;
  bounds.depth_max += document_depth;
  bounds.bytes_max = document.size();
  const auto records = records_of(document, bounds);
  if (!records)
    return std::unexpected{records.error()};
  record_batch batch;
  change_reader reader{limits.line_bytes_max};
  json_items items{*records};
  std::string_view item;
  while (items.next(item)) {
    if (std::cmp_greater_equal(batch.last_line, limits.records_max))
      return unfit("a document may have " + std::to_string(limits.records_max)
                   + " records; send more as NDJSON");
    read_into(batch, reader, batch.last_line + 1, item, limits);
  }
  return batch;
}

} // namespace sluice::core
