#include "app/demo.hpp"

#include "api/senders.hpp"
#include "app/apply.hpp"
#include "app/command_context.hpp"
#include "app/crm.hpp"
#include "app/demo_check.hpp"
#include "app/demo_data.hpp"
#include "app/demo_folder.hpp"
#include "app/import.hpp"
#include "app/migrate.hpp"
#include "app/node.hpp"
#include "app/progress.hpp"
#include "app/serve.hpp"
#include "config/apply_file.hpp"
#include "config/load.hpp"
#include "core/call.hpp"
#include "providers/transport.hpp"
#include "storage/cursor.hpp"
#include "storage/ledger.hpp"
#include "storage/rules.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <optional>
#include <thread>
#include <utility>

namespace sluice::app {

namespace {

constexpr std::int64_t requests_per_minute = 2200;
constexpr auto look_interval = std::chrono::milliseconds{200};
constexpr auto patience = std::chrono::minutes{5};

/// The stand-in target on a thread of its own: it limits, delays, fails and loses replies.
class demo_target {
public:
  explicit demo_target(crm_server server) : server_(std::move(server)), thread_([this] { server_.run(); }) {}
  demo_target(const demo_target&) = delete;
  demo_target& operator=(const demo_target&) = delete;
  ~demo_target() {
    server_.stop();
    thread_.join();
  }

  [[nodiscard]] std::string url() const { return "http://" + server_.address(); }

  /// The answer of GET `path`, empty when there is none.
  [[nodiscard]] std::string get(const std::string& path, const config::call_settings& calls) const {
    std::promise<core::http_answer> answered;
    providers::transport_settings settings;
    settings.allowed_networks = calls.allowed_networks;
    settings.answer_bytes_max = std::size_t{1} << 28;
    real_time time;
    auto transport =
        providers::make_curl_transport(settings, time, [&](std::vector<core::call_answer> answers) {
          answered.set_value(std::move(answers.front().answer));
        });
    core::outbound_call call;
    call.request.method = "GET";
    call.request.url = url() + path;
    std::vector<core::outbound_call> calls_to_make;
    calls_to_make.push_back(std::move(call));
    transport->submit(std::move(calls_to_make));
    return answered.get_future().get().body;
  }

private:
  crm_server server_;
  std::thread thread_;
};

crm_options demo_target_options(std::uint64_t seed) {
  crm_options options;
  options.latency = std::chrono::milliseconds{8};
  options.requests_per_minute = requests_per_minute;
  options.fail_rate = 0.05;
  options.lose_reply_rate = 0.03;
  options.seed = seed;
  return options;
}

/// How far delivery is, by the ledger.
struct delivery_state {
  std::int64_t records = 0;
  std::int64_t done = 0;
  bool settled = false; ///< nothing waits for a retry, to be settled or to be looked at
};

storage::result<delivery_state> read_state(storage::session& db, const std::vector<demo_domain>& domains) {
  delivery_state state;
  auto routes = storage::list_routes(db);
  auto rules = storage::list_rules(db);
  auto markers = storage::has_markers(db);
  if (!routes || !rules || !markers)
    return std::unexpected{
        storage::failure{storage::error::unavailable, "the demo's database cannot be read"}};
  state.settled = !*markers;
  for (const auto& route : *routes)
    state.settled = state.settled && !route.backfilling && route.change_counter == route.completed_counter;
  for (const auto& domain : domains)
    state.records += static_cast<std::int64_t>(domain.records.size());
  for (const auto& rule : *rules) {
    auto counts = storage::count_ledger(db, rule.id);
    if (!counts)
      return std::unexpected{counts.error()};
    for (const auto& [status, count] : *counts) {
      auto waits = status == core::delivery_status::failed || status == core::delivery_status::ambiguous;
      state.done += waits ? 0 : count;
      state.settled = state.settled && (!waits || count == 0);
    }
  }
  state.settled = state.settled && state.done == state.records;
  return state;
}

class demo_run {
public:
  demo_run(const demo_options& options, const output_style& style, const demo_folder& folder,
           const demo_target& target)
      : options_(options), style_(style), folder_(folder), target_(target),
        domains_(make_demo_records(options.seed)) {}

  int run() {
    if (auto code = set_up(); code != exit_ok)
      return code;
    auto keys = open_keys(context_.settings);
    if (!keys)
      return keys.error();
    // Alone on its database, it neither loses it nor waits for it.
    node::process process{[](const std::string&) {}, [](core::duration) { return false; }};
    auto node =
        node::start(context_.settings, std::move(*keys), core::first_sweep::spread, std::move(process));
    if (!node) {
      print_error("The demo's node cannot start.", node.error(), "Is there room in the temporary folder?");
      return exit_unreachable;
    }
    auto code = deliver_and_compare();
    if (!(*node)->stop())
      std::_Exit(exit_refused);
    return code;
  }

  [[nodiscard]] const config::settings& settings() const { return context_.settings; }

private:
  int set_up() {
    folder_.write("sluice.toml", demo_settings_file(folder_.file("sluice.db")));
    folder_.write("apply.toml", demo_apply_file(target_.url(), requests_per_minute));
    auto settings = config::load(folder_.file("sluice.toml"), {});
    auto plan = config::read_apply_file(folder_.file("apply.toml"), {});
    if (!settings || !plan) {
      print_error("The demo's own files are refused.", settings ? plan.error() : settings.error(),
                  "Report this.");
      return exit_refused;
    }
    context_ = {std::move(*settings), style_};
    plan_ = std::move(*plan);
    if (auto code = migrate(context_); code != exit_ok)
      return code;
    if (auto code = apply(context_, {folder_.file("apply.toml"), true}); code != exit_ok)
      return code;
    for (const auto& domain : domains_) {
      if (auto code = import(domain.name, domain.records); code != exit_ok)
        return code;
    }
    return exit_ok;
  }

  int import(const std::string& domain, const std::vector<demo_record>& records) {
    auto file = domain + ".ndjson";
    folder_.write(file, as_ndjson(records));
    import_options options;
    options.file = folder_.file(file);
    options.connection = "shop";
    options.domain = domain;
    options.id_field = "id";
    return import_records(context_, options);
  }

  int deliver_and_compare() {
    print_line("demo: delivering to a target that limits, delays, fails and loses replies");
    if (auto code = wait_until_delivered("deliver"); code != exit_ok)
      return code;
    print_line("demo: changing some records and adding a few");
    for (auto& domain : domains_) {
      auto touched = change_demo_records(domain, 20, 5, options_.seed + 1);
      if (auto code = import(domain.name, touched); code != exit_ok)
        return code;
    }
    if (auto code = wait_until_delivered("deliver changes"); code != exit_ok)
      return code;
    return compare();
  }

  int wait_until_delivered(std::string_view label) {
    auto db = open_session(context_, storage::access::read);
    if (!db)
      return db.error();
    auto give_up_at = std::chrono::steady_clock::now() + patience;
    std::optional<progress> bar;
    while (std::chrono::steady_clock::now() < give_up_at) {
      auto state = read_state(*db, domains_);
      if (!state)
        return report("The demo's database cannot be read", state.error());
      if (!bar)
        bar.emplace(label, state->records);
      bar->show(state->done);
      if (state->settled)
        return exit_ok;
      std::this_thread::sleep_for(look_interval);
    }
    print_error("The demo did not come to its end.", "records still wait after five minutes",
                "Run it with --keep and look with `sluice ledger`.");
    return exit_refused;
  }

  int compare() {
    demo_verdict all;
    for (const auto& domain : domains_) {
      auto held = target_.get("/_state/" + domain.name, context_.settings.calls);
      auto rule = std::ranges::find_if(plan_.rules,
                                       [&](const auto& each) { return each.rule.domain == domain.name; });
      auto verdict = compare_with_target(domain, *rule, held);
      if (!verdict) {
        print_error("The target's answer cannot be compared.", verdict.error(), "Report this.");
        return exit_refused;
      }
      print_line(domain.name + ": " + grouped(verdict->agree) + " agree, " + grouped(verdict->differ)
                 + " differ");
      all.agree += verdict->agree;
      all.differ += verdict->differ;
      for (const auto& example : verdict->examples)
        print_note(example);
    }
    print_line("target: " + target_.get("/_state", context_.settings.calls));
    auto summary =
        "demo: " + std::to_string(all.agree) + " records agree, " + std::to_string(all.differ) + " differ";
    print_line(summary);
    return all.differ == 0 ? exit_ok : exit_refused;
  }

  demo_options options_;
  output_style style_;
  const demo_folder& folder_;
  const demo_target& target_;
  std::vector<demo_domain> domains_;
  command_context context_;
  core::configuration plan_;
};

/// With the operator page, whose token opens this node alone.
int go_on_serving(config::settings settings, const output_style& style, const demo_folder& folder) {
  settings.api.listen = "127.0.0.1:0";
  settings.api.token = api::make_token_text();
  print_line("serving on: sluice --config " + folder.file("sluice.toml") + " ledger --rule customers");
  return serve_and_tell({settings, style, [&settings] { return settings_loader::result_type{settings}; }},
                        [&settings](const node& serving) {
                          print_line("page: http://" + serving.api_address() + "/");
                          print_line("sign in with: " + settings.api.token);
                          std::fflush(stdout); // whoever reads a pipe waits for it
                        });
}

} // namespace

int demo(const demo_options& options, const output_style& style) {
  demo_folder folder;
  auto server = crm_server::listen(demo_target_options(options.seed));
  if (!folder.made() || !server) {
    print_error("The demo cannot start.", folder.made() ? server.error() : "no temporary folder can be made",
                "Free some room, then try again.");
    return exit_unreachable;
  }
  demo_target target{std::move(*server)};
  demo_run run{options, style, folder, target};
  auto code = run.run();
  if (!options.keep || code != exit_ok)
    return code;
  folder.keep();
  return go_on_serving(run.settings(), style, folder);
}

} // namespace sluice::app
