#pragma once

#include "core/backfill.hpp"
#include "core/ids.hpp"
#include "core/ledger_page.hpp"
#include "core/rule_state.hpp"
#include "core/rule_survey.hpp"
#include "core/stop.hpp"
#include "core/time.hpp"
#include "messages/inspection.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What the operator API asks a reader for, beside what rules do.
namespace sluice::messages {

/// dispatcher, when it starts, and the operator API: every live stop and hold.
struct list_live_stops {};

/// operator API: a page of the history.
struct list_stops {
  core::stop_page page;
};

struct stops_listed {
  std::vector<core::delivery_stop> stops;
};

/// operator API, before a backfill is started by hand.
struct preview_backfill {
  core::rule_id rule{};
  core::timestamp until{};
  bool resend = false;
};

/// operator API: how far the rule's backfill has come and who confirmed it.
struct read_backfill {
  core::rule_id rule{};
};

struct backfill_read {
  std::optional<core::backfill_progress> progress;
  std::optional<core::backfill_confirmation> confirmation; ///< of the one in progress
  std::optional<core::backfill_confirmation> latest;       ///< into the rule's target
};

/// operator API: what every push-out rule's state follows from, or one's.
struct read_health {
  std::optional<core::rule_id> rule;
};

struct health_read {
  std::vector<core::rule_facts> rules;
  core::installation_facts installation;
};

/// API, for whoever watches the node: whether the database answers, and the dispatcher's sign of life in it.
struct read_installation {};

/// API, for its metrics: how all rules stand, and what these connections are called.
struct take_survey {
  core::health_settings health;
  std::vector<core::connection_id> connections;
};

struct survey_taken {
  core::rule_survey survey;
  std::vector<std::pair<core::connection_id, std::string>> names; ///< of those that there are
};

/// operator API: creates that wait for a person.
struct list_ambiguous {
  core::ambiguous_page page;
};

struct ambiguous_listed {
  std::vector<core::ambiguous_row> rows;
};

template <class Inspector>
auto inspect(Inspector& f, list_live_stops&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, list_stops& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, stops_listed& x) {
  return f(x.stops);
}

template <class Inspector>
auto inspect(Inspector& f, preview_backfill& x) {
  return f(x.rule, x.until, x.resend);
}

template <class Inspector>
auto inspect(Inspector& f, read_backfill& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, backfill_read& x) {
  return f(x.progress, x.confirmation, x.latest);
}

template <class Inspector>
auto inspect(Inspector& f, read_health& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, health_read& x) {
  return f(x.rules, x.installation);
}

template <class Inspector>
auto inspect(Inspector& f, read_installation&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, take_survey& x) {
  return f(x.health, x.connections);
}

template <class Inspector>
auto inspect(Inspector& f, survey_taken& x) {
  return f(x.survey, x.names);
}

template <class Inspector>
auto inspect(Inspector& f, list_ambiguous& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, ambiguous_listed& x) {
  return f(x.rows);
}

} // namespace sluice::messages
