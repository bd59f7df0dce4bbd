#pragma once

#include "core/outcome.hpp"
#include "providers/reader_pool.hpp"
#include "providers/settings_section.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers {

/// What the settings may say of an answer.
enum class answer_meaning : std::uint8_t {
  accepted,
  gone,
  rejected,
  transient,
  rate_limited,
  unauthorized,
  account, ///< refused because of the account, not the record: the connection's fault
  exists,
  unknown, ///< a create that is not repeatable may have happened; anything else is transient
};

/// What the reading of an answer must know about the operation it answers.
struct answer_context {
  core::operation op = core::operation::create;
  bool repeatable = true;
  bool has_lookup = false;

  /// Nobody knows what became of it when such a call's answer is missing.
  [[nodiscard]] bool doubtful() const noexcept { return op == core::operation::create && !repeatable; }
};

/// The rules of one operation: its own first, then the connection's, then the defaults by status.
class answer_rules {
public:
  /// Reads the "answers" objects; `own` wins over `general`.
  [[nodiscard]] static answer_rules read(settings_section own, settings_section general);

  [[nodiscard]] answer_meaning meaning(int status, std::string_view body) const;

private:
  struct body_condition {
    std::size_t pointer = 0; ///< index into the pool's pointers
    std::vector<std::string> allowed;
  };
  struct pattern {
    answer_meaning meaning = answer_meaning::rejected;
    int status_least = 0;
    int status_most = 0;
    std::vector<body_condition> body;
  };

  void read_section(settings_section& section);
  void read_pattern(answer_meaning meaning, const placed_value& entry, fault_list& faults);
  [[nodiscard]] std::vector<body_condition> read_body(settings_section body);
  [[nodiscard]] static bool fits(const pattern& candidate, const reader_pool::reading& values);

  std::vector<pattern> patterns_;
  std::vector<std::string> pointers_;
  std::shared_ptr<reader_pool> readers_; ///< none when no pattern looks into the body
  bool default_unknown_ = true;          ///< the settings did not say which statuses leave a create unknown
};

/// What a meaning is for this operation: "gone" means nothing for a create, "exists" helps only where a
/// lookup can follow, "unknown" matters only for a create that is not repeatable.
[[nodiscard]] core::outcome_kind kind_of(answer_meaning meaning, const answer_context& context) noexcept;

} // namespace sluice::providers
