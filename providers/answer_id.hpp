#pragma once

#include "core/http.hpp"
#include "providers/placeholders.hpp"
#include "providers/reader_pool.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers {

inline constexpr std::size_t remote_id_bytes_max = 512;

/// Why a text cannot be a target's id for a record; empty when it can. An id is printable UTF-8 of at most
/// remote_id_bytes_max bytes, and neither "." nor "..", which would change a path.
[[nodiscard]] std::string_view fault_of_remote_id(std::string_view id) noexcept;

/// Where an answer has the record's id.
struct id_place {
  enum class kind : std::uint8_t {
    pointer,   ///< at a JSON pointer of the body
    location,  ///< the last path segment of the Location header
    source_id, ///< nowhere: the target's id is the record's own
  };
  kind where = kind::pointer;
  std::string pointer = "/id";
};

/// What a lookup's answer looks like.
struct match_place {
  std::optional<std::string> list; ///< pointer to the array of matches; none: the answer itself is the record
  id_place id;
  struct check {
    std::string pointer;
    std::vector<template_piece> wanted;
  };
  std::vector<check> checks; ///< every one must hold for a match to count
};

/// Reads the id out of a create's answer. The error is a sentence without the answer's content.
class id_reader {
public:
  explicit id_reader(id_place place);
  [[nodiscard]] std::expected<std::string, std::string> read(const core::http_answer& answer,
                                                             std::string_view source_id) const;

private:
  id_place place_;
  std::shared_ptr<reader_pool> readers_;
};

/// Reads what a lookup found.
class match_reader {
public:
  enum class found : std::uint8_t { one, none, several, unreadable };
  struct result {
    found what = found::unreadable;
    std::string remote_id;
    std::string error; ///< a sentence when several or unreadable
  };

  explicit match_reader(match_place place);

  /// `source_id` is what was asked for; empty when the caller does not know it, and then a match that needs a
  /// check against it counts as `several`: nothing is linked unseen.
  [[nodiscard]] result read(std::string_view body, std::string_view source_id) const;

private:
  [[nodiscard]] result read_record(const reader_pool::reading& values, std::size_t first,
                                   std::string_view source_id) const;
  [[nodiscard]] result read_list(const reader_pool::reading& values, std::string_view source_id) const;

  match_place place_;
  std::size_t records_max_ = 1; ///< how many matches are looked at
  bool needs_source_id_ = false;
  std::shared_ptr<reader_pool> readers_;
};

} // namespace sluice::providers
