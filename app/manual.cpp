#include "app/manual.hpp"

#include "app/version.hpp"

#include <string_view>

namespace sluice::app {
namespace {

/// What no parser knows. Lines of man(7).
constexpr std::string_view introduction = R"(.SH DESCRIPTION
Sluice moves changes out of a database into other people's systems, and can always say what happened to each one.
Records are written into its mirror; a sync rule says which of them go to which target, mapped how.
.PP
.B sluice serve
is the daemon.
The commands that ask or change a running node speak to it through its API; the others open the database themselves.
Every reading command prints a table, or one JSON document with
.BR \-\-json .
Errors go to standard error as what went wrong, why, and what to do about it.
)";

constexpr std::string_view surroundings = R"(.SH "EXIT STATUS"
.TP
.B 0
Done.
.TP
.B 1
Refused, or what was named does not exist; of
.BR doctor :
there is something to do.
.TP
.B 2
The command line or the settings have faults.
.TP
.B 3
The database or the node cannot be reached; of
.BR serve :
it may not go on and should be started again.
.SH ENVIRONMENT
.TP
.B SLUICE_CONFIG
The settings file, where
.B \-\-config
names none.
.TP
.BI SLUICE_ SECTION _ KEY
A setting, stronger than the file's:
.B SLUICE_DATABASE_URL
for
.B url
of
.BR [database] .
.TP
.B NO_COLOR
Where it is set to anything, nothing is coloured.
.TP
.B NOTIFY_SOCKET
Where
.B serve
tells its service manager that it is ready and that it stops.
.SH FILES
.TP
.I /etc/sluice/sluice.toml
The settings of an installed package; read by its commands where nothing else is named.
.TP
.I /etc/sluice/keys
The keys that seal credentials. Without them the credentials in the database are lost.
.TP
.I /var/lib/sluice/sluice.db
The database of an installed package, unless the settings name another.
.TP
.I /usr/share/sluice/presets
Targets to begin with: connections of HubSpot, Mailchimp, Brevo and Klaviyo.
.SH SIGNALS
.TP
.BR SIGTERM ", " SIGINT
The node ends: no call starts any more, calls in flight finish and are recorded.
.TP
.B SIGHUP
The settings are read again. Those of
.B [log]
are taken over; others that differ are named in the log and wait for a restart. New settings with faults change nothing.
.SH EXAMPLES
.nf
sluice config default > sluice.toml
sluice apply shop.toml
sluice import \-\-connection shop \-\-domain customers \-\-id\-field id customers.csv
sluice serve
sluice ledger \-\-rule customers \-\-counts
sluice explain customers C1
sluice doctor
.fi
)";

/// A text as it stands: no character of it is a request.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  const bool looks_like_request = out.starts_with('.') || out.starts_with('\'');
  return looks_like_request ? "\\&" + out : out;
}

/// A sentence has a full stop in a manual, and none in a list of commands.
std::string sentence(std::string_view text) {
  const bool whole = text.ends_with('.') || text.ends_with('?');
  return escaped(text) + (whole ? "" : ".") + "\n";
}

std::string names_of(const described_option& option) {
  std::string out;
  for (const auto& name : option.names) {
    out += (out.empty() ? "\\fB" : ", \\fB") + escaped(name) + "\\fR";
  }
  return out + (option.value.empty() ? "" : " \\fI" + escaped(option.value) + "\\fR");
}

std::string allowed(const described_option& option) {
  std::string out;
  for (const auto& word : option.words) {
    out += (out.empty() ? "One of " : ", ") + escaped(word);
  }
  if (!option.range.empty()) {
    out += "Allowed: " + escaped(option.range);
  }
  return out.empty() ? out : out + ".\n";
}

std::string items(const std::vector<described_option>& options) {
  std::string out;
  for (const auto& option : options) {
    const bool is_help = option.names.front() == "--help";
    if (!is_help) {
      out += ".TP\n" + names_of(option) + "\n" + sentence(option.description) + allowed(option);
    }
  }
  return out;
}

/// "apply FILE", "import [options] FILE"
std::string usage(const described_command& command) {
  std::string out = "sluice " + command.path;
  for (const auto& option : command.options) {
    if (option.required) {
      out += " " + option.names.front() + (option.value.empty() ? "" : " " + option.value);
    }
  }
  for (const auto& argument : command.arguments) {
    const auto& name = argument.value.empty() ? argument.names.front() : argument.value;
    out += argument.required ? " " + name : " [" + name + "]";
  }
  return out;
}

std::string commands(const described_command& program) {
  std::string out;
  visit(program, [&](const described_command& command) {
    if (command.path.empty() || !command.commands.empty()) {
      return;
    }
    out += ".SS \"" + escaped(usage(command)) + "\"\n" + sentence(command.description)
           + items(command.options) + items(command.arguments);
  });
  return out;
}

} // namespace

std::string manual(const described_command& program) {
  std::string out = ".TH SLUICE 1 \"\" \"sluice " + std::string{version_text} + "\" \"Sluice\"\n";
  out += ".SH NAME\nsluice \\- deliver records, events and notifications to other systems\n";
  out += ".SH SYNOPSIS\n.B sluice\n[\\fIOPTION\\fR]... \\fICOMMAND\\fR [\\fIARGUMENT\\fR]...\n";
  out += introduction;
  out += ".SH OPTIONS\nThey stand before the command or behind it.\n" + items(program.options);
  out += ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShow what the program, or the command it stands behind, "
         "takes.\n";
  out += ".SH COMMANDS\n" + commands(program);
  return out.append(surroundings);
}

} // namespace sluice::app
