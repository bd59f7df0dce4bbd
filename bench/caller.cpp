#include "bench/caller.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

namespace sluice::bench {
namespace {

using steady = std::chrono::steady_clock;

/// One easy handle, used for one call after the other.
struct slot {
  CURL* easy = nullptr;
  std::size_t number = 0;
  steady::time_point started;
  std::size_t answer_length = 0;
  std::array<char, 256> answer{};
};

std::size_t keep_answer(const char* data, std::size_t size, std::size_t count, void* user) {
  auto& target = *static_cast<slot*>(user);
  const std::size_t kept = std::min(size * count, target.answer.size() - target.answer_length);
  std::copy_n(data, kept, target.answer.data() + target.answer_length);
  target.answer_length += kept;
  return size * count;
}

/// The value of "id" in the sink's answer, empty if there is none.
std::string_view read_id(const slot& from) {
  constexpr std::string_view name = R"("id":")";
  const std::string_view answer(from.answer.data(), from.answer_length);
  const auto found = answer.find(name);
  if (found == std::string_view::npos) {
    return {};
  }
  const auto value = answer.substr(found + name.size());
  return value.substr(0, value.find('"'));
}

class caller {
public:
  caller(const std::vector<std::string>& bodies, const caller_options& options,
         const std::function<void(std::vector<outcome>)>& hand_over)
      : bodies_(bodies), options_(options), hand_over_(hand_over), multi_(curl_multi_init()),
        headers_(curl_slist_append(nullptr, "Content-Type: application/json")),
        slots_(std::min(options.in_flight, bodies.size())) {
    curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(options.in_flight));
    curl_multi_setopt(multi_, CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_NOTHING));
    times_.reserve(bodies.size());
    for (auto& one : slots_) {
      open(one);
    }
  }

  ~caller() {
    for (auto& one : slots_) {
      curl_multi_remove_handle(multi_, one.easy);
      curl_easy_cleanup(one.easy);
    }
    curl_slist_free_all(headers_);
    curl_multi_cleanup(multi_);
  }
  caller(const caller&) = delete;
  caller& operator=(const caller&) = delete;

  std::expected<call_times, std::string> run() {
    group_.reserve(options_.group);
    for (auto& one : slots_) {
      start(one);
    }
    while (times_.size() < bodies_.size()) {
      int running = 0;
      curl_multi_perform(multi_, &running);
      if (!collect()) {
        return std::unexpected(error_);
      }
      if (times_.size() < bodies_.size()) {
        curl_multi_poll(multi_, nullptr, 0, 1'000, nullptr);
      }
    }
    return std::move(times_);
  }

private:
  void open(slot& one) {
    one.easy = curl_easy_init();
    curl_easy_setopt(one.easy, CURLOPT_URL, options_.url.c_str());
    curl_easy_setopt(one.easy, CURLOPT_POST, 1L);
    curl_easy_setopt(one.easy, CURLOPT_HTTPHEADER, headers_);
    curl_easy_setopt(one.easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    curl_easy_setopt(one.easy, CURLOPT_PROXY, "");
    curl_easy_setopt(one.easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(one.easy, CURLOPT_WRITEFUNCTION, &keep_answer);
    curl_easy_setopt(one.easy, CURLOPT_WRITEDATA, &one);
    curl_easy_setopt(one.easy, CURLOPT_PRIVATE, &one);
  }

  void start(slot& one) {
    const auto& body = bodies_[next_];
    one.number = next_++;
    one.answer_length = 0;
    curl_easy_setopt(one.easy, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
    curl_easy_setopt(one.easy, CURLOPT_POSTFIELDS, body.c_str());
    one.started = steady::now();
    curl_multi_add_handle(multi_, one.easy);
  }

  /// Takes the answers that are in and starts as many calls. Returns false at a call that failed.
  bool collect() {
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) {
        continue;
      }
      const CURLcode code = message->data.result;
      void* user = nullptr;
      curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &user);
      auto& one = *static_cast<slot*>(user);
      curl_multi_remove_handle(multi_, one.easy);
      if (!conclude(one, code)) {
        return false;
      }
      if (next_ < bodies_.size()) {
        start(one);
      }
    }
    return true;
  }

  bool conclude(const slot& one, CURLcode code) {
    long status = 0;
    curl_easy_getinfo(one.easy, CURLINFO_RESPONSE_CODE, &status);
    const auto remote_id = read_id(one);
    if (code != CURLE_OK || status != 201 || remote_id.empty()) {
      error_ = "call " + std::to_string(one.number) + " failed: " + curl_easy_strerror(code) + ", status "
               + std::to_string(status);
      return false;
    }
    const auto taken = std::chrono::duration_cast<std::chrono::microseconds>(steady::now() - one.started);
    times_.push_back(static_cast<std::uint32_t>(taken.count()));
    group_.push_back({one.number, 1, std::string(remote_id)});
    if (group_.size() == options_.group || times_.size() == bodies_.size()) {
      hand_over_(std::exchange(group_, {}));
      group_.reserve(options_.group);
    }
    return true;
  }

  const std::vector<std::string>& bodies_;
  const caller_options& options_;
  const std::function<void(std::vector<outcome>)>& hand_over_;
  CURLM* multi_;
  curl_slist* headers_;
  std::vector<slot> slots_;
  std::size_t next_ = 0;
  std::vector<outcome> group_;
  call_times times_;
  std::string error_;
};

} // namespace

std::expected<call_times, std::string> post_all(const std::vector<std::string>& bodies,
                                                const caller_options& options,
                                                const std::function<void(std::vector<outcome>)>& hand_over) {
  return caller(bodies, options, hand_over).run();
}

} // namespace sluice::bench
