#pragma once

#include "providers/placeholders.hpp"

#include <nlohmann/json_fwd.hpp>

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers {

/// A request body: a JSON value in which the string "{mapping}" stands for the mapping's object and every
/// other string, member names apart, may hold {source_id}, {remote_id}, {anchor_id} and {domain}.
class body_template {
public:
  /// The error names the place within the template.
  [[nodiscard]] static std::expected<body_template, std::string> compile(const nlohmann::ordered_json& value,
                                                                         std::string_view domain);

  /// The body's bytes. An empty projection counts as an object without members.
  [[nodiscard]] std::string render(const template_values& values, std::string_view projection) const;

  [[nodiscard]] bool uses_mapping() const noexcept { return uses_mapping_; }
  [[nodiscard]] bool uses(placeholder which) const noexcept;

private:
  /// JSON text as it is; or a string to fill in; or (neither) the mapping.
  struct part {
    std::string json;
    std::vector<template_piece> text;
  };

  std::expected<void, std::string> add(const nlohmann::ordered_json& value, std::string_view domain,
                                       const std::string& path);
  std::expected<void, std::string> add_string(const std::string& text, std::string_view domain,
                                              const std::string& path);
  std::string& literal();

  std::vector<part> parts_;
  bool uses_mapping_ = false;
};

} // namespace sluice::providers
