#include "app/job_commands.hpp"

#include "api/url_text.hpp"
#include "app/confirmation.hpp"
#include "app/job_following.hpp"
#include "app/node_client.hpp"

namespace sluice::app {
namespace {

using document = node_client::document;

constexpr auto page_max = 1000;

std::string text(const document& from, const char* name) {
  const auto& value = from.at(name);
  return value.is_string() ? value.get<std::string>() : std::string{};
}

std::string path_of(const std::string& rule, core::row_act act) {
  return rule_path(rule, "/" + std::string{core::to_string(act)});
}

std::string job_path(const std::string& rule, const std::string& id) {
  return rule_path(rule, "/jobs/" + api::percent_encode(id));
}

/// What the act is about, in words: "failed records that wait".
std::string kind_of(core::row_act act) {
  return act == core::row_act::retry ? "failed records that wait for a later attempt"
                                     : "records that ended exhausted or gone";
}

document filter_of(const row_options& options) {
  document body{{"by", current_user()}};
  const auto put = [&](const char* name, const std::string& value) {
    if (!value.empty()) {
      body[name] = value;
    }
  };
  put("error_class", options.error_class);
  put("from", options.from);
  put("until", options.until);
  if (options.status) {
    body["status"] = core::to_string(*options.status);
  }
  if (options.all) {
    body["all"] = true;
  }
  return body;
}

int offer_one(const command_context& context, const node_client& node, core::row_act act,
              const row_options& options) {
  const auto row =
      node.post(path_of(options.rule, act), {{"source_id", options.source_id}, {"by", current_user()}});
  if (!row) {
    return row.error();
  }
  if (context.style.json) {
    print_json(*row);
  } else {
    print_line(printable("record " + options.source_id + " is due now"));
  }
  return exit_ok;
}

int offer_many(const command_context& context, const node_client& node, core::row_act act,
               const row_options& options) {
  const auto counted = count_rows(node, path_of(options.rule, act), filter_of(options));
  if (!counted) {
    return counted.error();
  }
  if (*counted == 0) {
    return report_count(context, 0, nullptr, "rule " + options.rule + " has no such records");
  }
  const auto word = std::string{core::to_string(act)};
  if (!options.yes
      && !confirmed(context,
                    "Rule " + options.rule + " has " + grouped(*counted) + " such " + kind_of(act) + ". "
                        + (act == core::row_act::retry ? "Retry" : "Reopen") + " them?",
                    "no job was started", word + " with --yes")) {
    return exit_refused;
  }
  auto job = node.post(path_of(options.rule, act), filter_of(options));
  if (!job) {
    return job.error();
  }
  const auto id = text(*job, "id");
  if (options.no_wait) {
    return report_count(context, *counted, *job,
                        "the node works on it as job " + id + "; `sluice jobs " + options.rule
                            + "` shows it");
  }
  return follow_job(context, node, job_path(options.rule, id), *counted, std::move(*job),
                    {"records due", "records are due now"});
}

/// The filter, as its options are written.
std::string filter_text(const document& job) {
  std::string all;
  for (const auto* name : {"status", "error_class", "from", "until"}) {
    if (const auto value = text(job, name); !value.empty()) {
      all += (all.empty() ? "" : ", ") + std::string{name} + " " + value;
    }
  }
  return all.empty() ? "all" : all;
}

void print_jobs(const command_context& context, const document& jobs) {
  text_table table{{"job", "act", "records", "done", "counted", "state", "started", "by"}, {3, 4}};
  for (const auto& job : jobs) {
    table.add({text(job, "id"), text(job, "act"), filter_text(job), grouped(number(job, "done")),
               grouped(number(job, "counted")), state_of_job(job), text(job, "started_at"),
               text(job, "started_by")});
  }
  if (table.empty()) {
    print_line("there is no job");
  } else {
    table.print(context.style);
  }
}

} // namespace

int offer_rows(const command_context& context, core::row_act act, const row_options& options) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  return options.source_id.empty() ? offer_many(context, *node, act, options)
                                   : offer_one(context, *node, act, options);
}

int list_jobs(const command_context& context, const std::string& rule) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto page = node->get(rule_path(rule, "/jobs?limit=" + std::to_string(page_max)));
  if (!page) {
    return page.error();
  }
  if (context.style.json) {
    print_json(*page);
  } else {
    print_jobs(context, page->at("jobs"));
  }
  return exit_ok;
}

int cancel_job(const command_context& context, const std::string& rule, const std::string& id) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto job = node->post(job_path(rule, id) + "/cancel", {{"by", current_user()}});
  if (!job) {
    return job.error();
  }
  if (context.style.json) {
    print_json(*job);
  } else {
    print_line("job " + id + " has ended; " + grouped(number(*job, "done"))
               + " records are due because of it");
  }
  return exit_ok;
}

} // namespace sluice::app
