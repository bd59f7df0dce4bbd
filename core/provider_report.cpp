#include "core/provider_report.hpp"

#include "core/words.hpp"

namespace sluice::core {

namespace {

constexpr words<2> source_words{"callback", "reconciliation"};
constexpr words<4> progress_words{"pending", "unmatched", "matched", "duplicate"};
static_assert(word_of(report_source::reconciliation, source_words) == "reconciliation");
static_assert(word_of(event_progress::duplicate, progress_words) == "duplicate");

} // namespace

std::string_view to_string(report_source source) noexcept {
  return word_of(source, source_words);
}

std::optional<report_source> parse_report_source(std::string_view text) noexcept {
  return value_of<report_source>(text, source_words);
}

std::string_view to_string(event_progress progress) noexcept {
  return word_of(progress, progress_words);
}

std::optional<event_progress> parse_event_progress(std::string_view text) noexcept {
  return value_of<event_progress>(text, progress_words);
}

} // namespace sluice::core
