#pragma once

#include "core/http.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

struct curl_slist;

namespace sluice::providers {

/// Whether a header line may go out as it is: no control character could begin a line of its own.
[[nodiscard]] bool is_clean_line(std::string_view line) noexcept;

/// Whether the line's name is Content-Type, in any case.
[[nodiscard]] bool is_content_type(std::string_view line) noexcept;

/// Header lines of those wanted that one answer carries.
inline constexpr std::size_t wanted_values_max = 64;

/// Bytes of header lines an answer may have, those of its 1xx announcements among them.
inline constexpr std::size_t answer_header_bytes_max = std::size_t{256} << 10;

/// Reads the header of one answer, line by line as libcurl hands it over.
class answer_header {
public:
  answer_header() = default;
  /// `wanted`: names in lower case whose values the answer is to carry.
  explicit answer_header(std::vector<std::string> wanted) : wanted_(std::move(wanted)) {}

  /// Takes a line with its line end, and writes what counts of it into the answer. False when the header is
  /// over its limit. What a 1xx said is forgotten, what stands in a trailer is not read (RFC 9110 section
  /// 6.5.1). Of several Retry-After lines, which section 5.3 does not allow, the longest wait counts, and one
  /// that is none does not count: both are asked for, and the longer one grants both.
  [[nodiscard]] bool take(std::string_view line, core::http_answer& answer);

  /// Whether the header came to its end. libcurl takes one that breaks off for a whole answer.
  [[nodiscard]] bool whole() const noexcept { return whole_; }

private:
  void note_wanted(std::string_view line, core::http_answer& answer) const;

  std::vector<std::string> wanted_;
  std::size_t bytes_ = 0;
  bool whole_ = false;
};

/// Header lines in libcurl's form, made once for the many requests that share them. Never changes.
class header_chain {
public:
  explicit header_chain(std::shared_ptr<const core::header_lines> lines);
  ~header_chain();
  header_chain(const header_chain&) = delete;
  header_chain& operator=(const header_chain&) = delete;

  /// The first node, null without lines. libcurl only reads it.
  [[nodiscard]] curl_slist* first() const noexcept;
  [[nodiscard]] bool clean() const noexcept { return clean_; }
  [[nodiscard]] bool has_content_type() const noexcept { return has_content_type_; }

private:
  std::shared_ptr<const core::header_lines> lines_;
  std::vector<curl_slist> nodes_; ///< point into the lines and at each other
  bool clean_ = true;
  bool has_content_type_ = false;
};

/// The chain of each set of common headers, found by the identity of the set.
class header_chains {
public:
  [[nodiscard]] std::shared_ptr<const header_chain>
  of(const std::shared_ptr<const core::header_lines>& lines);

private:
  /// Keys stay unambiguous because each chain keeps its lines alive.
  std::unordered_map<const core::header_lines*, std::shared_ptr<const header_chain>> chains_;
};

} // namespace sluice::providers
