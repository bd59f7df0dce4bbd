#pragma once

#include "providers/placeholders.hpp"

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers {

/// A path with placeholders, "/customers/{remote_id}?source={source_id}". Values are percent-encoded.
class url_template {
public:
  /// The error says what a path may look like. Literal parts must be encoded already.
  [[nodiscard]] static std::expected<url_template, std::string> compile(std::string_view path,
                                                                        std::string_view domain);

  /// Puts the connection's base in front, once.
  void prepend(std::string_view base);
  /// Adds one query parameter, both halves percent-encoded here.
  void add_query(std::string_view name, std::string_view value);

  [[nodiscard]] bool uses(placeholder which) const noexcept { return providers::uses(pieces_, which); }

  /// Nothing when a value in the path is empty, "." or "..": such a request would reach another resource, a
  /// collection instead of a record.
  [[nodiscard]] std::optional<std::string> fill_in(const template_values& values) const;

private:
  std::vector<template_piece> pieces_;
  std::size_t path_pieces_ = 0; ///< pieces before the "?"
  bool has_query_ = false;
};

/// Checks an absolute http or https address without user, query and fragment, and takes trailing slashes off.
/// The error says what is wrong with it.
[[nodiscard]] std::expected<std::string, std::string> check_base_url(std::string_view url);

} // namespace sluice::providers
