#include "core/provider_report.hpp"
#include "tests/core/check_words.hpp"

using namespace sluice::core;

TEST_CASE("what a report is from, and where an event is on its way, have words that read back") {
  check_words(report_source::reconciliation, parse_report_source);
  check_words(event_progress::duplicate, parse_event_progress);
}
