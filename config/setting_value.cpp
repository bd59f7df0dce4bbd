#include "config/setting_value.hpp"

#include <algorithm>
#include <charconv>

namespace sluice::config {
namespace {

using outcome = std::expected<void, std::string>;

template <class Number>
outcome read_number(Number& into, std::string_view text) {
  Number number{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc{} || end != text.data() + text.size()) {
    return std::unexpected{"\"" + std::string{text} + "\" is not such a number"};
  }
  into = number;
  return {};
}

outcome read_duration(duration& into, std::string_view text) {
  const auto parsed = core::parse_duration(text);
  if (!parsed) {
    return std::unexpected{parsed.error()};
  }
  into = *parsed;
  return {};
}

outcome read_item(std::string& into, std::string_view text) {
  into = text;
  return {};
}
outcome read_item(duration& into, std::string_view text) {
  return read_duration(into, text);
}

/// Reads the value of one slot out of a document.
struct document_source {
  const document_value& value;

  outcome wrong_kind() const { return std::unexpected{"this is " + std::string{to_string(value.kind)}}; }
  outcome operator()(std::string* into) const {
    if (value.kind != document_kind::text) {
      return wrong_kind();
    }
    *into = value.text;
    return {};
  }
  outcome operator()(std::int32_t* into) const {
    return value.kind == document_kind::integer ? read_number(*into, value.text) : wrong_kind();
  }
  outcome operator()(std::int64_t* into) const {
    return value.kind == document_kind::integer ? read_number(*into, value.text) : wrong_kind();
  }
  outcome operator()(double* into) const {
    const bool number = value.kind == document_kind::integer || value.kind == document_kind::decimal;
    return number ? read_number(*into, value.text) : wrong_kind();
  }
  outcome operator()(std::size_t* into) const {
    return value.kind == document_kind::integer ? read_number(*into, value.text) : wrong_kind();
  }
  outcome operator()(duration* into) const {
    return value.kind == document_kind::text ? read_duration(*into, value.text) : wrong_kind();
  }
  template <class Item>
  outcome operator()(std::vector<Item>* into) const {
    if (value.kind != document_kind::list) {
      return wrong_kind();
    }
    std::vector<Item> items;
    for (const auto& item : value.items) {
      if (item.kind != document_kind::text) {
        return std::unexpected{"item " + std::to_string(items.size() + 1) + " is "
                               + std::string{to_string(item.kind)}};
      }
      if (auto read = read_item(items.emplace_back(), item.text); !read) {
        return read;
      }
    }
    *into = std::move(items);
    return {};
  }
};

/// Reads the value of one slot out of plain text.
struct text_source {
  std::string_view text;

  outcome operator()(std::string* into) const { return read_item(*into, text); }
  outcome operator()(std::int32_t* into) const { return read_number(*into, text); }
  outcome operator()(std::int64_t* into) const { return read_number(*into, text); }
  outcome operator()(std::size_t* into) const { return read_number(*into, text); }
  outcome operator()(double* into) const { return read_number(*into, text); }
  outcome operator()(duration* into) const { return read_duration(*into, text); }
  template <class Item>
  outcome operator()(std::vector<Item>* into) const {
    constexpr std::string_view separators = " ,\t\r\n";
    std::vector<Item> items;
    for (auto begin = text.find_first_not_of(separators); begin != std::string_view::npos;) {
      const auto end = std::min(text.find_first_of(separators, begin), text.size());
      if (auto read = read_item(items.emplace_back(), text.substr(begin, end - begin)); !read) {
        return read;
      }
      begin = text.find_first_not_of(separators, end);
    }
    *into = std::move(items);
    return {};
  }
};

template <class Source>
outcome set_from(settings& into, const setting_key& key, const Source& source) {
  auto read = std::visit(source, key.slot(into));
  if (read) {
    return {};
  }
  return std::unexpected{(key.secret ? std::string{"the value is of a wrong kind"} : read.error())
                         + "; allowed is " + allowed_values(key)};
}

} // namespace

std::expected<void, std::string> set_setting(settings& into, const setting_key& key,
                                             const document_value& value) {
  return set_from(into, key, document_source{value});
}

std::expected<void, std::string> set_setting(settings& into, const setting_key& key, std::string_view text) {
  return set_from(into, key, text_source{text});
}

} // namespace sluice::config
