#include "app/listen_command.hpp"

#include "app/command_context.hpp"
#include "app/option_values.hpp"
#include "config/text_file.hpp"
#include "core/ip_address.hpp"
#include "providers/webhook_signature.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <sstream>
#include <utility>

namespace sluice::app {
namespace {

using nlohmann::ordered_json;

constexpr double rounding = 1e-9; // 0.1 and 0.2 and 0.7 are a little more than 1

bool is_loopback(const std::string& address) {
  const auto read = core::parse_ipv4(address) ? core::parse_ipv4(address) : core::parse_ipv6(address);
  return read
         && (core::parse_network("127.0.0.0/8")->contains(*read)
             || core::parse_network("::1")->contains(*read));
}

std::expected<named_key, std::string> checked(named_key key) {
  if (const auto good = providers::check_verification_key(key.key); !good) {
    return std::unexpected{key.name + ": " + good.error()};
  }
  return key;
}

/// The keys of the options, or every fault.
std::expected<std::vector<named_key>, std::vector<std::string>> read_keys(const listen_options& options) {
  std::vector<named_key> keys;
  std::vector<std::string> faults;
  const auto keep = [&](std::expected<named_key, std::string> key) {
    if (key) {
      keys.push_back(std::move(*key));
    } else {
      faults.push_back(std::move(key).error());
    }
  };
  for (const auto& text : options.secrets) {
    keep(checked({"secret " + std::to_string(&text - options.secrets.data() + 1), text}));
  }
  for (const auto& file : options.secret_files) {
    auto text = config::read_secret_file(file);
    keep(text ? checked({file, std::move(*text)}) : std::unexpected{std::move(text).error()});
  }
  if (!faults.empty()) {
    return std::unexpected{std::move(faults)};
  }
  return keys;
}

std::string whole_seconds(core::duration age) {
  return core::to_text(std::chrono::floor<std::chrono::seconds>(age));
}

std::string_view word_of(reaction_kind kind) {
  switch (kind) {
  case reaction_kind::answer:
    return "answer";
  case reaction_kind::cut:
    return "cut";
  case reaction_kind::hang:
    return "hang";
  }
  return "unknown";
}

ordered_json text_or_null(const std::string& text) {
  return text.empty() ? ordered_json{} : ordered_json(text);
}

ordered_json document_of(const arrived_webhook& from, bool verbose) {
  const bool good = from.signature == signature_state::good;
  const auto& reaction = from.reaction;
  ordered_json made{{"at", core::to_rfc3339(from.at)},
                    {"path", from.path},
                    {"type", text_or_null(from.type)},
                    {"id", text_or_null(from.id)},
                    {"times_seen", from.times_seen},
                    {"signature", to_string(from.signature)},
                    {"signed_by", text_or_null(good ? from.signature_detail : "")},
                    {"why_bad", text_or_null(good ? "" : from.signature_detail)},
                    {"age_seconds", nullptr},
                    {"bytes", from.body.size()},
                    {"reaction", word_of(reaction.kind)},
                    {"status", nullptr}};
  if (from.age) {
    made["age_seconds"] = std::chrono::floor<std::chrono::seconds>(*from.age).count();
  }
  if (reaction.kind == reaction_kind::answer) {
    made["status"] = reaction.status;
  }
  if (verbose) {
    made["body"] = from.body;
  }
  return made;
}

std::string signature_text(const arrived_webhook& from) {
  switch (from.signature) {
  case signature_state::good:
    return "signed by " + from.signature_detail;
  case signature_state::bad:
    return "BAD SIGNATURE: " + from.signature_detail;
  case signature_state::unchecked:
    break;
  }
  return "signature not checked";
}

std::string line_of(const arrived_webhook& from) {
  const auto& reaction = from.reaction;
  const std::vector<std::string> parts{
      core::to_rfc3339(from.at),
      from.type.empty() ? "(no type)" : from.type,
      from.id.empty() ? "(no webhook-id)" : from.id,
      from.times_seen == 1 ? "new" : "seen " + std::to_string(from.times_seen) + " times",
      signature_text(from),
      from.age ? whole_seconds(*from.age) + " old" : "(no timestamp)",
      grouped(static_cast<std::int64_t>(from.body.size())) + " bytes",
      reaction.kind == reaction_kind::answer ? "answered " + std::to_string(reaction.status)
                                             : std::string{word_of(reaction.kind)}};
  return printable(joined(parts, "  "));
}

void print_body(const std::string& body) {
  std::istringstream lines{body};
  for (std::string line; std::getline(lines, line);) {
    print_line("  " + printable(line));
  }
}

void print_webhook(const arrived_webhook& webhook, bool verbose, const output_style& style) {
  if (style.json) {
    print_json(document_of(webhook, verbose));
    return;
  }
  print_line(line_of(webhook));
  if (verbose) {
    print_body(webhook.body);
  }
}

void print_address(const std::string& address, const output_style& style) {
  if (style.json) {
    print_json({{"listening", address}});
  } else {
    print_line("listening " + address);
  }
  std::fflush(stdout);
}

void print_summary(const listener_counts& counts, const output_style& style) {
  if (style.json) {
    print_json({{"summary",
                 {{"received", counts.received},
                  {"distinct_ids", counts.distinct_ids},
                  {"repeats", counts.repeats},
                  {"without_id", counts.without_id},
                  {"bad_signatures", counts.bad_signatures}}}});
    return;
  }
  print_line(grouped(counts.received) + " received, " + grouped(counts.distinct_ids) + " distinct ids, "
             + grouped(counts.repeats) + " repeats, " + grouped(counts.without_id) + " without an id, "
             + grouped(counts.bad_signatures) + " bad signatures");
}

/// A webhook is shown before it is answered, so that what was answered has been seen.
http_server::handler reaction_of(webhook_listener& listener, bool verbose, const output_style& style) {
  return [&listener, verbose, style](const served_request& request) -> http_reaction {
    if (request.method != "POST") {
      print_note(printable(request.method) + " " + printable(request.target)
                 + " was answered 405: webhooks are POSTed");
      return {.status = 405, .headers = "Allow: POST\r\n"};
    }
    auto webhook = listener.receive(request, wall_now());
    print_webhook(webhook, verbose, style);
    const bool heard = std::fflush(stdout) == 0;
    webhook.reaction.last = webhook.reaction.last || !heard;
    return std::move(webhook.reaction);
  };
}

std::vector<planned_failure> read_failures(const std::vector<std::string>& texts) {
  std::vector<planned_failure> made;
  double together = 0;
  for (const auto& text : texts) {
    const auto read = parse_planned_failure(text);
    if (!read) {
      throw CLI::ValidationError{"--fail", read.error()};
    }
    together += read->share;
    made.push_back(*read);
  }
  if (together > 1 + rounding) {
    throw CLI::ValidationError{"--fail", "the shares are more than 1 together"};
  }
  return made;
}

void add_reactions(CLI::App& to, listener_plan& plan) {
  to.add_option_function<std::vector<std::string>>(
        "--fail", [&plan](const std::vector<std::string>& texts) { plan.failures = read_failures(texts); },
        "Share met otherwise than the rest: 503:0.2, cut:0.1, hang:0.1; may be repeated")
      ->allow_extra_args(false)
      ->type_name("HOW:SHARE");
  auto* status = to.add_option("--status", plan.status, "Status of the other answers")
                     ->check(CLI::Range(answer_status_min, answer_status_max))
                     ->capture_default_str();
  auto* hang =
      to.add_flag_callback("--hang", [&plan] { plan.kind = reaction_kind::hang; }, "Never answer the others");
  auto* cut = to.add_flag_callback(
      "--cut", [&plan] { plan.kind = reaction_kind::cut; }, "Cut the others off without an answer");
  hang->excludes(status)->excludes(cut);
  cut->excludes(status);
  to.add_option("--retry-after", plan.retry_after_seconds, "Seconds that answers other than 2xx ask for")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{31'536'000}));
  add_duration(to, "--latency", plan.latency, "Hold every answer back so long");
  to.add_option("--seed", plan.seed, "Seed of the shares");
  to.add_option("--limit", plan.limit, "End after so many webhooks")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
}

} // namespace

void add_listen_options(CLI::App& to, listen_options& into) {
  to.add_option("--listen,--port", into.listen, "Address and port, or a port alone; port 0 is a free one")
      ->type_name("ADDRESS:PORT");
  to.add_flag("--allow-any", into.allow_any, "Listen on an address that other machines reach, too");
  to.add_option("--secret", into.secrets, "Verify with this, whsec_… or whpk_…; may be repeated")
      ->allow_extra_args(false)
      ->type_name("SECRET");
  to.add_option("--secret-file", into.secret_files, "Verify with the secret in this file; may be repeated")
      ->allow_extra_args(false)
      ->type_name("FILE");
  add_reactions(to, into.plan);
  to.add_flag("--verbose,-v", into.verbose, "Show the bodies, too");
}

int listen(const listen_options& options, const output_style& style) {
  const auto address = read_listen_option(options.listen);
  if (!address) {
    print_error("there is nothing to listen on", address.error(), "");
    return exit_usage;
  }
  if (!options.allow_any && !is_loopback(address->address)) {
    print_error("the receiver was not started", address->text() + " may be reached by other machines",
                "listen on 127.0.0.1 or [::1], or add --allow-any");
    return exit_usage;
  }
  auto keys = read_keys(options);
  if (!keys) {
    print_error("a secret cannot be used", keys.error(),
                "give the subscription's secret, or the public key of an ed25519 one");
    return exit_usage;
  }
  webhook_listener listener{options.plan, std::move(*keys)};
  auto server = http_server::listen(*address, reaction_of(listener, options.verbose, style));
  if (!server) {
    print_error("the receiver was not started", server.error(),
                "choose another address, or port 0 for a free one");
    return exit_unreachable;
  }
  server->stop_on_signals(); // before anybody knows of it
  print_address(server->address(), style);
  server->run();
  print_summary(listener.counts(), style);
  return exit_ok;
}

} // namespace sluice::app
