#include "harness/stage.hpp"

#include <caf/exit_reason.hpp>
#include <caf/local_actor.hpp>
#include <caf/make_message.hpp>
#include <caf/message_id.hpp>
#include <caf/system_messages.hpp>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace sluice::harness {

namespace {

using caf_time = caf::actor_clock::time_point;

caf_time to_caf(core::duration steady) {
  return caf_time{std::chrono::duration_cast<caf_time::duration>(steady)};
}

caf::scheduled_actor* actor_of(caf::resumable* job) {
  return dynamic_cast<caf::scheduled_actor*>(job);
}

/// CAF prints an actor as "NUMBER@NODE", and its node is another one in every process: the number is enough.
std::string without_nodes(std::string text) {
  for (auto at = text.find('@'); at != std::string::npos; at = text.find('@', at + 1)) {
    auto is_number = at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1])) != 0;
    auto end = text.find_first_not_of("0123456789ABCDEFabcdef", at + 1);
    if (is_number && end != std::string::npos && end > at + 1 && text[end] == '#')
      text.erase(at, text.find_first_not_of("0123456789", end + 1) - at);
  }
  return text;
}

} // namespace

stage::settings::settings() {
  set("scheduler.policy", caf::atom("testing"));
}

stage::stage(virtual_clock& clock, std::size_t log_lines)
    : clock_(clock), log_(log_lines), system_(settings_),
      scheduler_(dynamic_cast<caf::scheduler::test_coordinator&>(system_.scheduler())) {
  scheduler_.clock().current_time = to_caf(clock_.steady());
}

stage::~stage() {
  clear();
}

void stage::name(const caf::abstract_actor* actor, std::string name) {
  names_[actor->id()] = std::move(name);
}

std::string stage::name_of(const caf::abstract_actor* actor) {
  if (actor == nullptr)
    return "nobody";
  if (auto found = names_.find(actor->id()); found != names_.end())
    return found->second;
  if (auto name = namer_ ? namer_(*actor) : std::string{}; !name.empty())
    return names_[actor->id()] = std::move(name);
  const auto* local = dynamic_cast<const caf::local_actor*>(actor);
  return (local != nullptr ? std::string{local->name()} : std::string{"actor"}) + " "
         + std::to_string(actor->id());
}

std::string stage::name_of(const caf::strong_actor_ptr& actor) {
  return name_of(actor_behind(actor));
}

std::string stage::short_name(const std::type_info& type) {
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  std::string name = status == 0 ? demangled.get() : type.name();
  auto begin = name.find_last_of(':', name.find('<'));
  return begin == std::string::npos ? name : name.substr(begin + 1);
}

std::string stage::text_of(const caf::type_erased_tuple& content) {
  if (content.empty())
    return "done()";
  std::string text;
  for (std::size_t i = 0; i < content.size(); ++i) {
    const auto* type = content.type(i).second;
    auto fields = without_nodes(content.stringify(i));
    text += (i > 0 ? ", " : "") + (type != nullptr ? short_name(*type) + "(" + fields + ")" : fields);
  }
  return text;
}

message_line stage::line_of(const caf::mailbox_element& element, const caf::abstract_actor* receiver) {
  return {clock_.wall(), name_of(element.sender), name_of(receiver), text_of(element.content())};
}

caf::mailbox_element* stage::next() {
  while (scheduler_.has_job()) {
    auto* receiver = actor_of(scheduler_.jobs.front());
    auto* element = receiver != nullptr ? receiver->mailbox().peek() : nullptr;
    if (element != nullptr)
      return element;
    scheduler_.run_once(); // it begins, or looks in vain for more
  }
  return nullptr;
}

bool stage::deliver_next() {
  auto* element = next();
  if (element == nullptr)
    return false;
  run_front(*actor_of(scheduler_.jobs.front()), *element);
  return true;
}

void stage::run_front(caf::scheduled_actor& receiver, caf::mailbox_element& element) {
  if (witness_)
    witness_(element, receiver);
  if (log_.keeps())
    log_.add(line_of(element, &receiver));
  scheduler_.run_once();
}

bool stage::has_job(const caf::abstract_actor* actor) const {
  return std::ranges::any_of(scheduler_.jobs, [&](caf::resumable* job) { return actor_of(job) == actor; });
}

void stage::put_first(const caf::abstract_actor* actor) {
  auto found =
      std::ranges::find_if(scheduler_.jobs, [&](caf::resumable* job) { return actor_of(job) == actor; });
  if (found != scheduler_.jobs.end())
    std::rotate(scheduler_.jobs.begin(), found, found + 1);
}

caf::mailbox_element* stage::first_for(caf::abstract_actor* receiver) {
  while (has_job(receiver)) {
    put_first(receiver);
    auto* actor = actor_of(scheduler_.jobs.front());
    auto* element = actor->mailbox().peek();
    if (element != nullptr)
      return element;
    scheduler_.run_once();
  }
  return nullptr;
}

void stage::deliver_to(caf::abstract_actor* receiver) {
  auto* element = first_for(receiver);
  run_front(*actor_of(scheduler_.jobs.front()), *element);
}

std::vector<message_line> stage::pending() {
  std::vector<message_line> lines;
  for (auto* job : scheduler_.jobs) {
    auto* receiver = actor_of(job);
    if (receiver == nullptr || receiver->mailbox().peek() == nullptr) // peeking also sorts what came in
      continue;
    receiver->mailbox().queue().peek_all(
        [&](const caf::mailbox_element& element) { lines.push_back(line_of(element, receiver)); });
  }
  return lines;
}

std::size_t stage::waiting() const {
  std::size_t count = 0;
  for (auto* job : scheduler_.jobs) {
    if (auto* receiver = actor_of(job))
      count += receiver->mailbox().size();
  }
  return count;
}

std::optional<core::duration> stage::next_timeout() const {
  const auto& schedule = scheduler_.clock().schedule();
  if (schedule.empty())
    return std::nullopt;
  return std::chrono::ceil<core::duration>(schedule.begin()->first.time_since_epoch());
}

void stage::move_to(core::duration steady) {
  clock_.move_to(steady);
  auto& caf_clock = scheduler_.clock();
  caf_clock.advance_time(std::max(to_caf(steady) - caf_clock.current_time, caf_time::duration{0}));
}

void stage::kill(const caf::strong_actor_ptr& actor) {
  auto* receiver = actor_behind(actor);
  if (receiver == nullptr)
    return;
  // Ahead of what waits: CAF's own way of sending an exit queues it behind.
  actor->enqueue(nullptr, caf::make_message_id(caf::message_priority::high),
                 caf::make_message(caf::exit_msg{receiver->address(), caf::exit_reason::kill}), nullptr);
  while (has_job(receiver)) {
    put_first(receiver);
    scheduler_.run_once();
  }
}

void stage::clear() {
  scheduler_.clock().cancel_all();
  while (scheduler_.try_run_once()) {
  }
  scheduler_.clock().cancel_all();
}

} // namespace sluice::harness
