#pragma once

#include "core/event_delivery.hpp"
#include "core/http.hpp"
#include "core/ids.hpp"
#include "sim/history.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// What is told of events and subscriptions: values, made by sources, applications and subscribers.
namespace sluice::sim {

/// A change of a record as its source wrote it.
struct record_change {
  std::string domain;
  std::string source_id;
  source_version version;
  std::string payload;     ///< of a live version
  bool taken_back = false; ///< the record's last change was never committed
};

struct subscription_facts {
  core::subscription_id subscription{};
  std::string name;
  bool pulls = false;
  std::vector<std::string> types;
  bool filtered = false; ///< only what passes
  bool ordered = false;  ///< of one record, or of one id of an application's, one after the other
};

/// Something that happened, once.
struct written_event {
  std::string key; ///< what tells it from all others
  std::string type;
  std::string about; ///< the record, or the id in the body
  bool passes = true;
  std::string payload; ///< as published, or as the source wrote the record last
  moment written_at;
  std::int64_t losses = 0; ///< event_checker's, of all, when it was written
};

/// A push as its subscriber saw it, and what it said.
struct push_call {
  core::subscription_id subscription{};
  std::string id;
  std::string timestamp;
  std::string signature;
  std::string body;
  core::http_answer told;
  core::duration asked{-1}; ///< the wait it asked for; below zero: none
  core::duration takes{};
};

/// A delivery as it lies in the database.
struct seen_delivery {
  std::string event; ///< written_event's key
  core::delivery_state state = core::delivery_state::pending;
  std::int64_t attempts = 0;
};

[[nodiscard]] std::string change_key(std::string_view source_id, std::string_view type, std::int64_t version);
/// "v" of a record's payload.
[[nodiscard]] std::int64_t version_of(std::string_view payload);

} // namespace sluice::sim
