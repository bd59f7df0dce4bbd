#include "app/completion.hpp"

#include "app/output.hpp"

#include <set>
#include <string_view>

namespace sluice::app {
namespace {

/// In single quotes, for either shell.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c == '\'' ? std::string{"'\\''"} : std::string{c};
  }
  return out + "'";
}

/// Every name of an option that takes a value, as alternatives of a case.
std::string valued_options(const described_command& program) {
  std::set<std::string> names;
  visit(program, [&](const described_command& command) {
    for (const auto& option : command.options) {
      if (!option.value.empty()) {
        names.insert(option.names.begin(), option.names.end());
      }
    }
  });
  return joined(std::vector<std::string>{names.begin(), names.end()}, " | ");
}

/// Every command's path as an alternative; what is not among them is an argument.
std::string command_places(const described_command& program) {
  std::vector<std::string> places;
  visit(program, [&](const described_command& command) {
    if (!command.path.empty()) {
      places.push_back("' " + command.path + "'");
    }
  });
  return joined(places, " | ");
}

/// As the walk over the words names it: " connections list".
std::string place_of(const described_command& command) {
  return command.path.empty() ? "" : " " + command.path;
}

/// The program's own options are taken behind every command.
std::string place_of(const described_command& command, std::string_view option) {
  const auto named = in_quotes(place_of(command) + " " + std::string{option});
  return command.path.empty() ? "*" + named : named;
}

std::vector<std::string> option_names(const described_command& command) {
  std::vector<std::string> names;
  for (const auto& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

/// The cases of the values options take: "' import --format') words='csv ndjson' ;;".
std::string value_cases(const described_command& program, std::string_view variable) {
  std::string out;
  visit(program, [&](const described_command& command) {
    for (const auto& option : command.options) {
      for (const auto& name : option.names) {
        if (option.takes_file()) {
          out += "    " + place_of(command, name) + ") files=1 ;;\n";
        } else if (!option.words.empty()) {
          out += "    " + place_of(command, name) + ") " + std::string{variable} + "="
                 + in_quotes(joined(option.words, " ")) + " ;;\n";
        }
      }
    }
  });
  return out;
}

/// Finds the command that is being typed, and whether the word before takes a value. Both shells read it;
/// they differ in how the words are called and counted.
std::string walk(const described_command& program, std::string_view words, std::string_view last) {
  return "  for ((index = 1 + first; index < " + std::string{last}
         + "; ++index)); do\n"
           "    word=\"${"
         + std::string{words}
         + "[index]}\"\n"
           "    if [[ -n $value ]]; then\n"
           "      value=\n"
           "      continue\n"
           "    fi\n"
           "    case \"$word\" in\n"
           "    "
         + valued_options(program)
         + ") value=\"$word\" ;;\n"
           "    -*) ;;\n"
           "    *)\n"
           "      case \"$place $word\" in\n"
           "      "
         + command_places(program)
         + ") place=\"$place $word\" ;;\n"
           "      esac\n"
           "      ;;\n"
           "    esac\n"
           "  done\n";
}

std::vector<std::string> words_at(const described_command& command) {
  std::vector<std::string> words;
  for (const auto& under : command.commands) {
    words.push_back(under.path.substr(under.path.rfind(' ') + 1));
  }
  for (const auto& argument : command.arguments) {
    words.insert(words.end(), argument.words.begin(), argument.words.end());
  }
  return words;
}

bool takes_file(const described_command& command) {
  for (const auto& argument : command.arguments) {
    if (argument.takes_file()) {
      return true;
    }
  }
  return false;
}

std::string bash_cases(const described_command& program) {
  std::string out;
  visit(program, [&](const described_command& command) {
    const auto options = command.path.empty() ? std::vector<std::string>{} : option_names(command);
    out += "    " + in_quotes(place_of(command)) + ") words=" + in_quotes(joined(words_at(command), " "))
           + " options=" + in_quotes(joined(options, " ")) + (takes_file(command) ? " files=1" : "")
           + " ;;\n";
  });
  return out;
}

/// "name:what it does", as _describe takes it.
std::string described(std::string_view name, std::string_view description) {
  return " " + in_quotes(std::string{name} + ":" + std::string{description});
}

std::string zsh_options(const described_command& command) {
  std::string out;
  for (const auto& option : command.options) {
    for (const auto& name : option.names) {
      out += described(name, option.description);
    }
  }
  return out;
}

std::string zsh_cases(const described_command& program) {
  std::string out;
  visit(program, [&](const described_command& command) {
    out += "    " + in_quotes(place_of(command)) + ")\n      offered=(";
    for (const auto& under : command.commands) {
      out += described(under.path.substr(under.path.rfind(' ') + 1), under.description);
    }
    for (const auto& argument : command.arguments) {
      for (const auto& word : argument.words) {
        out += " " + in_quotes(word);
      }
    }
    out += " )\n      flags+=(" + (command.path.empty() ? "" : zsh_options(command)) + " )\n"
           + (takes_file(command) ? "      files=1\n" : "") + "      ;;\n";
  });
  return out;
}

} // namespace

std::string bash_completion(const described_command& program) {
  return "# Completes sluice's command line; printed by `sluice completion bash`.\n"
         "_sluice() {\n"
         "  local place='' value='' words='' options='' files='' word index first=0\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\"\n"
         "  COMPREPLY=()\n"
         + walk(program, "COMP_WORDS", "COMP_CWORD")
         + "  if [[ -n $value ]]; then\n"
           "    case \"$place $value\" in\n"
         + value_cases(program, "words")
         + "    esac\n"
           "  else\n"
           "    case \"$place\" in\n"
         + bash_cases(program)
         + "    esac\n"
           "    if [[ $current == -* ]]; then\n"
           "      words=\"$options "
         + joined(option_names(program), " ")
         + "\"\n"
           "      files=\n"
           "    fi\n"
           "  fi\n"
           "  if [[ -n $files ]]; then\n"
           "    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
           "    compopt -o filenames 2>/dev/null\n"
           "  else\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
           "  fi\n"
           "  return 0\n"
           "}\n"
           "complete -F _sluice sluice\n";
}

std::string zsh_completion(const described_command& program) {
  return "#compdef sluice\n"
         "# Completes sluice's command line; printed by `sluice completion zsh`.\n"
         "_sluice() {\n"
         "  local place='' value='' files='' word\n"
         "  local -i index first=1\n"
         "  local -a offered flags\n"
         "  local accepted=''\n"
         + walk(program, "words", "CURRENT")
         + "  if [[ -n $value ]]; then\n"
           "    case \"$place $value\" in\n"
         + value_cases(program, "accepted")
         + "    esac\n"
           "    offered=(${=accepted})\n"
           "  else\n"
           "    flags=("
         + zsh_options(program)
         + " )\n"
           "    case \"$place\" in\n"
         + zsh_cases(program)
         + "    esac\n"
           "  fi\n"
           "  if [[ -n $files ]]; then\n"
           "    _files\n"
           "  elif [[ $PREFIX == -* ]]; then\n"
           "    _describe -o option flags\n"
           "  else\n"
           "    _describe command offered\n"
           "  fi\n"
           "}\n"
           "_sluice \"$@\"\n";
}

} // namespace sluice::app
