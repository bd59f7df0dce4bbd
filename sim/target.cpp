#include "sim/target.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

namespace sluice::sim {

using namespace std::chrono_literals;
using core::operation;
using harness::reaction;

namespace {

/// What follows `name` in the target's own small JSON, up to `end`.
std::string_view text_after(std::string_view text, std::string_view name, char end) {
  auto at = text.find(name);
  if (at == std::string_view::npos)
    return {};
  text.remove_prefix(at + name.size());
  return text.substr(0, text.find(end));
}

std::int64_t version_in(std::string_view body) {
  constexpr std::string_view name = "\"version\":";
  auto at = body.find(name);
  std::int64_t version = 0;
  if (at != std::string_view::npos)
    std::from_chars(body.data() + at + name.size(), body.data() + body.size(), version);
  return version;
}

std::string object_in(std::string_view body) {
  return std::string{text_after(body, "\"id\":\"", '"')};
}

operation operation_of(const harness::seen_call& call) {
  if (call.method == "POST")
    return operation::create;
  if (call.method == "GET")
    return operation::lookup;
  if (call.method == "DELETE")
    return operation::remove;
  if (call.body.contains("\"active\":false"))
    return operation::deactivate;
  return call.body.contains("\"active\":true") ? operation::reactivate : operation::update;
}

constexpr std::string_view external_id = "\"external_id\":\"";
constexpr std::string_view parent = "\"parent\":\"";
constexpr core::duration lookups_lag = 20s; ///< less than anybody waits before "not found" counts

} // namespace

target::target(dice& from, faults& faults, harness::world& world, checker& checker, std::size_t number,
               harness::scripted_target& scripted)
    : dice_(from), faults_(faults), world_(world), checker_(checker), number_(number), scripted_(scripted) {
  scripted_.decide([this](const harness::seen_call& call) { return std::optional{react(call)}; });
  scripted_.watch([this](const harness::exchange& exchange) { saw(exchange); });
}

moment target::now() const {
  return {world_.clock().steady(), world_.now()};
}

void target::go_down(core::duration how_long) {
  down_until_ = world_.clock().steady() + how_long;
}

void target::forget_something() {
  const auto& objects = scripted_.objects();
  if (objects.empty())
    return;
  auto id = std::next(objects.begin(), static_cast<std::ptrdiff_t>(dice_.below(objects.size())))->first;
  scripted_.forget(id);
  checker_.object_forgotten(number_, id);
}

std::vector<seen_object> target::held() const {
  std::vector<seen_object> found;
  for (const auto& [id, object] : scripted_.objects())
    found.push_back({id, object.external_id, version_in(object.body), object.active});
  return found;
}

bool target::just_made(const std::string& source_id) const {
  auto found = made_at_.find(source_id);
  return found != made_at_.end() && world_.clock().steady() - found->second < lookups_lag;
}

bool target::refuses(const std::string& source_id) {
  if (faults_.strikes(fault::refused_for_good))
    refused_.insert(source_id);
  return refused_.contains(source_id);
}

reaction target::react(const harness::seen_call& call) {
  auto latency = dice_.between(5ms, 400ms);
  if (faults_.resting())
    return harness::serve().after(latency);
  if (world_.clock().steady() < down_until_)
    return dice_.chance(0.5) ? harness::refuse_the_connection() : harness::cut_the_call().after(latency);
  auto made = fail(call).value_or(harness::serve());
  if (made.takes == core::duration{0} && !made.hangs)
    made = made.after(faults_.strikes(fault::slow) ? dice_.between(1s, 25s) : latency);
  return made;
}

/// What may happen to any call.
std::optional<reaction> target::fail(const harness::seen_call& call) {
  constexpr const char* waits[] = {"", "5", "30", "90", "200"};
  if (faults_.strikes(fault::never_answered))
    return harness::hang();
  if (faults_.strikes(fault::cut))
    return harness::cut_the_call();
  if (faults_.strikes(fault::not_connected))
    return harness::refuse_the_connection();
  if (faults_.strikes(fault::rate_limited))
    return harness::rate_limit(dice_.pick(waits));
  if (faults_.strikes(fault::answered_500))
    return harness::answer(500);
  if (faults_.strikes(fault::answered_502))
    return harness::answer(502);
  if (faults_.strikes(fault::answered_503))
    return harness::answer(503);
  if (faults_.strikes(fault::unauthorized))
    return harness::answer(401);
  if (call.path == "/token")
    return std::nullopt;
  if (call.method == "GET") {
    auto source_id = call.path.substr(call.path.find('=') + 1);
    if (just_made(source_id) && faults_.strikes(fault::lookup_late))
      return harness::answer(200, R"({"items":[]})");
    return std::nullopt;
  }
  return fail_write(call);
}

std::optional<reaction> target::fail_write(const harness::seen_call& call) {
  auto op = operation_of(call);
  auto creates = op == operation::create;
  auto lies = [](reaction told) {
    told.request = reaction::carries::out;
    return told;
  };
  // A target that knows a key cannot refuse what it did under it.
  auto begun = creates && !call.key.empty() && scripted_.knows_key(call.key);
  auto refused = creates && !begun && refuses(std::string{text_after(call.body, external_id, '"')});
  if (refused || (!begun && faults_.strikes(fault::rejected)))
    return harness::answer(422, R"({"error":"not like this"})");
  if (faults_.strikes(fault::done_unanswered))
    return harness::serve_and_hang();
  if (faults_.strikes(fault::reply_lost))
    return harness::lose_the_reply();
  if (faults_.strikes(fault::done_500))
    return lies(harness::answer(500));
  if (creates && !begun && faults_.strikes(fault::works_on))
    return harness::work_on(dice_.between(31s, 39s));
  if (creates && faults_.strikes(fault::answer_garbled))
    return lies(harness::answer(201, "made"));
  if (op == operation::update && faults_.strikes(fault::done_rejected))
    return lies(harness::answer(422, R"({"error":"not like this"})"));
  if (op == operation::update && faults_.strikes(fault::said_gone))
    return harness::answer(404);
  return std::nullopt;
}

void target::saw(const harness::exchange& exchange) {
  auto arrived = !exchange.told || exchange.told->error != core::call_error::not_connected;
  if (!exchange.late) {
    ++calls_;
    checker_.call_started(number_, exchange.call.rule);
  }
  if (!exchange.late && arrived) {
    checker_.request_arrived(number_, now());
    if (exchange.told && exchange.told->status == 429) {
      const auto& text = exchange.told->retry_after;
      std::int64_t seconds =
          std::chrono::duration_cast<std::chrono::seconds>(world_.settings().throttle.default_block).count();
      std::from_chars(text.data(), text.data() + text.size(), seconds);
      checker_.rate_limited(number_, std::chrono::seconds{seconds}, exchange.takes, now());
    }
  }
  if (exchange.call.path != "/token")
    saw_of_record(exchange);
}

void target::saw_of_record(const harness::exchange& exchange) {
  const auto& call = exchange.call;
  record_call seen;
  seen.rule = call.rule;
  seen.op = operation_of(call);
  seen.key = call.key;
  seen.version = version_in(call.body);
  seen.late = exchange.late;
  seen.takes = exchange.takes;
  seen.done = exchange.did && exchange.did->status >= 200 && exchange.did->status < 300;
  if (exchange.told)
    seen.told = *exchange.told;
  else
    seen.told.error = core::call_error::timed_out;
  if (!exchange.told)
    seen.takes = world_.settings().calls.call_timeout;
  seen.arrived = seen.told.error != core::call_error::not_connected;
  constexpr std::string_view id = "\"id\":";
  seen.names_object = seen.told.body.contains(id);
  seen.names_more = seen.told.body.find(id) != seen.told.body.rfind(id);
  if (seen.op == operation::create) {
    seen.source_id = text_after(call.body, external_id, '"');
    if (seen.done) {
      seen.object = object_in(exchange.did->body);
      record_of_[seen.object] = seen.source_id;
      if (!exchange.late)
        made_at_[seen.source_id] = world_.clock().steady();
    }
  } else if (seen.op == operation::lookup) {
    seen.source_id = call.path.substr(call.path.find('=') + 1);
  } else {
    seen.object = call.path.substr(call.path.rfind('/') + 1);
    auto found = record_of_.find(seen.object);
    if (found == record_of_.end()) {
      checker_.never_ended("a call about " + seen.object + ", which never was");
      return;
    }
    seen.source_id = found->second;
  }
  if (auto named = record_of_.find(std::string{text_after(call.body, parent, '"')});
      named != record_of_.end())
    seen.parent = named->second;
  if (log_)
    log(seen, exchange);
  checker_.called(seen, now());
}

void target::log(const record_call& call, const harness::exchange& exchange) const {
  auto text =
      "target " + scripted_.name() + ": " + std::string{to_string(call.op)} + " \"" + call.source_id + '"';
  if (call.version > 0)
    text += " version " + std::to_string(call.version);
  if (!call.object.empty())
    text += " object " + call.object;
  text += call.late ? ", done late" : call.done ? ", done" : ", not done";
  if (exchange.told)
    text += ", told "
            + (exchange.told->status > 0 ? std::to_string(exchange.told->status)
                                         : std::string{to_string(exchange.told->error)});
  else if (!call.late)
    text += ", told nothing";
  log_(text + ", takes " + core::to_text(exchange.takes));
}

} // namespace sluice::sim
