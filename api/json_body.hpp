#pragma once

#include "api/http_message.hpp"
#include "api/problem.hpp"
#include "core/time.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <expected>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::api {

/// An answer of one document. Text that is not UTF-8 gets replacement characters.
[[nodiscard]] response json_response(const nlohmann::ordered_json& document, int status = 200);

/// The members of a request's body, read one by one. The first fault is kept and what is read after it has no
/// meaning; `finish` says it, and refuses members nobody asked for.
///
///   body_reader body{request};
///   auto reason = body.text("reason", 1, 500);
///   if (auto fault = body.finish()) …
class body_reader {
public:
  /// An empty body is an object without members.
  explicit body_reader(const request& from);

  [[nodiscard]] std::string text(std::string_view name, std::size_t least, std::size_t most);
  [[nodiscard]] std::optional<std::string> optional_text(std::string_view name, std::size_t most);
  /// A list of texts of 1 to `most` bytes each, none of them twice.
  [[nodiscard]] std::optional<std::vector<std::string>> optional_texts(std::string_view name,
                                                                       std::size_t most);
  /// A list of 1 to `most` objects, each of these two texts without NUL and of nothing else. How long a text
  /// may be is not looked at.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>>
  text_pairs(std::string_view name, const char* first, const char* second, std::size_t most);
  [[nodiscard]] std::int64_t number(std::string_view name, std::int64_t least, std::int64_t most);
  [[nodiscard]] std::optional<std::int64_t> optional_number(std::string_view name, std::int64_t least,
                                                            std::int64_t most);
  [[nodiscard]] bool flag(std::string_view name); ///< absent: false
  [[nodiscard]] std::optional<bool> optional_flag(std::string_view name);
  /// A list of objects, at most `most`.
  [[nodiscard]] std::optional<std::vector<nlohmann::json>> optional_objects(std::string_view name,
                                                                            std::size_t most);
  /// An object as text, so that its numbers keep their digits; empty text for null.
  [[nodiscard]] std::optional<std::string> optional_object_text(std::string_view name);
  [[nodiscard]] core::timestamp time(std::string_view name);
  [[nodiscard]] std::optional<core::timestamp> optional_time(std::string_view name);

  [[nodiscard]] std::optional<problem> finish();

  /// Another fault found by the caller; counts unless there is an earlier one.
  void refuse(std::string_view member, std::string detail);

private:
  const nlohmann::json* member(std::string_view name, bool needed);

  std::string text_; ///< the body as it came
  nlohmann::json document_;
  std::vector<std::string> known_;
  std::optional<problem> fault_;
};

/// A whole number of the query, or `otherwise` without it.
[[nodiscard]] std::expected<std::int64_t, problem> query_number(const request& from, std::string_view name,
                                                                std::int64_t otherwise, std::int64_t least,
                                                                std::int64_t most);

/// A text of the query; empty without it.
[[nodiscard]] std::string query_text(const request& from, std::string_view name);

} // namespace sluice::api
