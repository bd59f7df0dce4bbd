#pragma once

#include "core/call.hpp"
#include "core/time.hpp"
#include "providers/transport.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sluice::tests {

class system_time final : public core::time_source {
public:
  [[nodiscard]] core::timestamp wall() const override {
    return std::chrono::time_point_cast<core::duration>(std::chrono::system_clock::now());
  }
  [[nodiscard]] core::duration steady() const override {
    return std::chrono::duration_cast<core::duration>(std::chrono::steady_clock::now().time_since_epoch());
  }
};

/// Settings for tests: loopback may be dialled.
[[nodiscard]] inline providers::transport_settings loopback_settings() {
  providers::transport_settings settings;
  settings.allowed_networks = {"127.0.0.0/8"};
  return settings;
}

[[nodiscard]] inline core::http_request make_request(std::string method, std::string url,
                                                     std::string body = {}) {
  core::http_request request;
  request.method = std::move(method);
  request.url = std::move(url);
  request.body = std::move(body);
  return request;
}

/// A transport and what its sink was given.
class transport_world {
public:
  explicit transport_world(const providers::transport_settings& settings = loopback_settings(),
                           std::shared_ptr<const core::time_source> time = std::make_shared<system_time>())
      : time_(std::move(time)),
        transport_(providers::make_curl_transport(
            settings, *time_, [this](std::vector<core::call_answer> answers) { take(std::move(answers)); })) {
  }

  [[nodiscard]] providers::transport& transport() { return *transport_; }
  void destroy_transport() { transport_.reset(); }

  [[nodiscard]] core::outbound_call make_call(core::http_request request, std::int64_t rule = 1,
                                              std::int64_t connection = 1) {
    core::outbound_call call;
    call.id.value = ++last_id_;
    call.owner = core::rule_id{rule};
    call.connection.value = connection;
    call.request = std::move(request);
    return call;
  }

  void submit(core::http_request request, std::int64_t rule = 1, std::int64_t connection = 1) {
    std::vector<core::outbound_call> calls;
    calls.push_back(make_call(std::move(request), rule, connection));
    transport_->submit(std::move(calls));
  }

  /// The answers so far, in their order, once there are this many; fewer after twenty seconds.
  [[nodiscard]] std::vector<core::call_answer> answers(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds{20}, [&] { return answers_.size() >= count; });
    return answers_;
  }

  /// One call, alone, to its answer.
  [[nodiscard]] core::http_answer call(core::http_request request) {
    const auto before = answers(0).size();
    submit(std::move(request));
    const auto all = answers(before + 1);
    return all.size() > before ? all.back().answer : no_answer();
  }

  [[nodiscard]] std::vector<std::size_t> group_sizes() {
    const std::lock_guard lock(mutex_);
    return group_sizes_;
  }

private:
  [[nodiscard]] static core::http_answer no_answer() {
    core::http_answer answer;
    answer.detail = "no answer in twenty seconds";
    return answer;
  }

  void take(std::vector<core::call_answer> answers) {
    const std::lock_guard lock(mutex_);
    group_sizes_.push_back(answers.size());
    for (auto& answer : answers)
      answers_.push_back(std::move(answer));
    changed_.notify_all();
  }

  std::shared_ptr<const core::time_source> time_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<core::call_answer> answers_;
  std::vector<std::size_t> group_sizes_;
  std::uint64_t last_id_ = 0;
  std::unique_ptr<providers::transport> transport_;
};

} // namespace sluice::tests
