#include "api/posting.hpp"

#include "api/json_body.hpp"

#include <iterator>
#include <utility>

namespace sluice::api {

using json = nlohmann::ordered_json;

namespace {

problem records_refused(std::int64_t refused) {
  return {422,
          "records_refused",
          "Records cannot be taken.",
          std::to_string(refused) + (refused == 1 ? " line" : " lines")
              + " of the batch behind through_line cannot be taken, so nothing of the batch is stored; "
                "skip_invalid=true leaves such lines out",
          {},
          {}};
}

} // namespace

void posting::take(body_piece piece) {
  switch (piece.what) {
  case body_piece::kind::bytes:
    piece_ = std::move(piece.bytes);
    batches_.feed(piece_);
    break;
  case body_piece::kind::end:
    batches_.end();
    ended_ = true;
    break;
  case body_piece::kind::cut:
    break_off(bad_request(piece.bytes));
    break;
  case body_piece::kind::closing:
    break_off(unavailable("the node ends; send what lies behind through_line again"));
    break;
  }
}

void posting::take_document(core::record_batch whole) {
  ended_ = true;
  sort_out(std::move(whole));
}

void posting::break_off(problem why) {
  if (!broken_off_)
    broken_off_ = std::move(why);
  ready_.reset();
}

posting::step posting::next() {
  core::record_batch batch;
  while (!ready_ && !broken_off_ && batches_.next(batch))
    sort_out(std::move(batch));
  if (ready_)
    return storing_ ? step::wait : step::store;
  if (!ended_ && !broken_off_)
    return step::read;
  return storing_ ? step::wait : step::over;
}

/// A batch is stored whole, without its refused lines, or not at all.
void posting::sort_out(core::record_batch batch) {
  count_refused(batch);
  if (batch.refused > 0 && !wanted_.skip_invalid)
    break_off(records_refused(batch.refused));
  else
    ready_ = std::move(batch);
}

void posting::count_refused(const core::record_batch& batch) {
  refused_ += batch.refused;
  for (const auto& each : batch.listed) {
    if (listed_.size() < listed_max_)
      listed_.push_back(each);
  }
}

std::vector<core::incoming_change> posting::hand_out() {
  auto batch = std::move(*std::exchange(ready_, std::nullopt));
  storing_ = true;
  storing_lines_ = std::ssize(batch.changes);
  storing_through_ = batch.last_line;
  return std::move(batch.changes);
}

void posting::stored(const core::incoming_counts& counts) {
  storing_ = false;
  counts_ += counts;
  stored_ += storing_lines_;
  through_line_ = storing_through_;
}

void posting::not_stored(problem why) {
  storing_ = false;
  break_off(std::move(why));
}

std::string posting::progress_line() const {
  return json{{"stored", stored_}, {"through_line", through_line_}}.dump() + "\n";
}

response posting::final_answer() const {
  if (!broken_off_)
    return json_response(report());
  auto why = *broken_off_;
  why.members.update(report());
  return as_response(why);
}

json posting::report() const {
  auto refused = json::array();
  for (const auto& each : listed_)
    refused.push_back({{"line", each.line}, {"reason", each.reason}});
  const auto distinct = counts_.inserted + counts_.changed + counts_.unchanged + counts_.restored
                        + counts_.deleted + counts_.not_there;
  return {
      {"stored", stored_},          {"through_line", through_line_},      {"inserted", counts_.inserted},
      {"changed", counts_.changed}, {"unchanged", counts_.unchanged},     {"restored", counts_.restored},
      {"deleted", counts_.deleted}, {"not_there", counts_.not_there},     {"repeated", stored_ - distinct},
      {"refused", refused_},        {"refused_lines", std::move(refused)}};
}

} // namespace sluice::api
