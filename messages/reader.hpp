#pragma once

#include "core/anchor.hpp"
#include "core/candidate_batch.hpp"
#include "core/cursor.hpp"
#include "core/ids.hpp"
#include "messages/event_reads.hpp"
#include "messages/inspection.hpp"
#include "messages/notification_reads.hpp"
#include "messages/operator_reads.hpp"
#include "messages/profile_reads.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The conversation with a reader, which only looks. A failure carries messages::fault. What a person's looks
/// ask for is in operator_reads.
namespace sluice::messages {

/// dispatcher, at its start and when the configuration moved.
struct list_routes {};

struct routes_listed {
  std::vector<core::route> routes;
  std::vector<core::rule_due> dues; ///< when something of a rule falls due next
  std::vector<core::rule_id> jobs;  ///< rules with a live one
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

/// sync_rule, for a person, and verifier: what is known of one record.
struct read_record {
  core::rule_id rule{};
  core::connection_id source{};
  std::string domain;
  std::string source_id;
};

struct record_read {
  core::candidate about;                 ///< its record is none where the mirror has it not
  std::optional<core::record_id> intent; ///< of a create that is out or whose outcome is unknown
  bool call_out = false;                 ///< a create, withdrawal or reactivation of it is out
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
  caf::replies_to<read_installation>::with<core::installation_facts>,
  caf::replies_to<take_survey>::with<survey_taken>,
  caf::replies_to<list_ambiguous>::with<ambiguous_listed>>::extend_with<event_reader>
    ::extend_with<profile_source>::extend_with<notification_reader>;
// clang-format on

template <class Inspector>
auto inspect(Inspector& f, list_routes&) {
  return f();
}

template <class Inspector>
auto inspect(Inspector& f, routes_listed& x) {
  return f(x.routes, x.dues, x.jobs);
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
  return f(x.about, x.intent, x.call_out);
}

} // namespace sluice::messages
