#pragma once

#include "core/cursor.hpp"
#include "core/http.hpp"
#include "core/ids.hpp"
#include "core/ledger.hpp"
#include "core/outcome.hpp"
#include "core/rule.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What a simulation tells its checker: values, made by sources, targets and whoever looks into the database.
namespace sluice::sim {

/// Both clocks at one moment.
struct moment {
  core::duration steady{};
  core::timestamp wall{};
};

/// One version of a record, as its source wrote it. Numbers grow from 1 with every change of the record.
struct source_version {
  std::int64_t number = 0;
  bool live = true;
  bool complete = true; ///< it has what every mapping asks for
  bool passes = true;   ///< the filter, where the rule has one
  std::string parent;   ///< the record it depends on; empty: of a root domain
};

/// What a target is and promises.
struct target_facts {
  core::connection_id connection{};
  std::int64_t requests_per_minute = 0;
  bool honours_key = false;
  bool has_lookup = false;
};

struct rule_facts {
  core::rule_id rule{};
  std::string name;
  std::string domain;
  std::size_t target = 0; ///< which of the targets
  core::update_mode updates = core::update_mode::overwrite;
  core::delete_policy deletes = core::delete_policy::delete_record;
  bool filtered = false;
  std::optional<core::rule_id> parent; ///< of a dependent rule: whose records its own wait for
};

/// A call of a rule about a record, as the target saw it.
struct record_call {
  core::rule_id rule{};
  core::operation op = core::operation::create;
  std::string source_id;
  std::string object;       ///< the target's id: of the request's path, or made by this create
  std::int64_t version = 0; ///< its body's; 0: the body has none
  std::string parent;       ///< the record whose object the body names as its parent; empty: none
  std::string key;
  bool arrived = true;
  bool done = false; ///< the target did it
  bool late = false; ///< the word about a create that was done after its caller had given up
  core::http_answer told;
  bool names_object = false; ///< what was told can be read, and has an object's id …
  bool names_more = false;   ///< … or more than one
  core::duration takes{};
};

/// One rule's share of the database at a moment.
struct observation {
  core::rule_id rule{};
  core::delivery_cursor cursor;
  std::vector<core::candidate> records; ///< every record of its source and domain, with its ledger row
};

/// What a target holds.
struct seen_object {
  std::string id;
  std::string source_id;
  std::int64_t version = 0;
  bool active = true;
};

struct violation {
  int property = 0; ///< its number in docs/simulation.md
  std::string what;
};

} // namespace sluice::sim
