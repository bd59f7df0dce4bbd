#include "providers/curl_handle.hpp"

#include "providers/curl_multi.hpp"
#include "providers/curl_options.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <new>
#include <utility>

namespace sluice::providers {
namespace {

/// From 1 MiB on libcurl would ask the server first (Expect: 100-continue) and lose a round trip, or a second
/// where the server does not know the question.
constexpr std::size_t expect_bytes_min = std::size_t{256} << 10;

bool is_token(std::string_view method) {
  return !method.empty()
         && std::ranges::all_of(method, [](char c) { return (c >= 'A' && c <= 'Z') || c == '-'; });
}

bool takes_body(std::string_view method) {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

} // namespace

struct curl_handle::callbacks {
  static curl_socket_t open_socket(void* self, curlsocktype, curl_sockaddr* address) {
    auto& handle = *static_cast<curl_handle*>(self);
    if (handle.guard_.verdict(address->addr) != dial_verdict::allowed) {
      handle.trace_.address_refused = true;
      return CURL_SOCKET_BAD;
    }
    handle.trace_.address_dialled = true;
    return handle.multi_.open_socket(address->family, address->socktype, address->protocol);
  }

  static int close_socket(void* multi, curl_socket_t descriptor) {
    static_cast<curl_multi*>(multi)->close_socket(descriptor);
    return 0;
  }

  static int begin(void* self, char*, char*, int, int) {
    auto& handle = *static_cast<curl_handle*>(self);
    // libcurl sends a request again by itself when a reused connection closes without an answer, and asks
    // here before each sending: a second one is refused. It might do twice what may happen once, and the
    // target would count a request that no budget was asked for.
    if (handle.trace_.request_begun)
      return CURL_PREREQFUNC_ABORT;
    // The process may have been paused since the call was handed over: a create that leaves now would arrive
    // beside the one of whoever owns its record by now.
    handle.trace_.held_back = !handle.may_start();
    handle.trace_.request_begun = !handle.trace_.held_back;
    return handle.trace_.held_back ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
  }

  static std::size_t write(char* data, std::size_t size, std::size_t count, void* self) {
    auto& handle = *static_cast<curl_handle*>(self);
    auto& body = handle.answer_.body;
    const auto bytes = size * count;
    const auto room = handle.answer_bytes_max_ - std::min(handle.answer_bytes_max_, body.size());
    body.append(data, std::min(bytes, room));
    if (bytes <= room)
      return bytes;
    handle.trace_.answer_overflowed = true;
    return 0; // ends the transfer and its connection
  }

  static std::size_t header(char* data, std::size_t size, std::size_t count, void* self) {
    auto& handle = *static_cast<curl_handle*>(self);
    const std::string_view line{data, size * count};
    return handle.header_.take(line, handle.answer_) ? line.size() : 0; // 0 ends the transfer
  }
};

curl_handle::curl_handle(const transport_settings& settings, const dial_guard& guard, curl_multi& multi,
                         const core::time_source& time)
    : guard_(guard), multi_(multi), time_(time), permit_(settings.permit),
      answer_bytes_max_(settings.answer_bytes_max), proxied_(!settings.proxy.empty()),
      easy_(curl_easy_init()) {
  if (easy_ == nullptr)
    throw std::bad_alloc{};
  set_once(settings);
}

curl_handle::~curl_handle() {
  curl_easy_cleanup(easy_);
}

bool curl_handle::may_start() const {
  return !permit_ || permit_->holds(time_.steady());
}

curl_handle& curl_handle::of(void* easy) {
  char* self = nullptr;
  curl_easy_getinfo(easy, CURLINFO_PRIVATE, &self);
  return *reinterpret_cast<curl_handle*>(self);
}

void curl_handle::set_once(const transport_settings& settings) {
  set_shared_options(easy_, settings);
  curl_easy_setopt(easy_, CURLOPT_PRIVATE, this);
  curl_easy_setopt(easy_, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy_, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy_, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy_, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  curl_easy_setopt(easy_, CURLOPT_HTTPGET, 1L);

  curl_easy_setopt(easy_, CURLOPT_OPENSOCKETFUNCTION, &callbacks::open_socket);
  curl_easy_setopt(easy_, CURLOPT_OPENSOCKETDATA, this);
  curl_easy_setopt(easy_, CURLOPT_CLOSESOCKETFUNCTION, &callbacks::close_socket);
  curl_easy_setopt(easy_, CURLOPT_CLOSESOCKETDATA,
                   &multi_); // a connection outlives the handle that opened it
  curl_easy_setopt(easy_, CURLOPT_PREREQFUNCTION, &callbacks::begin);
  curl_easy_setopt(easy_, CURLOPT_PREREQDATA, this);
  curl_easy_setopt(easy_, CURLOPT_WRITEFUNCTION, &callbacks::write);
  curl_easy_setopt(easy_, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(easy_, CURLOPT_HEADERFUNCTION, &callbacks::header);
  curl_easy_setopt(easy_, CURLOPT_HEADERDATA, this);
}

bool curl_handle::prepare(core::outbound_call call, std::shared_ptr<const header_chain> common,
                          core::timestamp wall_now, core::duration steady_now) {
  busy_ = true;
  call_ = std::move(call);
  common_ = std::move(common);
  trace_ = {};
  header_ = answer_header{call_.request.wanted_headers};
  answer_ = {};
  answer_.started_at = wall_now;
  started_steady_ = steady_now;
  if (!is_token(call_.request.method) || !common_->clean()
      || !std::ranges::all_of(call_.request.headers, is_clean_line))
    return false;
  trace_.address_refused = proxied_ && refused_behind_proxy(guard_, call_.request.url);
  if (trace_.address_refused)
    return false;
  set_body();
  set_request_line();
  set_headers();
  set_http_version();
  return true;
}

void curl_handle::set_body() {
  const auto& request = call_.request;
  auto mode = body_mode::none;
  if (request.method == "HEAD")
    mode = body_mode::head;
  else if (!request.body.empty() || takes_body(request.method))
    mode = body_mode::bytes;

  if (mode == body_mode::bytes) {
    if (mode_told_ == body_mode::head)
      curl_easy_setopt(easy_, CURLOPT_NOBODY, 0L);
    if (mode != mode_told_)
      curl_easy_setopt(easy_, CURLOPT_POST, 1L);
    curl_easy_setopt(easy_, CURLOPT_POSTFIELDS, request.body.c_str());
    curl_easy_setopt(easy_, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  } else if (mode != mode_told_) {
    curl_easy_setopt(easy_, CURLOPT_HTTPGET, 1L);
    curl_easy_setopt(easy_, CURLOPT_NOBODY, mode == body_mode::head ? 1L : 0L);
  }
  mode_told_ = mode;
}

void curl_handle::set_request_line() {
  const auto& request = call_.request;
  if (request.method != method_told_) {
    method_told_ = request.method;
    curl_easy_setopt(easy_, CURLOPT_CUSTOMREQUEST, method_told_.c_str());
  }
  if (request.url != url_told_) {
    url_told_ = request.url;
    curl_easy_setopt(easy_, CURLOPT_URL, url_told_.c_str());
  }
}

void curl_handle::set_headers() {
  auto& request = call_.request;
  nodes_.clear();
  bool has_content_type = common_->has_content_type();
  for (auto& line : request.headers) {
    nodes_.push_back({.data = line.data(), .next = nullptr});
    has_content_type = has_content_type || is_content_type(line);
  }
  // A name with nothing behind its colon keeps libcurl from adding that header by itself.
  static char no_expect[] = "Expect:";
  static char no_content_type[] = "Content-Type:";
  if (request.body.size() >= expect_bytes_min)
    nodes_.push_back({.data = no_expect, .next = nullptr});
  if (!has_content_type && mode_told_ == body_mode::bytes)
    nodes_.push_back({.data = no_content_type, .next = nullptr});
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    nodes_[i].next = i + 1 < nodes_.size() ? &nodes_[i + 1] : common_->first();
  curl_easy_setopt(easy_, CURLOPT_HTTPHEADER, nodes_.empty() ? common_->first() : nodes_.data());
}

void curl_handle::set_http_version() {
  if (call_.request.http2 == http2_told_)
    return;
  http2_told_ = call_.request.http2;
  curl_easy_setopt(easy_, CURLOPT_HTTP_VERSION,
                   static_cast<long>(http2_told_ ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1));
}

core::call_answer curl_handle::conclude(int code, core::timestamp wall_now, core::duration steady_now) {
  long status = 0;
  curl_easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
  answer_.status = status >= 200 ? static_cast<int>(status) : 0; // 1xx announces an answer, it is none
  trace_.header_whole = header_.whole();
  answer_.error = judge(code, trace_);
  if (answer_.error != core::call_error::none)
    answer_.detail = describe(answer_.error, code);
  answer_.ended_at = wall_now;
  answer_.took = steady_now - started_steady_;
  core::call_answer result{.id = call_.id, .owner = call_.owner, .answer = std::move(answer_)};
  call_ = {};
  common_.reset();
  busy_ = false;
  return result;
}

} // namespace sluice::providers
