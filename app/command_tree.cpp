#include "app/command_tree.hpp"

#include <algorithm>

namespace sluice::app {
namespace {

/// CLI11 tells of an option's value as "WORD:{csv,ndjson}" or "INT:INT in [1 - 10]".
void read_value(described_option& option, const std::string& text) {
  const auto set = text.find(":{");
  const auto bounds = text.find(" in [");
  if (set != std::string::npos) {
    option.value = text.substr(0, set);
    option.words = CLI::detail::split(text.substr(set + 2, text.find('}', set) - set - 2), ',');
  } else if (bounds != std::string::npos) {
    option.value = text.substr(0, text.rfind(':', bounds));
    option.range = text.substr(bounds + 5, text.find(']', bounds) - bounds - 5);
  } else {
    option.value = text;
  }
}

described_option describe_option(const CLI::Option& from) {
  described_option made;
  for (const auto& name : from.get_lnames()) {
    made.names.push_back("--" + name);
  }
  for (const auto& name : from.get_snames()) {
    made.names.push_back("-" + name);
  }
  made.description = from.get_description();
  made.required = from.get_required();
  if (from.get_type_size() != 0) {
    read_value(made, from.get_type_name());
  }
  if (made.names.empty()) {
    made.names.push_back(from.get_name(true));
  }
  return made;
}

void add_options(described_command& to, const CLI::App& from) {
  for (const auto* option : from.get_options()) {
    auto made = describe_option(*option);
    auto& list = option->nonpositional() ? to.options : to.arguments;
    const bool known =
        std::ranges::any_of(list, [&](const auto& other) { return other.names == made.names; });
    if (!known && !option->get_group().empty()) { // a group inherits the help flag once more
      list.push_back(std::move(made));
    }
  }
}

bool is_group(const CLI::App& app) {
  return app.get_name().empty();
}

void describe_into(described_command& made, const CLI::App& app) {
  add_options(made, app);
  for (const auto* under : app.get_subcommands(std::function<bool(const CLI::App*)>{})) {
    if (is_group(*under)) {
      add_options(made, *under);
    } else if (!under->get_group().empty()) {
      auto& child = made.commands.emplace_back();
      child.path = made.path + (made.path.empty() ? "" : " ") + under->get_name();
      child.description = under->get_description();
      describe_into(child, *under);
    }
  }
}

} // namespace

described_command describe(const CLI::App& app) {
  described_command made;
  made.description = app.get_description();
  describe_into(made, app);
  return made;
}

void visit(const described_command& command, const std::function<void(const described_command&)>& visitor) {
  visitor(command);
  for (const auto& under : command.commands) {
    visit(under, visitor);
  }
}

} // namespace sluice::app
