#include "core/ordering_key.hpp"

#include "core/error_text.hpp"

#include <utility>

namespace sluice::core {

std::expected<ordering_key, std::string> ordering_key::compile(std::string_view pointer) {
  if (pointer.empty())
    return std::unexpected{
        "the whole body is no key; allowed is a JSON pointer to a value in it, as in \"/id\""};
  auto reader = payload_reader::compile({std::string{pointer}});
  if (!reader)
    return std::unexpected{std::move(reader).error()};
  return ordering_key{*std::move(reader)};
}

std::expected<std::optional<std::string>, std::string> ordering_key::of(std::string_view body) {
  if (auto read = reader_.read(body, values_); !read)
    return std::unexpected{std::move(read).error()};
  auto& found = values_.front();
  if (found.kind == value_kind::absent || found.kind == value_kind::null)
    return std::nullopt;
  return error_text(std::move(found.text), ordering_key_bytes_max);
}

} // namespace sluice::core
