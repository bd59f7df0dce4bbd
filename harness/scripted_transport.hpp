#pragma once

#include "core/call.hpp"
#include "core/stop_set.hpp"
#include "core/time.hpp"
#include "harness/scripted_target.hpp"
#include "providers/transport.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sluice::harness {

/// The transport of a world: its calls meet scripted targets, its time is the world's.
///
/// It keeps the limits of the real one (in flight an owner and a connection, the order of one owner's calls,
/// the call timeout, groups of answers), and answers each call once. Answers without latency come in the
/// moment of the call.
class scripted_transport final : public providers::transport {
public:
  /// The target a call is for: its connection's or, where it has none, the one at its URL.
  using find_target = std::function<scripted_target*(const core::outbound_call&)>;

  /// `gone` is told when it ends; its calls that are out are never answered.
  scripted_transport(const providers::transport_settings& settings, const core::time_source& time,
                     find_target find, answer_sink sink, std::function<void(scripted_transport&)> gone);
  ~scripted_transport() override;

  void submit(std::vector<core::outbound_call> calls) override;
  void withdraw(core::call_owner owner) override;
  void set_stop(const core::stop_target& where) override;
  void lift_stop(const core::stop_target& where) override;
  void stop_starting() override;

  /// When the next answer comes, by the steady clock.
  [[nodiscard]] std::optional<core::duration> next_due() const;
  /// Hands back what is due and starts what there is room for.
  void pump();
  [[nodiscard]] std::size_t in_flight() const noexcept { return answers_.size(); }

private:
  struct coming_answer {
    core::call_answer answer;
    core::connection_id connection{};
  };

  /// What waits and is named by `which` comes back unattempted.
  void hold_back(const std::function<bool(const core::outbound_call&)>& which);
  void start_what_fits();
  [[nodiscard]] bool fits(const core::outbound_call& call) const;
  [[nodiscard]] std::int32_t limit_of(core::call_owner owner) const noexcept;
  void start(const core::outbound_call& call);
  [[nodiscard]] std::vector<core::call_answer> take_due();
  void hand_back(std::vector<core::call_answer> answers);
  void refuse(const core::outbound_call& call, std::vector<core::call_answer>& into) const;

  providers::transport_settings settings_;
  const core::time_source& time_;
  find_target find_;
  answer_sink sink_;
  std::function<void(scripted_transport&)> gone_;
  std::deque<core::outbound_call> waiting_;
  std::multimap<core::duration, coming_answer> answers_; ///< by the steady time they come at
  std::unordered_map<core::call_owner, std::int32_t> out_of_owner_;
  std::unordered_map<core::connection_id, std::int32_t> out_of_connection_;
  core::stop_set stops_;
  bool stopped_ = false;
};

} // namespace sluice::harness
