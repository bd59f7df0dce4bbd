#include "app/command_line.hpp"
#include "app/completion.hpp"
#include "app/manual.hpp"
#include "tests/config/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <sstream>

namespace sluice::app {
namespace {

/// What a shell command prints on both its outputs.
std::string output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe{::popen((command + " 2>&1").c_str(), "r"),
                                                             ::pclose};
  REQUIRE(pipe);
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get()))
    text += static_cast<char>(c);
  return text;
}

bool has_program(const std::string& name) {
  return !output_of("command -v " + name).empty();
}

std::string with_dashes(std::string text) {
  for (auto at = text.find('-'); at != std::string::npos; at = text.find('-', at + 2))
    text.insert(at, 1, '\\');
  return text;
}

/// The completion script in a bash of its own.
class completer {
public:
  completer() : script_{folder_.file("sluice.bash", bash_completion(describe_command_line()))} {}

  /// What is offered for the last of the words.
  std::set<std::string> offered(const std::string& words) const {
    const auto asked = folder_.file("ask.bash", "source " + script_ + "\nCOMP_WORDS=(sluice " + words
                                                    + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_sluice\n"
                                                      "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
    std::istringstream lines{output_of("cd " + folder_.path("") + " && bash " + asked)};
    std::set<std::string> found;
    for (std::string line; std::getline(lines, line);)
      if (!line.empty())
        found.insert(line);
    return found;
  }

  [[nodiscard]] const tests::temporary_folder& folder() const { return folder_; }

private:
  tests::temporary_folder folder_;
  std::string script_;
};

TEST_CASE("the manual tells of every command and every option") {
  const auto program = describe_command_line();
  const auto text = manual(program);
  visit(program, [&](const described_command& command) {
    if (!command.path.empty() && command.commands.empty())
      CHECK_THAT(text, Catch::Contains(".SS \"sluice " + with_dashes(command.path)));
    for (const auto& option : command.options)
      for (const auto& name : option.names)
        CHECK_THAT(text, Catch::Contains("\\fB" + with_dashes(name) + "\\fR"));
  });
  CHECK_THAT(text, !Catch::Contains("sluice man"));
}

TEST_CASE("the manual is well formed") {
  const tests::temporary_folder folder;
  const auto page = folder.file("sluice.1", manual(describe_command_line()));
  if (has_program("man"))
    CHECK(output_of("LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z " + page + " >/dev/null").empty());
  if (has_program("mandoc"))
    CHECK(output_of("mandoc -T lint -W error " + page).empty());
}

TEST_CASE("no name is a flag here and takes a value there: the completion could not tell which") {
  std::map<std::string, bool> valued;
  visit(describe_command_line(), [&](const described_command& command) {
    for (const auto& option : command.options)
      for (const auto& name : option.names) {
        INFO(command.path << " " << name);
        CHECK(valued.emplace(name, !option.value.empty()).first->second == !option.value.empty());
      }
  });
}

TEST_CASE("bash completes every command and every option") {
  const completer bash;
  visit(describe_command_line(), [&](const described_command& command) {
    INFO("sluice " << command.path);
    std::set<std::string> under;
    for (const auto& child : command.commands)
      under.insert(child.path.substr(child.path.rfind(' ') + 1));
    if (!under.empty())
      CHECK(bash.offered(command.path + " ''") == under);
    const auto options = bash.offered(command.path + " --");
    for (const auto& option : command.options)
      for (const auto& name : option.names)
        if (name.starts_with("--"))
          CHECK(options.contains(name));
    CHECK(options.contains("--json"));
  });
}

TEST_CASE("bash completes the words an option takes, and files where it takes a file") {
  const completer bash;
  (void)bash.folder().file("records.csv", "");
  CHECK(bash.offered("import --format ''") == std::set<std::string>{"csv", "ndjson"});
  CHECK(bash.offered("--json import --connection shop --format n") == std::set<std::string>{"ndjson"});
  CHECK(bash.offered("import rec") == std::set<std::string>{"records.csv"});
  CHECK(bash.offered("ledger --config rec") == std::set<std::string>{"records.csv"});
  CHECK(bash.offered("completion ''") == std::set<std::string>{"bash", "zsh"});
  CHECK(bash.offered("--database x connections dis") == std::set<std::string>{"disconnect"});
  CHECK(bash.offered("ledger --rule ''").empty());
  CHECK(bash.offered("conn") == std::set<std::string>{"connections"});
}

TEST_CASE("zsh reads its script") {
  if (!has_program("zsh"))
    return;
  const tests::temporary_folder folder;
  const auto script = folder.file("_sluice", zsh_completion(describe_command_line()));
  CHECK(output_of("zsh -n " + script).empty());
}

} // namespace
} // namespace sluice::app
