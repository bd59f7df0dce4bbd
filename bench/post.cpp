// Posts callbacks or notifications to a node, made and signed before the clock starts, and tells how many
// were answered how and how long each took.

#include "bench/post_client.hpp"
#include "bench/post_requests.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>

namespace sluice::bench {
namespace {

struct options {
  std::string what;
  number_range range{.first = 0, .count = 100'000};
  post_options posting;
  callback_plan callbacks;
  notification_plan notifications;
  std::string contacts_file;
};

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  return lines;
}

std::vector<std::string> make_requests(options& chosen) {
  const auto now = std::chrono::time_point_cast<core::duration>(std::chrono::system_clock::now());
  if (chosen.what == "webhook")
    return webhook_callbacks(chosen.callbacks, chosen.range, now);
  if (chosen.what == "twilio")
    return twilio_callbacks(chosen.callbacks, chosen.range);
  chosen.notifications.contacts = read_lines(chosen.contacts_file);
  return chosen.notifications.contacts.empty() ? std::vector<std::string>{}
                                               : notifications(chosen.notifications, chosen.range);
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void print(const posts_answered& answered, double cpu) {
  auto times = answered.times_us;
  std::ranges::sort(times);
  const auto at = [&](double share) {
    const auto index = static_cast<std::size_t>(share * static_cast<double>(times.size()));
    return static_cast<double>(times[std::min(index, times.size() - 1)]) / 1000;
  };
  std::printf(R"({"seconds":%.6f,"posts_per_second":%.3f,"median_ms":%.3f,"p99_ms":%.3f,"most_ms":%.3f,)",
              answered.seconds, static_cast<double>(times.size()) / answered.seconds, at(0.5), at(0.99),
              at(1));
  std::printf(R"("most_waiting":%zu,"cpu_share":%.4f,"by_status":{)", answered.most_waiting,
              cpu / answered.seconds);
  const char* between = "";
  for (const auto& [status, count] : answered.by_status) {
    std::printf(R"(%s"%d":%llu)", between, status, static_cast<unsigned long long>(count));
    between = ",";
  }
  std::printf("}}\n");
}

int run(options& chosen) {
  const auto requests = make_requests(chosen);
  if (requests.empty()) {
    std::fprintf(stderr,
                 "sluice_bench_post: there is nothing to post: a secret that cannot sign, or no contacts\n");
    return 1;
  }
  const auto before = cpu_seconds();
  const auto answered = post_all(requests, chosen.posting);
  if (!answered) {
    std::fprintf(stderr, "sluice_bench_post: %s\n", answered.error().c_str());
    return 1;
  }
  print(*answered, cpu_seconds() - before);
  return 0;
}

} // namespace
} // namespace sluice::bench

int main(int argc, char** argv) {
  CLI::App app{"Posts callbacks or notifications to a node of this machine"};
  sluice::bench::options chosen;
  app.add_option("what", chosen.what, "webhook, twilio or notifications")
      ->required()
      ->check(CLI::IsMember({"webhook", "twilio", "notifications"}));
  app.add_option("--port", chosen.posting.port, "of the node, at loopback")->required();
  app.add_option("--first", chosen.range.first, "number of the first")->capture_default_str();
  app.add_option("--count", chosen.range.count, "how many")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000'000));
  app.add_option("--connections", chosen.posting.connections, "kept open, one request out on each")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000));
  app.add_option("--per-second", chosen.posting.per_second,
                 "so often, answered or not; 0: as fast as they are answered")
      ->capture_default_str();
  app.add_option("--profile", chosen.callbacks.profile, "callbacks: the profile's id");
  app.add_option("--secret", chosen.callbacks.secret, "callbacks: what signs");
  app.add_option("--url", chosen.callbacks.url, "twilio: the address that is signed");
  app.add_option("--events-each", chosen.callbacks.events_each, "callbacks: events a message")
      ->capture_default_str()
      ->check(CLI::Range(1, 100));
  app.add_option("--tenant", chosen.notifications.tenant, "notifications: whose");
  app.add_option("--route", chosen.notifications.route, "notifications: by which route");
  app.add_option("--token", chosen.notifications.token, "notifications: of the API");
  app.add_option("--contacts", chosen.contacts_file, "notifications: a file of contact points' ids");
  CLI11_PARSE(app, argc, argv);
  return sluice::bench::run(chosen);
}
