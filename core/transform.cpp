#include "core/transform.hpp"

#include "core/decimal.hpp"
#include "core/json_pointer.hpp"
#include "core/letter_case.hpp"

#include <array>
#include <utility>

namespace sluice::core {
namespace {

constexpr std::size_t decimals_max = 30;

std::unexpected<std::string> unknown_transform() {
  return std::unexpected{std::string{R"(a transform is "trim", "lower", "upper", "text", "as_number", )"
                                     R"({"date": "%Y-%m-%d"} or {"number": decimals})"}};
}

std::string a_kind(value_kind kind) {
  const std::string name{to_string(kind)};
  return (kind == value_kind::array || kind == value_kind::object ? "an " : "a ") + name;
}

bool is_compound(const value& v) noexcept {
  return v.kind == value_kind::array || v.kind == value_kind::object;
}

bool has_nothing_to_change(const value& v) noexcept {
  return v.kind == value_kind::absent || v.kind == value_kind::null
         || (v.kind == value_kind::string && v.text.empty());
}

std::expected<void, std::string> make_number(value& v) {
  if (v.kind == value_kind::number) {
    return {};
  }
  if (v.kind != value_kind::string) {
    return std::unexpected{"as_number needs a text, and the value is " + a_kind(v.kind)};
  }
  auto number = to_json_number(v.text);
  if (!number) {
    return std::unexpected{std::string{"the text is not a number"}};
  }
  v = {value_kind::number, *std::move(number)};
  return {};
}

/// A number stays a number, and a text of digits a text.
std::expected<void, std::string> fix_decimals(value& v, unsigned decimals) {
  if (v.kind != value_kind::number && (v.kind != value_kind::string || !is_json_number(v.text))) {
    return std::unexpected{v.kind == value_kind::string
                               ? std::string{"the text is not a number"}
                               : "number needs a number, and the value is " + a_kind(v.kind)};
  }
  auto rounded = to_fixed(v.text, decimals);
  if (!rounded) {
    return std::unexpected{std::string{"the number is too large to be written with fixed decimals"}};
  }
  v.text = *std::move(rounded);
  return {};
}

std::expected<void, std::string> format_date(value& v, const date_format& format) {
  const auto read = v.kind == value_kind::string ? read_date(v.text) : std::nullopt;
  if (!read) {
    return std::unexpected{v.kind == value_kind::string
                               ? std::string{"the text is not a date (RFC 3339 or YYYY-MM-DD[ HH:MM:SS])"}
                               : "date needs a text, and the value is " + a_kind(v.kind)};
  }
  v.text.clear();
  format.append(v.text, *read);
  return {};
}

} // namespace

std::expected<transform, std::string> transform::compile_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, plain>, 5> names{{{"trim", plain::trim},
                                                                     {"lower", plain::lower},
                                                                     {"upper", plain::upper},
                                                                     {"text", plain::text},
                                                                     {"as_number", plain::as_number}}};
  for (const auto& [known, which] : names) {
    if (known == name) {
      return transform{which};
    }
  }
  return unknown_transform();
}

std::expected<transform, std::string> transform::compile_with_argument(const json_member& written) {
  const auto& [name, argument] = written;
  if (name == "date") {
    if (argument.kind != value_kind::string || argument.text.empty()) {
      return std::unexpected{std::string{R"("date" takes a format such as "%Y-%m-%d")"}};
    }
    auto format = date_format::compile(argument.text);
    if (!format) {
      return std::unexpected{std::move(format).error()};
    }
    return transform{*std::move(format)};
  }
  if (name == "number") {
    const auto decimals = argument.kind == value_kind::number ? array_index(argument.text) : not_an_index;
    if (decimals > decimals_max) {
      return std::unexpected{std::string{R"("number" takes how many decimals, from 0 to 30)"}};
    }
    return transform{fixed{static_cast<unsigned>(decimals)}};
  }
  return unknown_transform();
}

std::expected<transform, std::string> transform::compile(const json_node& written) {
  if (written.kind == value_kind::string) {
    return compile_named(written.text);
  }
  if (written.kind == value_kind::object && written.members.size() == 1) {
    return compile_with_argument(written.members.front());
  }
  return unknown_transform();
}

std::expected<void, std::string> transform::apply_plain(plain which, value& v) {
  if (which == plain::as_number) {
    return make_number(v);
  }
  if (is_compound(v)) {
    return std::unexpected{"the transform needs a text, and the value is " + a_kind(v.kind)};
  }
  if (which == plain::text) {
    v.kind = value_kind::string;
  } else if (v.kind == value_kind::string) {
    if (which == plain::trim) {
      trim(v.text);
    } else if (which == plain::lower) {
      make_lower(v.text);
    } else {
      make_upper(v.text);
    }
  }
  return {};
}

std::expected<void, std::string> transform::apply(value& v) const {
  if (has_nothing_to_change(v)) {
    return {};
  }
  if (const auto* which = std::get_if<plain>(&step_)) {
    return apply_plain(*which, v);
  }
  if (const auto* number = std::get_if<fixed>(&step_)) {
    return fix_decimals(v, number->decimals);
  }
  return format_date(v, std::get<date_format>(step_));
}

std::vector<transform> compile_transforms(const json_node& written, std::vector<std::string>& faults) {
  std::vector<transform> made;
  const auto add = [&](const json_node& one) {
    if (auto compiled = transform::compile(one)) {
      made.push_back(*std::move(compiled));
    } else {
      faults.push_back(std::move(compiled).error());
    }
  };
  if (written.kind == value_kind::array) {
    for (const auto& item : written.items) {
      add(item);
    }
  } else {
    add(written);
  }
  return made;
}

} // namespace sluice::core
