#include "core/record_batches.hpp"
#include "core/source_id.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace sluice::core;

void demand(bool holds) {
  if (!holds) {
    std::abort();
  }
}

/// What the lines say, and how many of them nothing, with the text cut at `cut`.
std::vector<std::string> said(std::string_view text, std::size_t cut) {
  record_batches batches{{.records_max = 3, .bytes_max = 200, .line_bytes_max = 4000}};
  std::vector<std::string> found;
  record_batch batch;
  auto take_all = [&] {
    while (batches.next(batch)) {
      for (const auto& change : batch.changes) {
        demand(!source_id_fault(change.record.source_id));
        demand(change.gone ? change.record.payload.empty()
                           : check_payload(change.record.payload).has_value());
        found.push_back(change.record.source_id + "=" + change.record.payload);
      }
      found.push_back(std::to_string(batch.last_line) + ": " + std::to_string(batch.refused));
    }
  };
  batches.feed(text.substr(0, cut));
  take_all();
  batches.feed(text.substr(cut));
  take_all();
  batches.end();
  take_all();
  return found;
}

} // namespace

/// Any bytes as posted lines: what is taken is fit for the mirror, wherever the text is cut. And as a
/// document.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  demand(said(text, size / 2) == said(text, 0));
  if (const auto document = read_record_document(text, {})) {
    for (const auto& change : document->changes)
      demand(text.find(change.record.payload) != std::string_view::npos);
  }
  return 0;
}
