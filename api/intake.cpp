#include "api/intake.hpp"

#include "api/desk.hpp"
#include "messages/request.hpp"

#include <caf/send.hpp>

#include <utility>

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::int64_t storing_max = 2; ///< batches at the recorder: one is written, the next one is there

problem document_problem(core::document_fault fault) {
  if (fault.what == core::document_fault::kind::unfit)
    return invalid_member("records", std::move(fault.why));
  return bad_request(std::move(fault.why));
}

std::size_t size_of(std::int32_t setting) {
  return static_cast<std::size_t>(setting);
}

} // namespace

/// A post, and those it has to do with.
struct intake_state::post {
  post(std::uint64_t named, const wanted_posting& wanted, const core::batch_limits& limits, responder to)
      : number(named), records(wanted, limits), respond(std::move(to)) {}

  std::uint64_t number;
  posting records;
  responder respond;
  std::shared_ptr<body_source> body;
  std::optional<answer_writer> lines; ///< where the answer goes on as records are stored
  bool reading = false;               ///< a piece was asked for
  bool queued = false;                ///< waits for its turn
};

intake_state::intake_state(intake_actor::pointer self) : self_(self) {}

intake_state::~intake_state() = default;

intake_actor::behavior_type intake_state::behavior(intake_resources resources) {
  resources_ = std::move(resources);
  return {
      [this](take_post& message) { on_take_post(message); },
      [this](body_came& message) { on_body_came(message); },
  };
}

void intake_state::on_take_post(take_post& message) {
  if (std::cmp_greater_equal(posts_.size(), resources_.settings.streams_max)) {
    message.answer(as_response(unavailable("as many posts of records as allowed are under way: "
                                           + std::to_string(resources_.settings.streams_max)
                                           + " (intake.streams_max)")));
    return;
  }
  const auto number = ++last_number_;
  auto& opened =
      *posts_.emplace(number, std::make_unique<post>(number, message.wanted, limits(), message.answer))
           .first->second;
  open(opened, message);
  go_on(number);
}

void intake_state::open(post& opened, take_post& message) {
  opened.body = message.asked.stream;
  if (!opened.body) {
    auto document = core::read_record_document(message.asked.body, limits());
    if (document)
      opened.records.take_document(std::move(*document));
    else
      opened.records.break_off(document_problem(std::move(document.error())));
  }
  if (!message.wanted.progress)
    return;
  auto queue = std::make_shared<answer_queue>(size_of(resources_.queue_bytes_max));
  response head;
  head.content_type = "application/x-ndjson";
  head.stream = queue;
  opened.lines.emplace(std::move(queue));
  opened.respond(std::move(head));
}

core::batch_limits intake_state::limits() const {
  const auto& settings = resources_.settings;
  return {.records_max = size_of(settings.batch_records_max),
          .bytes_max = size_of(settings.batch_bytes_max),
          .line_bytes_max = size_of(settings.line_bytes_max),
          .refused_listed_max = size_of(settings.refused_listed_max)};
}

void intake_state::on_body_came(body_came& message) {
  const auto found = posts_.find(message.post);
  if (found == posts_.end())
    return;
  found->second->reading = false;
  found->second->records.take(std::move(message.piece));
  go_on(message.post);
}

/// Does what can be done of a post now.
void intake_state::go_on(std::uint64_t number) {
  const auto found = posts_.find(number);
  if (found == posts_.end())
    return;
  auto& of = *found->second;
  switch (of.records.next()) {
  case posting::step::read:
    read(of);
    break;
  case posting::step::store:
    if (!std::exchange(of.queued, true))
      ready_.push_back(number);
    store_ready();
    break;
  case posting::step::wait:
    break;
  case posting::step::over:
    answer(of);
    break;
  }
}

void intake_state::read(post& of) {
  if (std::exchange(of.reading, true))
    return;
  of.body->next([number = of.number, self = intake_actor{self_}](body_piece piece) {
    caf::anon_send(self, body_came{number, std::move(piece)});
  });
}

void intake_state::store_ready() {
  while (storing_ < storing_max && !ready_.empty()) {
    const auto number = ready_.front();
    ready_.pop_front();
    store(*posts_.at(number));
    go_on(number);
  }
}

void intake_state::store(post& of) {
  ++storing_;
  of.queued = false;
  const auto& wanted = of.records.wanted();
  auto stored = [this, number = of.number](const m::changes_recorded& answer) { on_stored(number, answer); };
  auto failed = [this, number = of.number](const caf::error& error) { on_not_stored(number, error); };
  m::request(self_, resources_.recorder, resources_.request_timeout,
             m::record_changes{wanted.source, wanted.domain, of.records.hand_out()}, stored, failed);
}

void intake_state::on_stored(std::uint64_t number, const m::changes_recorded& answer) {
  --storing_;
  auto& of = *posts_.at(number);
  of.records.stored(answer.counts);
  if (of.lines)
    of.lines->write(of.records.progress_line());
  store_ready();
  go_on(number);
}

void intake_state::on_not_stored(std::uint64_t number, const caf::error& error) {
  --storing_;
  posts_.at(number)->records.not_stored(problem_of(error));
  store_ready();
  go_on(number);
}

void intake_state::answer(post& of) {
  auto last = of.records.final_answer();
  if (of.lines)
    of.lines->write(std::move(last.body));
  else
    of.respond(std::move(last));
  posts_.erase(of.number);
}

intake_actor::behavior_type intake(intake_actor::stateful_pointer<intake_state> self,
                                   intake_resources resources) {
  return self->state.behavior(std::move(resources));
}

} // namespace sluice::api
