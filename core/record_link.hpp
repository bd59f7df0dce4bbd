#pragma once

#include "core/ids.hpp"
#include "core/ledger.hpp"
#include "core/record_batches.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Remote ids a target already has, as a person tells them.
namespace sluice::core {

inline constexpr std::size_t linked_id_bytes_max = 512; ///< of a source id, and of a remote id

/// The target holds the record under this id.
struct record_link {
  std::string source_id;
  std::string remote_id;
};

/// What is known of the record a link names.
struct link_facts {
  candidate about;                 ///< its record is none where the mirror has it not
  std::optional<record_id> intent; ///< of a create that is out or whose outcome is unknown
};

/// The row that follows from the link, with what the target holds there unknown, so that it is due at once.
/// The error is a sentence that says why the record may not be linked.
[[nodiscard]] std::expected<ledger_row, std::string> link_row(const link_facts& found,
                                                              const std::string& remote_id, timestamp now);

/// What a batch of links comes to.
struct link_plan {
  std::vector<ledger_row> rows;
  std::vector<record_id> intents_done; ///< of unknown creates that are settled by it
  std::int64_t unchanged = 0;          ///< the target holds them so already, as is known
  std::int64_t known_delta = 0;        ///< by how many the records the target holds grow
  std::vector<refused_line> refused;   ///< by their place in the batch, from 1
};

/// `found` by the links' order; `holders`: which other records are known to be held under the batch's remote
/// ids, by these.
[[nodiscard]] link_plan plan_links(std::span<const record_link> links, std::span<const link_facts> found,
                                   const std::multimap<std::string, std::string>& holders, timestamp now);

/// What became of a batch.
struct links_recorded {
  std::int64_t linked = 0; ///< rows written; 0 where a refused line kept the batch from being stored
  std::int64_t unchanged = 0;
  bool stored = false; ///< not: a line was refused, and was not to be left out
  std::vector<refused_line> refused;
};

template <class Inspector>
auto inspect(Inspector& f, record_link& x) {
  return f(x.source_id, x.remote_id);
}

template <class Inspector>
auto inspect(Inspector& f, refused_line& x) {
  return f(x.line, x.reason);
}

template <class Inspector>
auto inspect(Inspector& f, links_recorded& x) {
  return f(x.linked, x.unchanged, x.stored, x.refused);
}

} // namespace sluice::core
