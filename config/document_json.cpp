#include "config/document.hpp"

#include <nlohmann/json.hpp>

#include <iterator>
#include <string>

namespace sluice::config {
namespace {

/// Walks the text and counts the lines it has passed, so that the parser's events know where they are.
class counting_iterator {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  counting_iterator(const char* at, std::size_t* lines) : at_{at}, lines_{lines} {}

  reference operator*() const noexcept { return *at_; }
  counting_iterator& operator++() noexcept {
    if (lines_ != nullptr && *at_ == '\n') {
      ++*lines_;
    }
    ++at_;
    return *this;
  }
  counting_iterator operator++(int) noexcept {
    auto before = *this;
    ++*this;
    return before;
  }
  bool operator==(const counting_iterator& other) const noexcept { return at_ == other.at_; }
  bool operator!=(const counting_iterator& other) const noexcept { return at_ != other.at_; }

private:
  const char* at_;
  std::size_t* lines_;
};

/// Builds the tree. `open_` holds the tables and lists that are not closed yet, by value: a pointer into a
/// growing vector would not live.
class json_builder : public nlohmann::json_sax<nlohmann::json> {
public:
  explicit json_builder(const std::size_t& line) : line_{line} {}

  document_value root;
  std::optional<document_fault> fault;

  bool null() override { return put(document_kind::null, "null"); }
  bool boolean(bool value) override { return put(document_kind::boolean, value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override {
    return put(document_kind::integer, std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return put(document_kind::integer, std::to_string(value));
  }
  /// Whole numbers beyond 64 bits come here too; `digits` is the text as it stands.
  bool number_float(number_float_t, const string_t& digits) override {
    const bool whole = digits.find_first_of(".eE") == std::string::npos;
    return put(whole ? document_kind::integer : document_kind::decimal, digits);
  }
  bool string(string_t& value) override { return put(document_kind::text, std::move(value)); }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(document_kind::table); }
  bool start_array(std::size_t) override { return open(document_kind::list); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    auto& table = open_.back().value;
    if (table.find(name) != nullptr) {
      return refuse("\"" + name + "\" stands here twice; each name is allowed once");
    }
    table.members.push_back({std::move(name), {}});
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception&) override {
    return refuse("this is not JSON (RFC 8259): unexpected content at byte " + std::to_string(byte));
  }

private:
  bool put(document_kind kind, std::string text) {
    return place({.kind = kind, .text = std::move(text), .line = line_, .items = {}, .members = {}});
  }

  bool place(document_value value) {
    if (open_.empty()) {
      root = std::move(value);
    } else if (auto& into = open_.back().value; into.kind == document_kind::list) {
      into.items.push_back(std::move(value));
    } else {
      into.members.back().value = std::move(value);
    }
    return true;
  }

  bool open(document_kind kind) {
    if (open_.size() >= document_depth_max) {
      return refuse("objects and arrays are nested more than " + std::to_string(document_depth_max)
                    + " deep");
    }
    open_.push_back({{}, {.kind = kind, .text = {}, .line = line_, .items = {}, .members = {}}});
    return true;
  }

  bool close() {
    auto done = std::move(open_.back().value);
    open_.pop_back();
    return place(std::move(done));
  }

  bool refuse(std::string what) {
    fault = document_fault{line_, std::move(what)};
    return false;
  }

  const std::size_t& line_;
  std::vector<document_member> open_;
};

} // namespace

std::expected<document_value, document_fault> parse_json(std::string_view text) {
  std::size_t line = 1;
  json_builder builder{line};
  const counting_iterator begin{std::to_address(text.begin()), &line};
  const counting_iterator end{std::to_address(text.end()), nullptr};
  if (!nlohmann::json::sax_parse(begin, end, &builder)) {
    return std::unexpected{builder.fault.value_or(document_fault{line, "this is not JSON (RFC 8259)"})};
  }
  return std::move(builder.root);
}

} // namespace sluice::config
