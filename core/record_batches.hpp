#pragma once

#include "core/change_reader.hpp"
#include "core/incoming.hpp"
#include "core/line_splitter.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::core {

struct batch_limits {
  std::size_t records_max = 10'000; ///< lines a batch
  std::size_t bytes_max = std::size_t{8} << 20;
  std::size_t line_bytes_max = std::size_t{2} << 20;
  std::size_t refused_listed_max = 20; ///< refused lines a batch names; the others it only counts
};

struct refused_line {
  std::int64_t line = 0; ///< from 1; of a document's records, its number there
  std::string reason;
};

/// Changes that are written together, and the lines among them that cannot be.
struct record_batch {
  std::vector<incoming_change> changes;
  std::vector<refused_line> listed; ///< the first of the refused lines
  std::int64_t refused = 0;
  std::int64_t last_line = 0;
};

/// Makes batches of a text of lines (NDJSON) that comes in blocks. Holds one batch at the most, of
/// `bytes_max` and a line more.
class record_batches {
public:
  explicit record_batches(const batch_limits& limits);

  /// As line_splitter's: a block stays where it is until `next` has returned false.
  void feed(std::string_view block) { lines_.feed(block); }
  void end();

  /// False: the blocks so far fill no batch, and more may come.
  [[nodiscard]] bool next(record_batch& batch);

private:
  void take(const text_line& line);
  [[nodiscard]] bool full() const;

  batch_limits limits_;
  line_splitter lines_;
  change_reader reader_;
  record_batch gathered_;
  std::size_t gathered_bytes_ = 0;
  bool ended_ = false;
};

/// Why a document as a whole is no batch.
struct document_fault {
  enum class kind : std::uint8_t {
    unreadable, ///< not a JSON object
    unfit,      ///< one, but not of records, or of too many
  };
  kind what = kind::unreadable;
  std::string why; ///< a sentence
};

/// A document {"records": […]}, whose items are as a line's objects, as one batch.
[[nodiscard]] std::expected<record_batch, document_fault> read_record_document(std::string_view document,
                                                                               const batch_limits& limits);

} // namespace sluice::core
