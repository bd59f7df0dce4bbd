#pragma once

#include "core/notification_record.hpp"
#include "crypto/key_ring.hpp"
#include "harness/world.hpp"
#include "messages/callback_intake.hpp"
#include "sim/dice.hpp"
#include "sim/faults.hpp"
#include "sim/notification_checker.hpp"
#include "sim/provider.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice::sim {

enum class mail_event : std::uint8_t {
  somebody_is_told,
  people_act,
  provider_goes_down,
  notifier_dies,
  reconciler_dies,
};

/// Whether the world of a seed has notifications.
[[nodiscard]] bool has_mailroom(std::uint64_t seed);
[[nodiscard]] notification_checker_settings checked_notifications(const config::settings& settings);
/// The adapters of a world's node.
[[nodiscard]] actors::adapter_maker simulated_adapters();

/// Everybody around notifications: who wants people told, providers and what they post, people who settle.
/// Their dice are their own, of the same seed.
class mailroom {
public:
  mailroom(std::uint64_t seed, harness::world& world, notification_checker& checker);
  ~mailroom() = default;
  mailroom(const mailroom&) = delete;
  mailroom& operator=(const mailroom&) = delete;

  /// Is told of everything in words.
  void log_to(std::function<void(const std::string&)> log);
  /// Accounts and routes are made; what happens from here on is told over them.
  void set_up();

  [[nodiscard]] std::vector<std::pair<core::duration, mail_event>> draw_hour(core::duration begin);
  void let_happen(mail_event what);

  /// When the next thing is posted, by the steady clock.
  [[nodiscard]] std::optional<core::duration> next_due() const;
  /// Posts what is due, and acts on what was answered.
  void pump();
  /// The node is gone: nothing of what was asked is answered any more.
  void node_died();
  /// Everybody behaves, and people settle what is ambiguous.
  void rest();
  [[nodiscard]] bool at_rest();
  void look() { checker_.observed(seen()); }
  void end() { checker_.ended(seen()); }
  /// What the database says of attempts and events, to be compared.
  [[nodiscard]] std::string state_text();

  [[nodiscard]] std::int64_t calls() const;
  [[nodiscard]] std::int64_t acts() const noexcept { return acts_; }
  [[nodiscard]] const sim::faults& its_faults() const noexcept { return faults_; }

private:
  struct route {
    core::contact_kind reaches = core::contact_kind::email;
    std::vector<std::size_t> providers;
    core::notification_route_id id{};
  };
  /// What a provider posts, until it is acknowledged.
  struct posting {
    telling of;
    bool again = false; ///< besides what is posted until it is acknowledged
  };
  struct out_posting {
    posting what;
    std::string digest;
    harness::asked<messages::callback_taken> taken;
  };
  struct asked_person {
    std::int64_t notification = 0;
    bool cancels = false;
    harness::asked<core::notification_record> answer;
  };

  void make_route(core::contact_kind reaches, std::vector<core::provider_kind> over);
  void somebody_is_told();
  [[nodiscard]] core::contact_point_id contact_for(core::contact_kind kind, std::int64_t notification);
  void kill_a_notifier();
  void get_to_work();
  void note(const std::string& what) const;

  // mailroom_postings.cpp
  void plan(const provider::message& of);
  void plan_at(core::duration at, posting what) { postings_.emplace(at, std::move(what)); }
  void post(posting what);
  void heed(out_posting& out);
  void try_again(posting what);

  // mailroom_people.cpp
  void act();
  void settle(const core::notification_record& of, bool as_accepted);
  void settle_one();
  void settle_all();
  void cancel_one();
  void lift_one();
  void heed_people();
  [[nodiscard]] std::vector<core::notification_record> in_state(core::notification_state state);
  [[nodiscard]] seen_correspondence seen();
  [[nodiscard]] std::vector<seen_event> seen_events();
  [[nodiscard]] std::string key_of(const core::kept_event& event);

  dice dice_;
  faults faults_;
  harness::world& world_;
  notification_checker& checker_;
  crypto::key_ring fingerprints_;
  std::vector<std::unique_ptr<provider>> providers_; ///< by their kinds
  std::vector<route> routes_;
  std::map<core::notification_id, std::int64_t> number_of_;
  std::multimap<core::duration, posting> postings_; ///< by the steady time they are due at
  std::vector<out_posting> out_;
  std::vector<asked_person> asked_;
  std::map<core::provider_report_id, std::string> digest_of_; ///< of answers to questions
  std::function<void(const std::string&)> log_;
  std::int64_t told_ = 0;   ///< notifications
  std::int64_t posted_ = 0; ///< tellings
  std::int64_t acts_ = 0;
};

} // namespace sluice::sim
