#pragma once

#include "config/settings.hpp"
#include "core/rule.hpp"
#include "core/time.hpp"
#include "harness/failure.hpp"
#include "harness/node_actors.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace sluice::harness {

struct world_options {
  config::settings settings = {};
  core::timestamp now =
      core::timestamp{std::chrono::sys_days{std::chrono::January / 31 / 2026} + std::chrono::hours{8}};
  bool node = true;           ///< the real actors run; without, a test spawns what it is about
  bool subscriptions = false; ///< the node fans events out and pushes them
  bool notifications = false; ///< the node sends notifications; `shape` may give it adapters
  bool callbacks = false;     ///< the node takes what providers tell, by the same adapters
  bool hints = true; ///< what the test writes is hinted to the dispatcher, as the database's watch does
  std::size_t log_lines = 40;
  std::size_t messages_max = 1'000'000; ///< one settle delivers: more is taken for a loop without an end
  std::function<void(node_parts&)> shape = {}; ///< changes what a node is made of before it starts
  failure_hook fail = {};                      ///< empty: `failure` is thrown and nobody told before
};

/// Where records are put.
struct record_place {
  std::string source = "shop";
  std::string domain = "customers";
};

struct rule_options {
  std::string source = "shop";
  std::string target = "crm";
  std::string domain = "customers";
  core::update_mode updates = core::update_mode::overwrite;
  core::delete_policy deletes = core::delete_policy::delete_record;
  std::string mapping =
      R"({"external_id":{"template":"{source_id}"},"email":{"from":"/email","required":true}})";
  std::string filter = {};
  bool active = true;
  std::string anchor_domain = {};  ///< of a dependent rule, with …
  std::string anchor_pointer = {}; ///< … where its payloads name their parent
};

} // namespace sluice::harness
