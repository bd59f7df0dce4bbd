#include "harness/reaction.hpp"

#include <utility>

namespace sluice::harness {

namespace {

core::http_answer ended_by(core::call_error error, std::string detail) {
  core::http_answer made;
  made.error = error;
  made.detail = std::move(detail);
  return made;
}

} // namespace

reaction reaction::after(core::duration latency) const {
  auto made = *this;
  made.takes = latency;
  return made;
}

reaction serve() {
  reaction made;
  made.request = reaction::carries::out;
  return made;
}

reaction answer(int status, std::string body) {
  reaction made;
  made.told.emplace();
  made.told->status = status;
  made.told->body = std::move(body);
  return made;
}

reaction rate_limit(std::string retry_after) {
  auto made = answer(429);
  made.told->retry_after = std::move(retry_after);
  return made;
}

reaction lose_the_reply() {
  auto made = cut_the_call();
  made.request = reaction::carries::out;
  return made;
}

reaction cut_the_call() {
  reaction made;
  made.told = ended_by(core::call_error::cut, "the peer ended the exchange");
  return made;
}

reaction hang() {
  reaction made;
  made.hangs = true;
  return made;
}

reaction serve_and_hang() {
  auto made = hang();
  made.request = reaction::carries::out;
  return made;
}

reaction work_on(core::duration works) {
  auto made = serve_and_hang();
  made.works = works;
  return made;
}

reaction refuse_the_connection() {
  reaction made;
  made.told = ended_by(core::call_error::not_connected, "connection refused");
  return made;
}

} // namespace sluice::harness
