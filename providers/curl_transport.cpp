#include "providers/curl_transport.hpp"

#include "providers/exchange_trace.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <pthread.h>
#include <utility>

namespace sluice::providers {
namespace {

/// Calls started in one go: the asker waits for the lock no longer than this takes.
constexpr int starts_at_once = 64;

void initialise_libcurl() {
  static const CURLcode done = curl_global_init(CURL_GLOBAL_ALL);
  static_cast<void>(done);
}

transport_settings ready(const transport_settings& settings) {
  initialise_libcurl();
  return settings;
}

} // namespace

curl_transport::curl_transport(const transport_settings& settings, const core::time_source& time,
                               answer_sink sink)
    : settings_(ready(settings)), time_(time), guard_(settings.allowed_networks),
      queue_({.rule = settings.max_in_flight_rule,
              .subscription = settings.max_in_flight_subscription,
              .profile = settings.max_in_flight_profile,
              .connection = settings.max_in_flight_connection,
              .total = settings.max_in_flight_total}),
      multi_(std::max(settings.max_in_flight_total, 1)),
      mail_(settings_, guard_, time_, [this] { multi_.wake(); }),
      group_(settings.answer_group_max, settings.answer_group_age_max, std::move(sink)),
      thread_([this] { run(); }) {}

curl_transport::~curl_transport() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    ending_ = true;
    hold_back(queue_.withdraw_all());
    announce();
  }
  thread_.join();
}

void curl_transport::submit(std::vector<core::outbound_call> calls) {
  const std::lock_guard lock(mutex_);
  for (auto& call : calls) {
    if (stopped_ || stops_.reaches(call.owner, call.connection))
      hold_back(call);
    else
      queue_.push(std::move(call));
  }
  show_queue();
  if (queue_.can_start() || !held_back_.empty())
    announce();
}

void curl_transport::withdraw(core::call_owner owner) {
  const std::lock_guard lock(mutex_);
  hold_back(queue_.withdraw(owner));
  announce();
}

void curl_transport::set_stop(const core::stop_target& where) {
  const std::lock_guard lock(mutex_);
  stops_.add(where);
  hold_back(queue_.withdraw_within(where));
  announce();
}

void curl_transport::lift_stop(const core::stop_target& where) {
  const std::lock_guard lock(mutex_);
  stops_.remove(where);
}

void curl_transport::stop_starting() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  hold_back(queue_.withdraw_all());
  announce();
}

void curl_transport::hold_back(const std::vector<core::outbound_call>& calls) {
  for (const auto& call : calls)
    hold_back(call);
}

void curl_transport::hold_back(const core::outbound_call& call) {
  held_back_.push_back({.id = call.id, .owner = call.owner});
}

/// The order matters: the thread says that it sleeps, then looks for news; here it is the other way round.
void curl_transport::announce() {
  news_.store(true);
  if (sleeping_.exchange(false))
    multi_.wake();
}

void curl_transport::run() {
  ::pthread_setname_np(::pthread_self(), "sluice.calls");
  for (;;) {
    if (start_what_may())
      break;
    answer_unsent();
    group_.hand_over_if_old(time_.steady());
    if (nothing_waits_ || idle_.size() == handles_.size())
      group_.hand_over(); // an asker may be holding its next calls back until it hears of these
    sleeping_.store(true);
    multi_.wait(news_.load() ? core::duration::zero() : patience());
    sleeping_.store(false);
    multi_.act();
    collect_finished();
  }
  give_up_in_flight();
  do { // a sink that submits from within is answered too
    answer_unsent();
    group_.hand_over();
    static_cast<void>(start_what_may());
  } while (!unattempted_.empty());
}

bool curl_transport::start_what_may() {
  const std::lock_guard lock(mutex_);
  for (const auto& slot : freed_)
    queue_.finish(slot.owner, slot.connection);
  freed_.clear();
  for (int started = 0; started < starts_at_once; ++started) {
    if (settings_.permit && !settings_.permit->holds(time_.steady())) {
      stopped_ = true;
      hold_back(queue_.withdraw_all());
    }
    auto call = queue_.take();
    if (!call)
      break;
    start(std::move(*call));
  }
  news_.store(queue_.can_start());
  nothing_waits_ = queue_.waiting() == 0;
  show_queue();
  std::swap(held_back_, unattempted_);
  return ending_;
}

void curl_transport::start(core::outbound_call call) {
  if (call.request.mail) {
    mail_.send(std::move(call));
    return;
  }
  auto& handle = idle_handle();
  auto common = chains_.of(call.request.common_headers);
  const bool http = handle.prepare(std::move(call), std::move(common), time_.wall(), time_.steady());
  if (http && multi_.add(handle.easy()))
    return;
  queue_.finish(handle.owner(), handle.connection());
  unsent_.push_back(conclude(handle, CURLE_FAILED_INIT));
}

void curl_transport::answer_unsent() {
  const auto now = time_.steady();
  for (auto& answer : std::exchange(unsent_, {}))
    group_.add(std::move(answer), now);
  if (unattempted_.empty())
    return;
  const auto wall_now = time_.wall();
  for (const auto& call : std::exchange(unattempted_, {})) {
    core::call_answer answer{.id = call.id, .owner = call.owner, .answer = {}};
    answer.answer.error = core::call_error::unattempted;
    answer.answer.detail = describe(core::call_error::unattempted, CURLE_OK);
    answer.answer.started_at = wall_now;
    answer.answer.ended_at = wall_now;
    group_.add(std::move(answer), now);
  }
}

void curl_transport::collect_finished() {
  while (const auto finished = multi_.next_finished()) {
    auto& handle = curl_handle::of(finished->easy);
    multi_.remove(finished->easy);
    freed_.push_back({.owner = handle.owner(), .connection = handle.connection()});
    group_.add(conclude(handle, finished->code), time_.steady());
  }
  collect_mail();
}

void curl_transport::collect_mail() {
  for (auto& sent : mail_.collect()) {
    freed_.push_back({.owner = sent.answer.owner, .connection = sent.connection});
    count(sent.answer.answer);
    group_.add(std::move(sent.answer), time_.steady());
  }
}

core::call_answer curl_transport::conclude(curl_handle& handle, int code) {
  idle_.push_back(&handle);
  auto answer = handle.conclude(code, time_.wall(), time_.steady());
  count(answer.answer);
  return answer;
}

void curl_transport::count(const core::http_answer& answer) {
  settings_.metrics->calls(answer.error).add();
  settings_.metrics->call_duration.observe(telemetry::seconds(answer.took));
}

void curl_transport::show_queue() {
  settings_.metrics->calls_in_flight.set(queue_.in_flight());
  settings_.metrics->calls_waiting.set(static_cast<double>(queue_.waiting()));
}

void curl_transport::give_up_in_flight() {
  for (const auto& handle : handles_) {
    if (!handle->busy())
      continue;
    multi_.remove(handle->easy());
    group_.add(conclude(*handle, CURLE_ABORTED_BY_CALLBACK), time_.steady());
  }
  mail_.give_up();
  collect_mail();
}

curl_handle& curl_transport::idle_handle() {
  if (idle_.empty()) {
    handles_.push_back(std::make_unique<curl_handle>(settings_, guard_, multi_, time_));
    return *handles_.back();
  }
  auto& handle = *idle_.back();
  idle_.pop_back();
  return handle;
}

core::duration curl_transport::patience() const {
  return group_.empty() ? core::duration::max() : group_.time_left(time_.steady());
}

std::unique_ptr<transport> make_curl_transport(const transport_settings& settings,
                                               const core::time_source& time, transport::answer_sink sink) {
  return std::make_unique<curl_transport>(settings, time, std::move(sink));
}

} // namespace sluice::providers
