#pragma once

#include "api/http_message.hpp"
#include "api/problem.hpp"
#include "core/ids.hpp"
#include "core/incoming.hpp"
#include "core/record_batches.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::api {

/// What somebody wants to post.
struct wanted_posting {
  core::connection_id source{};
  std::string domain;
  bool skip_invalid = false; ///< refused lines are left out; else a batch with one ends the post
  bool progress = false;     ///< the answer says as it goes what is stored
};

/// One post of records on its way into the mirror: its bytes become batches, which are stored one after the
/// other, so that what is stored is always the post up to a line.
class posting {
public:
  posting(wanted_posting wanted, const core::batch_limits& limits)
      : wanted_(std::move(wanted)), batches_(limits), listed_max_(limits.refused_listed_max) {}

  posting(const posting&) = delete; ///< the batches look into the piece
  posting& operator=(const posting&) = delete;

  [[nodiscard]] const wanted_posting& wanted() const noexcept { return wanted_; }

  // reading

  void take(body_piece piece);
  void take_document(core::record_batch whole);
  /// Nothing follows, because of this; the batch that is not full is forgotten.
  void break_off(problem why);

  /// What is to be done next.
  enum class step : std::uint8_t {
    read,  ///< bytes are missing, also while a batch is being stored
    store, ///< a batch is full
    wait,  ///< for the batch that is being stored
    over,  ///< it can be answered
  };
  [[nodiscard]] step next();

  // storing

  /// The full batch, to be stored now. `stored` or `not_stored` follows.
  [[nodiscard]] std::vector<core::incoming_change> hand_out();
  void stored(const core::incoming_counts& counts);
  void not_stored(problem why);

  // answering

  /// {"stored": …, "through_line": …}, with its line end.
  [[nodiscard]] std::string progress_line() const;
  [[nodiscard]] response final_answer() const;

private:
  void sort_out(core::record_batch batch);
  void count_refused(const core::record_batch& batch);
  [[nodiscard]] nlohmann::ordered_json report() const;

  wanted_posting wanted_;
  core::record_batches batches_;
  std::size_t listed_max_;
  std::string piece_; ///< what the batches are being made of
  std::optional<core::record_batch> ready_;
  std::int64_t storing_lines_ = 0; ///< of the batch that is out
  std::int64_t storing_through_ = 0;
  bool storing_ = false;
  bool ended_ = false;
  std::optional<problem> broken_off_;

  core::incoming_counts counts_;
  std::int64_t stored_ = 0;       ///< records whose line is stored, repeated ones too
  std::int64_t through_line_ = 0; ///< every line up to this one is stored, or refused and left out
  std::int64_t refused_ = 0;
  std::vector<core::refused_line> listed_;
};

} // namespace sluice::api
