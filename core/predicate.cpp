#include "core/predicate.hpp"

#include "core/decimal.hpp"

#include <algorithm>

namespace sluice::core {
namespace {

bool is_compound(const json_node& node) noexcept {
  return node.kind == value_kind::array || node.kind == value_kind::object;
}

bool is_equal(const value& a, const value& b) {
  if (a.kind != b.kind) {
    return false;
  }
  return a.kind == value_kind::number ? compare_numbers(a.text, b.text) == 0 : a.text == b.text;
}

} // namespace

const std::vector<predicate::operation_name>& predicate::tests() {
  static const std::vector<operation_name> names{
      {"equals", operation::equals}, {"in", operation::in},
      {"exists", operation::exists}, {"prefix", operation::prefix},
      {"less", operation::less},     {"at_most", operation::at_most},
      {"more", operation::more},     {"at_least", operation::at_least}};
  return names;
}

/// Builds one predicate; `place` is where it stands in the filter.
struct predicate::compiler {
  const std::string& place;
  pointer_set& pointers;
  std::vector<std::string>& faults;

  void fault(const std::string& what) const {
    faults.push_back((place.empty() ? "at the top: " : "at " + place + ": ") + what);
  }

  [[nodiscard]] predicate compile(const json_node& written) const {
    if (written.kind != value_kind::object) {
      fault("a predicate is an object");
      return {};
    }
    for (const auto& name : repeated_names(written)) {
      fault("\"" + name + "\" stands twice");
    }
    if (find_member(written, "field") != nullptr) {
      return compile_test(written);
    }
    if (written.members.size() != 1) {
      fault(R"(a predicate has "field" and one test, or exactly one of "all", "any" and "not")");
      return {};
    }
    return compile_combination(written.members.front());
  }

  [[nodiscard]] predicate compile_combination(const json_member& member) const {
    const auto& [name, node] = member;
    predicate made;
    if (name == "not") {
      made.operation_ = operation::none;
      made.parts_.push_back(predicate::compile(node, place + "/not", pointers, faults));
      return made;
    }
    if (name != "all" && name != "any") {
      fault("\"" + name + R"(" is unknown (known: "all", "any", "not", "field" with a test))");
    } else if (node.kind != value_kind::array || node.items.empty()) {
      fault("\"" + name + "\" takes a list of at least one predicate");
    } else {
      made.operation_ = name == "all" ? operation::all : operation::any;
      for (std::size_t index = 0; index < node.items.size(); ++index) {
        made.parts_.push_back(predicate::compile(
            node.items[index], place + "/" + name + "/" + std::to_string(index), pointers, faults));
      }
    }
    return made;
  }

  [[nodiscard]] predicate compile_test(const json_node& written) const {
    predicate made;
    std::size_t tests_found = 0;
    for (const auto& member : written.members) {
      if (member.name == "field") {
        compile_field(member.node, made);
        continue;
      }
      const auto found = std::ranges::find(predicate::tests(), member.name, &operation_name::name);
      if (found == predicate::tests().end()) {
        fault("\"" + member.name + R"(" is no test (known: "equals", "in", "exists", "prefix", "less", )"
              + R"("at_most", "more", "at_least"))");
        continue;
      }
      ++tests_found;
      made.operation_ = found->what;
      compile_operand(member, made);
    }
    if (tests_found != 1) {
      fault("a field takes exactly one test");
    }
    return made;
  }

  void compile_field(const json_node& node, predicate& made) const {
    if (node.kind != value_kind::string) {
      fault(R"("field" takes a JSON pointer)");
    } else if (const auto tokens = parse_pointer(node.text); !tokens) {
      fault(tokens.error());
    } else {
      made.slot_ = pointers.add(node.text);
    }
  }

  void compile_operand(const json_member& member, predicate& made) const {
    const auto& [name, node] = member;
    switch (made.operation_) {
    case operation::in:
      if (node.kind != value_kind::array || node.items.empty()
          || std::ranges::any_of(node.items, is_compound)) {
        fault(R"("in" takes a list of at least one text, number, true, false or null)");
      }
      std::ranges::transform(node.items, std::back_inserter(made.operands_), to_value);
      return;
    case operation::exists:
      if (node.kind != value_kind::boolean) {
        fault(R"("exists" takes true or false)");
      }
      made.operation_ = node.text == "false" ? operation::absent : operation::exists;
      return;
    case operation::equals:
      if (is_compound(node)) {
        fault(R"("equals" takes a text, a number, true, false or null)");
      }
      break;
    case operation::prefix:
      if (node.kind != value_kind::string) {
        fault(R"("prefix" takes a text)");
      }
      break;
    default:
      if (node.kind != value_kind::number && node.kind != value_kind::string) {
        fault("\"" + name + "\" takes a number or a text");
      }
    }
    made.operands_.push_back(to_value(node));
  }
};

predicate predicate::compile(const json_node& written, const std::string& place, pointer_set& pointers,
                             std::vector<std::string>& faults) {
  return compiler{place, pointers, faults}.compile(written);
}

bool predicate::is_in_order(const value& v) const {
  const auto& bound = operands_.front();
  if (v.kind != bound.kind) {
    return false;
  }
  const auto order =
      v.kind == value_kind::number ? compare_numbers(v.text, bound.text) : v.text <=> bound.text;
  switch (operation_) {
  case operation::less:
    return order < 0;
  case operation::at_most:
    return order <= 0;
  case operation::more:
    return order > 0;
  default:
    return order >= 0;
  }
}

bool predicate::holds_for(const value& v) const {
  switch (operation_) {
  case operation::equals:
  case operation::in:
    return std::ranges::any_of(operands_, [&](const value& operand) { return is_equal(v, operand); });
  case operation::exists:
    return v.kind != value_kind::absent;
  case operation::absent:
    return v.kind == value_kind::absent;
  case operation::prefix:
    return v.kind == value_kind::string && v.text.starts_with(operands_.front().text);
  default:
    return is_in_order(v);
  }
}

bool predicate::holds(const std::vector<value>& values) const {
  const auto holds_part = [&](const predicate& part) { return part.holds(values); };
  switch (operation_) {
  case operation::all:
    return std::ranges::all_of(parts_, holds_part);
  case operation::any:
    return std::ranges::any_of(parts_, holds_part);
  case operation::none:
    return !parts_.front().holds(values);
  default:
    return holds_for(values[slot_]);
  }
}

} // namespace sluice::core
