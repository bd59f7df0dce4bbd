#include "core/payload.hpp"

#include "core/json_fault.hpp"
#include "core/json_pointer.hpp"
#include "core/payload_trie.hpp"
#include "core/payload_walk.hpp"

#include <boost/json/basic_parser_impl.hpp>

#include <algorithm>
#include <functional>

namespace sluice::core {
namespace {

namespace json = boost::json;

/// What the parser calls: puts texts together, refuses NUL, and hands everything to the walk.
class payload_handler {
public:
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);

  explicit payload_handler(const payload_trie& trie) : walk_{trie} {}

  void start(std::string_view text, std::vector<value>& values) {
    text_ = text;
    parts_.clear();
    walk_.start(values);
  }

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_array_begin(json::error_code&) { return begin(value_kind::array); }
  bool on_array_end(std::size_t, json::error_code&) { return end(value_kind::array); }
  bool on_object_begin(json::error_code&) { return begin(value_kind::object); }
  bool on_object_end(std::size_t, json::error_code&) { return end(value_kind::object); }
  bool on_int64(std::int64_t, json::string_view s, json::error_code&) { return number(s); }
  bool on_uint64(std::uint64_t, json::string_view s, json::error_code&) { return number(s); }
  bool on_double(double, json::string_view s, json::error_code&) { return number(s); }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

  bool on_bool(bool b, json::error_code&) {
    walk_.scalar(value_kind::boolean, b ? "true" : "false");
    return true;
  }

  bool on_null(json::error_code&) {
    walk_.scalar(value_kind::null, "null");
    return true;
  }

  bool on_number_part(json::string_view s, json::error_code&) {
    parts_.append(s.data(), s.size());
    return true;
  }

  bool on_string_part(json::string_view s, std::size_t, json::error_code& error) {
    if (walk_.wants_next_value()) {
      parts_.append(s.data(), s.size());
    }
    return has_no_nul(s, error);
  }

  bool on_string(json::string_view s, std::size_t, json::error_code& error) {
    if (!has_no_nul(s, error)) {
      return false;
    }
    walk_.scalar(value_kind::string, whole(s));
    parts_.clear();
    return true;
  }

  bool on_key_part(json::string_view s, std::size_t, json::error_code& error) {
    if (walk_.wants_names()) {
      parts_.append(s.data(), s.size());
    }
    return has_no_nul(s, error);
  }

  bool on_key(json::string_view s, std::size_t, json::error_code& error) {
    if (!has_no_nul(s, error)) {
      return false;
    }
    walk_.member(whole(s));
    parts_.clear();
    return true;
  }

private:
  /// The parts gathered so far and `last`, without a copy when there are none.
  std::string_view whole(json::string_view last) {
    if (parts_.empty()) {
      return {last.data(), last.size()};
    }
    return parts_.append(last.data(), last.size());
  }

  /// A raw NUL was refused before, so one can only come out of an escape, and what was unescaped does not lie
  /// in the text.
  bool has_no_nul(json::string_view s, json::error_code& error) const {
    const std::less<> before;
    const bool lies_in_text =
        !before(s.data(), text_.data()) && before(s.data(), text_.data() + text_.size());
    if (lies_in_text || s.find('\0') == json::string_view::npos) {
      return true;
    }
    error = json::error::input_error;
    return false;
  }

  bool begin(value_kind kind) {
    walk_.begin(kind);
    return true;
  }

  bool end(value_kind kind) {
    walk_.end(kind);
    return true;
  }

  bool number(json::string_view last) {
    walk_.scalar(value_kind::number, whole(last));
    parts_.clear();
    return true;
  }

  payload_walk walk_;
  std::string_view text_;
  std::string parts_; ///< of a text or number that came in more than one
};

std::expected<void, std::string> run(json::basic_parser<payload_handler>& parser, std::string_view text,
                                     const payload_limits& limits, std::vector<value>& values) {
  if (auto checked = check_json_bytes(text, limits); !checked) {
    return checked;
  }
  parser.reset();
  parser.handler().start(text, values);
  json::error_code error;
  const auto consumed = parser.write_some(false, text.data(), text.size(), error);
  if (!error && consumed < text.size()) {
    error = json::error::extra_data;
  }
  if (error) {
    return std::unexpected{describe_json_fault(error.value(), text, consumed, limits)};
  }
  return {};
}

} // namespace

std::expected<void, std::string> check_payload(std::string_view text, const payload_limits& limits) {
  static const payload_trie nothing_wanted;
  json::basic_parser<payload_handler> parser{json::parse_options{.max_depth = json_depth_max(limits)},
                                             nothing_wanted};
  std::vector<value> no_values;
  return run(parser, text, limits, no_values);
}

struct payload_reader::implementation {
  implementation(std::vector<std::string> wanted, const payload_limits& bounds)
      : pointers{std::move(wanted)}, limits{bounds},
        parser{json::parse_options{.max_depth = json_depth_max(bounds)}, trie} {}

  std::vector<std::string> pointers;
  payload_limits limits;
  payload_trie trie;
  json::basic_parser<payload_handler> parser;
};

std::expected<payload_reader, std::string> payload_reader::compile(std::vector<std::string> pointers,
                                                                   payload_limits limits) {
  auto made = std::make_unique<implementation>(std::move(pointers), limits);
  std::uint32_t slot = 0;
  for (const auto& pointer : made->pointers) {
    const auto tokens = parse_pointer(pointer);
    if (!tokens) {
      return std::unexpected{tokens.error()};
    }
    made->trie.add(*tokens, slot++);
  }
  made->trie.seal();
  return payload_reader{std::move(made)};
}

payload_reader::payload_reader(std::unique_ptr<implementation> made) : implementation_{std::move(made)} {}
payload_reader::payload_reader(payload_reader&&) noexcept = default;
payload_reader& payload_reader::operator=(payload_reader&&) noexcept = default;
payload_reader::~payload_reader() = default;

std::expected<void, std::string> payload_reader::read(std::string_view text, std::vector<value>& values) {
  values.resize(implementation_->pointers.size());
  for (auto& each : values) {
    each.reset();
  }
  return run(implementation_->parser, text, implementation_->limits, values);
}

const std::vector<std::string>& payload_reader::pointers() const noexcept {
  return implementation_->pointers;
}

} // namespace sluice::core
