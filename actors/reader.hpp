#pragma once

#include "actors/reply.hpp"
#include "crypto/key_ring.hpp"
#include "messages/reader.hpp"
#include "storage/session.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

/// A reader: looks things up for rules, throttles, the dispatcher and people, on a thread and a session of
/// its own.
///
/// A node has a few; a rule always asks the same one. It writes nothing, asks nobody and keeps nothing
/// between two questions. A lost session is opened again by the next question.
namespace sluice::actors {

struct reader_resources {
  std::shared_ptr<storage::session> db;
  std::shared_ptr<const crypto::key_ring> keys;
  const core::time_source* time = nullptr;
};

/// Answers a request with what `look` finds, on a session opened anew when the first was lost.
template <class Look>
auto with_session(storage::session& db, Look look) {
  auto answer = look(db);
  if (!answer && answer.error().code == storage::error::unavailable && db.reopen())
    answer = look(db);
  return reply(std::move(answer));
}

class reader_state {
public:
  static constexpr const char* name = "reader";

  explicit reader_state(messages::reader::pointer) {}

  messages::reader::behavior_type behavior(reader_resources resources);

private:
  caf::result<messages::routes_listed> on_list_routes();
  caf::result<messages::changes_seen> on_look_for_changes();
  caf::result<core::scan_batch> on_read_scan(const messages::read_scan& ask);
  caf::result<core::due_batch> on_read_due(const messages::read_due& ask);
  caf::result<messages::unsettled_read> on_read_unsettled(const messages::read_unsettled& ask);
  caf::result<messages::next_due_read> on_read_next_due(const messages::read_next_due& ask);
  caf::result<core::delivery_cursor> on_read_cursor(const messages::read_cursor& ask);
  caf::result<messages::window_loaded> on_load_window(const messages::load_window& ask);
  caf::result<messages::anchors_read> on_read_anchors(const messages::read_anchors& ask);
  caf::result<messages::record_read> on_read_record(const messages::read_record& ask);
  caf::result<messages::stops_listed> on_list_live_stops();
  caf::result<messages::stops_listed> on_list_stops(const messages::list_stops& ask);
  caf::result<core::backfill_preview> on_preview_backfill(const messages::preview_backfill& ask);
  caf::result<messages::backfill_read> on_read_backfill(const messages::read_backfill& ask);
  caf::result<messages::health_read> on_read_health(const messages::read_health& ask);
  caf::result<core::installation_facts> on_read_installation();
  caf::result<messages::survey_taken> on_take_survey(const messages::take_survey& ask);
  caf::result<messages::ambiguous_listed> on_list_ambiguous(const messages::list_ambiguous& ask);
  caf::result<messages::fan_out_read> on_read_fan_out(const messages::read_fan_out& ask);
  caf::result<messages::subscription_loaded> on_load_subscription(const messages::load_subscription& ask);
  caf::result<messages::push_dues_listed> on_list_push_dues();
  caf::result<messages::profile_loaded> on_load_profile(const messages::load_profile& ask);
  caf::result<messages::notification_dues_listed> on_list_notification_dues();
  caf::result<messages::profile_opened> on_open_profile(const messages::open_profile& ask);
  caf::result<messages::due_targets_listed> on_list_due_targets(const messages::list_due_targets& ask);
  caf::result<messages::rules_of_due_creates> on_list_rules_of_due_creates();
  caf::result<messages::living_profiles_listed> on_list_living_profiles();

  template <class Look>
  auto with_session(Look look) {
    return actors::with_session(*resources_.db, std::move(look));
  }

  reader_resources resources_;
};

/// What was found, as the message that carries it.
template <class Answer, class T>
[[nodiscard]] storage::result<Answer> carried(storage::result<T> found) {
  if (!found)
    return std::unexpected{std::move(found.error())};
  return Answer{std::move(*found)};
}

/// What was looked for by its public id, or that it is not there.
template <class T>
[[nodiscard]] storage::result<T> found(storage::result<std::optional<T>> looked, const std::string& kind,
                                       const std::string& public_id) {
  if (!looked)
    return std::unexpected{std::move(looked.error())};
  if (!*looked)
    return std::unexpected{
        storage::failure{storage::error::not_found, "there is no " + kind + " \"" + public_id + '"'}};
  return std::move(**looked);
}

[[nodiscard]] messages::reader::behavior_type reader(messages::reader::stateful_pointer<reader_state> self,
                                                     reader_resources resources);

} // namespace sluice::actors
