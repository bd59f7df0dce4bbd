#include "bench/sink_connection.hpp"

#include "bench/http_head.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <ctime>
#include <sys/socket.h>
#include <unistd.h>

namespace sluice::bench {
namespace {

constexpr std::size_t largest_request = 16U << 20U;

std::int64_t utc_now_us() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1'000;
}

void append_number(std::string& text, std::uint64_t number) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

void note_marked(std::string_view body, sink_stats& stats) {
  if (stats.mark.empty())
    return;
  const auto at = body.find(stats.mark);
  if (at != std::string_view::npos)
    stats.marked.push_back({std::string(body.substr(at, body.find('"', at) - at)), stats.last_request_us});
}

std::string marked_json(const sink_stats& stats) {
  std::string text = "{";
  for (const auto& [what, at_us] : stats.marked) {
    text += text.size() > 1 ? "," : "";
    text.append("\"").append(what).append("\":");
    append_number(text, static_cast<std::uint64_t>(at_us));
  }
  return text + "}";
}

void append_answer(std::string& text, std::string_view status, std::string_view body) {
  text += "HTTP/1.1 ";
  text += status;
  text += "\r\nContent-Type: application/json\r\nContent-Length: ";
  append_number(text, body.size());
  text += head_end;
  text += body;
}

void append_created(std::string& text, std::uint64_t number) {
  std::array<char, 40> body{R"({"id":"s)"};
  char* end = std::to_chars(body.data() + 8, body.data() + body.size(), number).ptr;
  *end++ = '"';
  *end++ = '}';
  append_answer(text, "201 Created", {body.data(), static_cast<std::size_t>(end - body.data())});
}

} // namespace

sink_connection::sink_connection(int descriptor) : descriptor_(descriptor) {}

sink_connection::~sink_connection() {
  ::close(descriptor_);
}

bool sink_connection::read(sink_stats& stats) {
  static thread_local std::array<char, 256U << 10U> buffer;
  const ssize_t got = recv(descriptor_, buffer.data(), buffer.size(), 0);
  if (got < 0) {
    return errno == EAGAIN || errno == EINTR;
  }
  if (got == 0) {
    return false;
  }
  std::string_view input(buffer.data(), static_cast<std::size_t>(got));
  if (!pending_.empty()) {
    pending_ += input;
    input = pending_;
  }
  const std::size_t used = consume(input, stats);
  if (used == std::string_view::npos || input.size() - used > largest_request) {
    return false;
  }
  if (pending_.empty()) {
    pending_.assign(input.substr(used));
  } else {
    pending_.erase(0, used);
  }
  return true;
}

std::size_t sink_connection::consume(std::string_view input, sink_stats& stats) {
  std::size_t used = 0;
  while (used < input.size()) {
    const auto rest = input.substr(used);
    const auto* end =
        static_cast<const char*>(memmem(rest.data(), rest.size(), head_end.data(), head_end.size()));
    if (end == nullptr) {
      break;
    }
    const auto head = rest.substr(0, static_cast<std::size_t>(end - rest.data()) + 2);
    const auto body = body_length(head);
    if (!body) {
      append_answer(answers_, "411 Length Required", "{}");
      flush();
      return std::string_view::npos;
    }
    const std::size_t whole = head.size() + 2 + *body;
    if (whole > rest.size()) {
      break;
    }
    answer(head, rest.substr(head.size() + 2, *body), stats);
    used += whole;
  }
  return used;
}

void sink_connection::answer(std::string_view request_line, std::string_view body, sink_stats& stats) {
  if (request_line.starts_with("GET /_stats ")) {
    std::string shown = R"({"requests":)";
    append_number(shown, stats.requests);
    shown += R"(,"first_request_us":)";
    append_number(shown, static_cast<std::uint64_t>(stats.first_request_us));
    shown += R"(,"last_request_us":)";
    append_number(shown, static_cast<std::uint64_t>(stats.last_request_us));
    append_answer(answers_, "200 OK", shown + "}");
    return;
  }
  if (request_line.starts_with("GET /_marked ")) {
    append_answer(answers_, "200 OK", marked_json(stats));
    return;
  }
  if (request_line.starts_with("GET ")) {
    append_answer(answers_, "404 Not Found", "{}");
    return;
  }
  stats.last_request_us = utc_now_us();
  if (stats.requests++ == 0) {
    stats.first_request_us = stats.last_request_us;
  }
  note_marked(body, stats);
  if (request_line.starts_with("POST ")) {
    append_created(answers_, stats.requests);
  } else {
    append_answer(answers_, "200 OK", "{}");
  }
}

bool sink_connection::flush() {
  while (!answers_.empty()) {
    const ssize_t sent = send(descriptor_, answers_.data(), answers_.size(), MSG_NOSIGNAL);
    if (sent < 0) {
      return errno == EAGAIN || errno == EINTR;
    }
    answers_.erase(0, static_cast<std::size_t>(sent));
  }
  return true;
}

} // namespace sluice::bench
