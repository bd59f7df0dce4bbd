#pragma once

#include "actors/adapter_maker.hpp"
#include "actors/callback_audit.hpp"
#include "actors/rule_links.hpp"
#include "core/certificate_cache.hpp"
#include "core/provider_report.hpp"
#include "messages/callback_intake.hpp"
#include "messages/callback_records.hpp"
#include "messages/profile_reads.hpp"
#include "providers/notification_adapter.hpp"

#include <caf/error.hpp>
#include <caf/result.hpp>
#include <caf/system_messages.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

/// The callback intake: takes what providers post, one a node.
///
///   taken --> profile --> verifying <--> certificate --> to be recorded --> recording --> answered
///                |            |              |                 |               |
///                +------------+--------------+-----------------+---------------+--> refused, or 503
///
/// 2xx means recorded: it is answered after the commit, and whatever comes later changes nothing of it. What
/// is refused goes to the audit and never to the ledger. One batch is at the recorder at a time, the rest is
/// gathered meanwhile. Many callbacks wait for one look at their profile and for one fetch of a certificate.
/// What a genuine callback wants confirmed is confirmed once it is recorded, never before it is verified.
///
/// Whatever stalls, nobody waits longer than callbacks.answer_timeout, and no more is in hand than allowed.
/// The projector is its child: it is told of new events and replaced when it dies, of which callbacks take no
/// notice. It never retries, never reads what a provider said, and keeps no callback beyond its answer but
/// for those whose batch is out.
namespace sluice::actors {

struct callback_intake_resources {
  std::shared_ptr<const node_links> node;
  messages::callback_recorder recorder;   ///< on PostgreSQL one that deliveries do not wait for
  messages::callback_recorder projecting; ///< likewise, and another than that: projecting may wait
  messages::profile_source profiles;
  adapter_maker make_adapter;
};

class callback_intake_state {
public:
  static constexpr const char* name = "callback_intake";

  explicit callback_intake_state(messages::callback_intake::pointer self)
      : self_(self), recording_(false), timer_set_(false) {}
  ~callback_intake_state(); ///< its projector ends with it
  callback_intake_state(const callback_intake_state&) = delete;
  callback_intake_state& operator=(const callback_intake_state&) = delete;

  messages::callback_intake::behavior_type behavior(callback_intake_resources resources);

  /// For whoever looks at a node from outside (the harness).
  [[nodiscard]] const messages::projector& projector_actor() const noexcept { return projector_; }

private:
  using promise = caf::typed_response_promise<messages::callback_taken>;
  using number = std::uint64_t;

  static constexpr std::uint64_t deadline_token = 1;
  static constexpr std::uint64_t projector_token = 2;

  struct callback {
    messages::take_callback asked; ///< its body is the report's once it is verified
    std::size_t bytes = 0;         ///< of its body
    promise answer;
    bool answered = false;
    bool out = false;             ///< it is in the batch that is at the recorder
    bool alone = false;           ///< the batch it was in was refused: the next it is in holds nothing else
    int fetches = 0;              ///< certificates that were waited for
    core::provider_report report; ///< once it is verified
    std::string confirm_url;
  };

  /// A profile that callbacks name.
  struct held_profile {
    std::optional<std::int64_t> version; ///< of all profiles, when it was loaded; none: it is not yet
    core::duration looked_at{};          ///< steady
    core::provider_profile_id id{};
    std::string tenant;
    std::shared_ptr<const providers::notification_adapter> adapter; ///< null: it cannot be worked with
    bool asked = false;
    std::vector<number> waiting;
  };

  struct outside_call {
    std::string url;
    std::string confirms; ///< the profile whose subscription is confirmed; empty: it fetches a certificate
  };

  caf::result<messages::callback_taken> on_take_callback(messages::take_callback& ask);
  void on_events_appended();
  caf::result<core::projections_rebuilt> on_rebuild_projections(messages::rebuild_projections& ask);
  void on_calls_answered(messages::calls_answered& told);
  void on_alarm_rang(messages::alarm_rang rang);
  void on_down(const caf::down_msg& down);

  // Callbacks and their answers: callback_intake.cpp.
  [[nodiscard]] bool has_room_for(std::size_t bytes) const;
  [[nodiscard]] callback* find(number which);
  void answer(number which, messages::callback_taken told);
  void refuse(number which, core::callback_refusal why, const held_profile& of);
  void refuse_unknown(number which, std::string why, const held_profile* of);
  void note_refusal(const callback& of, core::callback_refusal why, const held_profile* whose);
  void forget(number which);
  void plan_deadline();
  void pass_deadlines();
  void spawn_projector();

  // From its address to a verdict: callback_verification.cpp.
  void look_up(number which);
  void load(const std::string& public_id, held_profile& into);
  void on_profile(const std::string& public_id, core::duration asked_at,
                  const messages::profile_loaded& found);
  void on_profile_failed(const std::string& public_id, const caf::error& error);
  void take_over(held_profile& into, const core::provider_profile& profile);
  void judge(number which, const held_profile& of);
  void judge_report(number which, const held_profile& of);
  void genuine(number which, const held_profile& of, providers::verified_callback verified);

  // What is fetched: callback_calls.cpp.
  void want_certificate(number which, const held_profile& of, const std::string& url);
  void fetch_certificate(const std::string& url);
  void on_certificate(const std::string& url, core::http_answer& answer);
  void confirm(const std::string& profile, const std::string& url);
  void on_confirmed(const std::string& profile, const core::http_answer& answer);
  void place(std::string url, std::string confirms);

  // The ledger: callback_ledger.cpp.
  void record_next();
  [[nodiscard]] std::vector<number> next_batch();
  void on_recorded(const std::vector<number>& batch, const core::reports_appended& made);
  void on_not_recorded(const std::vector<number>& batch, const caf::error& error);

  [[nodiscard]] core::duration steady() const { return resources_.node->time->steady(); }
  [[nodiscard]] const config::callback_settings& settings() const {
    return resources_.node->settings->callbacks;
  }

  messages::callback_intake::pointer self_;
  callback_intake_resources resources_;
  std::unordered_map<number, callback> in_hand_;
  std::size_t bytes_in_hand_ = 0;
  number last_number_ = 0;
  std::deque<std::pair<core::duration, number>> deadlines_; ///< in their order
  std::unordered_map<std::string, held_profile> profiles_;  ///< those that exist, and those being asked for
  std::size_t first_looks_ = 0;                             ///< profiles being asked for that are not loaded
  core::certificate_cache certificates_;
  std::map<std::string, std::vector<number>, std::less<>> fetching_; ///< who waits, by the certificate's URL
  std::unordered_map<std::uint64_t, outside_call> calls_;
  std::uint64_t last_call_ = 0;
  std::deque<number> to_record_;
  std::optional<callback_audit> audit_;
  messages::projector projector_;
  bool recording_;
  bool timer_set_;
};

[[nodiscard]] messages::callback_intake::behavior_type
callback_intake(messages::callback_intake::stateful_pointer<callback_intake_state> self,
                callback_intake_resources resources);

} // namespace sluice::actors
