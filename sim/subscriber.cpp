#include "sim/subscriber.hpp"

#include <charconv>
#include <string_view>

namespace sluice::sim {

using namespace std::chrono_literals;
using harness::reaction;

namespace {

std::string header_of(const harness::seen_call& call, std::string_view name) {
  const auto begin = std::string{name} + ": ";
  for (const auto& line : call.headers) {
    if (line.starts_with(begin))
      return line.substr(begin.size());
  }
  return {};
}

core::duration asked_by(const core::http_answer& told) {
  std::int64_t seconds = -1;
  std::from_chars(told.retry_after.data(), told.retry_after.data() + told.retry_after.size(), seconds);
  return std::chrono::seconds{seconds};
}

} // namespace

subscriber::subscriber(dice& from, faults& faults, harness::world& world, event_checker& checker,
                       harness::scripted_target& scripted)
    : dice_(from), faults_(faults), world_(world), checker_(checker), scripted_(scripted) {
  scripted_.decide([this](const harness::seen_call&) { return std::optional{react()}; });
  scripted_.watch([this](const harness::exchange& exchange) { saw(exchange); });
}

void subscriber::go_down(core::duration how_long) {
  down_until_ = world_.clock().steady() + how_long;
}

reaction subscriber::react() {
  auto latency = dice_.between(5ms, 400ms);
  constexpr int successes[] = {200, 201, 202, 204};
  if (faults_.resting())
    return harness::answer(204).after(latency);
  if (world_.clock().steady() < down_until_)
    return dice_.chance(0.5) ? harness::refuse_the_connection() : harness::cut_the_call().after(latency);
  auto made = fail().value_or(harness::answer(dice_.pick(successes)));
  return made.hangs ? made : made.after(faults_.strikes(fault::slow) ? dice_.between(1s, 25s) : latency);
}

std::optional<reaction> subscriber::fail() {
  constexpr const char* waits[] = {"", "5", "90", "400", "100000"};
  constexpr std::pair<fault, int> statuses[] = {
      {fault::answered_408, 408}, {fault::answered_500, 500}, {fault::answered_502, 502},
      {fault::answered_503, 503}, {fault::rejected, 422},     {fault::unauthorized, 401},
      {fault::answered_410, 410},
  };
  if (faults_.strikes(fault::never_answered) || faults_.strikes(fault::done_unanswered))
    return harness::hang();
  if (faults_.strikes(fault::cut) || faults_.strikes(fault::reply_lost))
    return harness::cut_the_call();
  if (faults_.strikes(fault::not_connected))
    return harness::refuse_the_connection();
  if (faults_.strikes(fault::rate_limited))
    return harness::rate_limit(dice_.pick(waits));
  for (const auto& [what, status] : statuses) {
    if (faults_.strikes(what))
      return harness::answer(status);
  }
  return std::nullopt;
}

void subscriber::saw(const harness::exchange& exchange) {
  ++calls_;
  push_call seen;
  seen.subscription = subscription_;
  seen.id = header_of(exchange.call, "webhook-id");
  seen.timestamp = header_of(exchange.call, "webhook-timestamp");
  seen.signature = header_of(exchange.call, "webhook-signature");
  seen.body = exchange.call.body;
  seen.takes = exchange.told ? exchange.takes : world_.settings().calls.call_timeout;
  if (exchange.told)
    seen.told = *exchange.told;
  else
    seen.told.error = core::call_error::timed_out;
  seen.asked = asked_by(seen.told);
  if (log_)
    log_("subscriber " + scripted_.name() + ": event " + seen.id + " " + seen.body + ", told "
         + (seen.told.status > 0 ? std::to_string(seen.told.status) : std::string{to_string(seen.told.error)})
         + ", takes " + core::to_text(seen.takes));
  checker_.pushed(seen, {world_.clock().steady(), world_.now()});
}

} // namespace sluice::sim
