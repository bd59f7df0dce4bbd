#include "app/job_following.hpp"

#include "app/output.hpp"
#include "app/progress.hpp"

#include <chrono>
#include <thread>

namespace sluice::app {
namespace {

using document = node_client::document;

std::expected<document, int> followed(const node_client& node, const std::string& path, document job,
                                      const std::string& label) {
  progress bar{label, number(job, "counted")};
  while (job.at("ended_at").is_null()) {
    bar.show(number(job, "done"));
    std::this_thread::sleep_for(poll_interval);
    auto now = node.get(path);
    if (!now) {
      return now;
    }
    job = std::move(*now);
  }
  return job;
}

} // namespace

std::expected<std::int64_t, int> count_rows(const node_client& node, const std::string& path, document body) {
  body["count_only"] = true;
  const auto counted = node.post(path, body);
  if (!counted) {
    return std::unexpected{counted.error()};
  }
  return number(*counted, "count");
}

int report_count(const command_context& context, std::int64_t counted, const document& job,
                 const std::string& sentence) {
  if (context.style.json) {
    print_json({{"count", counted}, {"job", job}});
  } else {
    print_line(sentence);
  }
  return exit_ok;
}

int follow_job(const command_context& context, const node_client& node, const std::string& path,
               std::int64_t counted, document job, const job_words& words) {
  if (!context.style.json) {
    print_note("the node works on it as job " + cell(job, "id") + ", and goes on if this is interrupted");
  }
  const auto ended = followed(node, path, std::move(job), words.bar);
  if (!ended) {
    return ended.error();
  }
  const auto done = grouped(number(*ended, "done")) + " " + words.doing;
  if (cell(*ended, "ending") == "completed") {
    return report_count(context, counted, *ended, done);
  }
  print_error("the job was cancelled", "by " + cell(*ended, "ended_by") + "; " + done, "");
  return exit_refused;
}

std::string state_of_job(const document& job) {
  return job.at("ending").is_null() ? "under way" : cell(job, "ending");
}

} // namespace sluice::app
