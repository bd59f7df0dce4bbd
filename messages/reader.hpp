#pragma once

#include "core/anchor.hpp"
#include "core/backfill.hpp"
#include "core/candidate_batch.hpp"
#include "core/cursor.hpp"
#include "core/ids.hpp"
#include "core/ledger_page.hpp"
#include "core/rule_state.hpp"
#include "core/stop.hpp"
#include "messages/inspection.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The conversation with a reader, which only looks. A failure carries messages::fault.
namespace sluice::messages {

/// dispatcher, at its start and when the configuration moved.
struct list_routes {};

struct routes_listed {
  std::vector<core::route> routes;
  std::vector<core::rule_due> dues; ///< when something of a rule falls due next
};

/// dispatcher, at a tick and after a hint.
struct look_for_changes {};

struct changes_seen {
  bool markers = false;
  std::int64_t configuration_version = 0;
};

/// sync_rule: a scan's next batch.
struct read_scan {
  core::scan_query query;
  core::step_kind step = core::step_kind::delta;
};

/// sync_rule: the drain's next chunk.
struct read_due {
  core::drain_query query;
};

/// sync_rule, when a chain starts: creates whose outcome is unknown, `all` after a crash or restart.
struct read_unsettled {
  core::rule_id rule{};
  bool all = false;
  std::int64_t limit = 200;
};

struct unsettled_read {
  std::vector<core::unsettled> found;
};

/// sync_rule, when a chain ends.
struct read_next_due {
  core::rule_id rule{};
};

struct next_due_read {
  std::optional<core::timestamp> at;
};

/// sync_rule, between steps: the cursor as it stands now (a backfill may have been ended or begun by a
/// person).
struct read_cursor {
  core::rule_id rule{};
};

/// throttle, when it starts.
struct load_window {
  core::connection_id connection{};
};

struct window_loaded {
  std::optional<std::string> text;
};

/// sync_rule of a dependent domain, with the parents its batch names: which of them the target holds.
struct read_anchors {
  core::rule_id parent{};
  std::vector<std::string> source_ids;
};

struct anchors_read {
  std::vector<core::anchor> anchors;
};

/// sync_rule, for a person: what is known of one record.
struct read_record {
  core::rule_id rule{};
  core::connection_id source{};
  std::string domain;
  std::string source_id;
};

struct record_read {
  core::candidate about;                 ///< its record is none where the mirror has it not
  std::optional<core::record_id> intent; ///< of a create that is out or whose outcome is unknown
};

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

/// operator API: creates that wait for a person.
struct list_ambiguous {
  core::ambiguous_page page;
};

struct ambiguous_listed {
  std::vector<core::ambiguous_row> rows;
};

// clang-format off
using reader = caf::typed_actor<
  caf::replies_to<list_routes>::with<routes_listed>,
  caf::replies_to<look_for_changes>::with<changes_seen>,
  caf::replies_to<read_scan>::with<core::scan_batch>,
  caf::replies_to<read_due>::with<core::due_batch>,
  caf::replies_to<read_unsettled>::with<unsettled_read>,
  caf::replies_to<read_next_due>::with<next_due_read>,
  caf::replies_to<read_cursor>::with<core::delivery_cursor>,
  caf::replies_to<load_window>::with<window_loaded>,
  caf::replies_to<read_anchors>::with<anchors_read>,
  caf::replies_to<read_record>::with<record_read>,
  caf::replies_to<list_live_stops>::with<stops_listed>,
  caf::replies_to<list_stops>::with<stops_listed>,
  caf::replies_to<preview_backfill>::with<core::backfill_preview>,
  caf::replies_to<read_backfill>::with<backfill_read>,
  caf::replies_to<read_health>::with<health_read>,
  caf::replies_to<list_ambiguous>::with<ambiguous_listed>>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, list_routes&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, routes_listed& x) {
  return f(x.routes, x.dues);
}

template <class Inspector>
auto inspect(Inspector& f, look_for_changes&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, changes_seen& x) {
  return f(x.markers, x.configuration_version);
}

template <class Inspector>
auto inspect(Inspector& f, read_scan& x) {
  return f(x.query, x.step);
}

template <class Inspector>
auto inspect(Inspector& f, read_due& x) {
  return f(x.query);
}

template <class Inspector>
auto inspect(Inspector& f, read_unsettled& x) {
  return f(x.rule, x.all, x.limit);
}

template <class Inspector>
auto inspect(Inspector& f, unsettled_read& x) {
  return f(x.found);
}

template <class Inspector>
auto inspect(Inspector& f, read_next_due& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, next_due_read& x) {
  return f(x.at);
}

template <class Inspector>
auto inspect(Inspector& f, read_cursor& x) {
  return f(x.rule);
}

template <class Inspector>
auto inspect(Inspector& f, load_window& x) {
  return f(x.connection);
}

template <class Inspector>
auto inspect(Inspector& f, window_loaded& x) {
  return f(x.text);
}

template <class Inspector>
auto inspect(Inspector& f, read_anchors& x) {
  return f(x.parent, x.source_ids);
}

template <class Inspector>
auto inspect(Inspector& f, anchors_read& x) {
  return f(x.anchors);
}

template <class Inspector>
auto inspect(Inspector& f, read_record& x) {
  return f(x.rule, x.source, x.domain, x.source_id);
}

template <class Inspector>
auto inspect(Inspector& f, record_read& x) {
  return f(x.about, x.intent);
}

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
auto inspect(Inspector& f, list_ambiguous& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, ambiguous_listed& x) {
  return f(x.rows);
}

} // namespace sluice::messages
