#pragma once

#include "core/callback_outcome.hpp"
#include "core/provider_report.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// What is told of notifications: values, made by providers, by those who want something told, and by whoever
/// looks into the database.
namespace sluice::sim {

/// What a provider said to a message, by what that means in its own documentation.
enum class provider_word : std::uint8_t {
  took,
  refused_recipient,
  refused_message,
  refused_account,
  try_later,
  unclear,       ///< nothing, or nothing that says whether it was taken
  never_arrived, ///< the message did not reach it
};

/// A message as a provider saw it, or never saw it.
struct message_call {
  std::int64_t notification = 0; ///< the simulation's own number, which travels in the text
  std::size_t provider = 0;
  std::string attempt; ///< the id that travelled along; empty where the channel has no place for one
  provider_word told = provider_word::took;
  bool took = false;        ///< the truth
  bool at_once = false;     ///< it takes one message once: a second call about it is no second message
  core::duration asked{-1}; ///< the wait it asked for; below zero: none
  core::duration takes{};
};

/// What a provider tells of a message it took.
struct told_event {
  std::string key; ///< what tells it from all others in the ledger
  std::size_t provider = 0;
  std::int64_t notification = 0;
  std::string attempt;
  std::string message_id;
  bool names_attempt = false;
  bool asked_for = false; ///< the answer to a question
  std::string word;       ///< the provider's, with what makes its meaning
};

/// As they lie in the database.
struct seen_attempt {
  std::int64_t id = 0;
  std::string public_id;
  std::int64_t notification = 0;
  std::int64_t number = 0;
  std::size_t provider = 0;
  std::string state;
  std::string message_id;
  std::string told; ///< what became of the message; empty: nothing was told
};
struct seen_event {
  std::string key;
  core::event_progress progress = core::event_progress::pending;
  std::int64_t attempt = 0; ///< it is matched to
};
struct seen_notification {
  std::int64_t number = 0;
  std::string state;
  std::vector<seen_attempt> attempts;
};
struct seen_correspondence {
  std::vector<seen_notification> notifications;
  std::vector<seen_event> events;
  std::vector<std::string> refused; ///< digests of the audit
};

} // namespace sluice::sim
