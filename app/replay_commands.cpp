#include "app/replay_commands.hpp"

#include "api/url_text.hpp"
#include "app/confirmation.hpp"
#include "app/job_following.hpp"
#include "app/subscription_lookup.hpp"

namespace sluice::app {
namespace {

using document = node_client::document;

constexpr auto page_max = 1000;

std::string replay_path(const std::string& subscription, const std::string& id) {
  return subscription_path(subscription, "/replays/" + api::percent_encode(id));
}

document window_of(const replay_options& options) {
  document body{{"by", current_user()}, {"from", options.from}};
  if (!options.to.empty()) {
    body["to"] = options.to;
  }
  if (!options.states.empty()) {
    body["states"] = options.states;
  }
  return body;
}

std::string states_text(const replay_options& options) {
  return options.states.empty() ? "failed or dead" : joined(options.states, " or ");
}

bool agrees(const command_context& context, const replay_options& options, std::int64_t counted) {
  return options.yes
         || confirmed(context,
                      printable("Subscription " + options.subscription + " has " + grouped(counted)
                                + " deliveries in this window that are " + states_text(options)
                                + ". Deliver them again?"),
                      "no replay was started", "replay with --yes");
}

int replay(const command_context& context, const node_client& node, const std::string& id,
           const replay_options& options) {
  const auto path = subscription_path(id, "/replays");
  const auto counted = count_rows(node, path, window_of(options));
  if (!counted) {
    return counted.error();
  }
  if (*counted == 0) {
    return report_count(
        context, 0, nullptr,
        printable("subscription " + options.subscription + " has no such deliveries in this window"));
  }
  if (!agrees(context, options, *counted)) {
    return exit_refused;
  }
  auto job = node.post(path, window_of(options));
  if (!job) {
    return job.error();
  }
  const auto begun = cell(*job, "id");
  if (options.no_wait) {
    return report_count(context, *counted, *job,
                        printable("the node works on it as job " + begun + "; `sluice replays "
                                  + options.subscription + "` shows it"));
  }
  return follow_job(context, node, replay_path(id, begun), *counted, std::move(*job),
                    {"deliveries due", "deliveries are pending again"});
}

std::string states_of(const document& job) {
  return joined(job.at("states").get<std::vector<std::string>>(), ", ");
}

void print_replays(const command_context& context, const document& replays) {
  text_table table{{"job", "from", "to", "states", "done", "counted", "state", "started", "by"}, {4, 5}};
  for (const auto& job : replays) {
    table.add({cell(job, "id"), cell(job, "from"), cell(job, "to"), states_of(job),
               grouped(job.at("done").get<std::int64_t>()), grouped(job.at("counted").get<std::int64_t>()),
               state_of_job(job), cell(job, "started_at"), printable(cell(job, "started_by"))});
  }
  if (table.empty()) {
    print_line("there is no replay");
  } else {
    table.print(context.style);
  }
}

} // namespace

int replay_window(const command_context& context, const replay_options& options) {
  return with_subscription(
      context, options.subscription,
      [&](const node_client& node, const std::string& id) { return replay(context, node, id, options); });
}

int list_replays(const command_context& context, const std::string& subscription) {
  return with_subscription(context, subscription, [&](const node_client& node, const std::string& id) {
    const auto page = node.get(subscription_path(id, "/replays?limit=" + std::to_string(page_max)));
    if (!page) {
      return page.error();
    }
    if (context.style.json) {
      print_json(*page);
    } else {
      print_replays(context, page->at("replays"));
    }
    return exit_ok;
  });
}

int cancel_replay(const command_context& context, const std::string& subscription, const std::string& id) {
  return with_subscription(context, subscription, [&](const node_client& node, const std::string& of) {
    const auto job = node.post(replay_path(of, id) + "/cancel", {{"by", current_user()}});
    if (!job) {
      return job.error();
    }
    if (context.style.json) {
      print_json(*job);
    } else {
      print_line("replay " + cell(*job, "id") + " has ended; " + grouped(job->at("done").get<std::int64_t>())
                 + " deliveries are pending again because of it");
    }
    return exit_ok;
  });
}

} // namespace sluice::app
