#pragma once

#include "core/ids.hpp"
#include "core/stop.hpp"
#include "core/stop_set.hpp"
#include "core/time.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sluice::core {

/// How many may have their turn at once; each at least 1.
struct turn_rota_limits {
  std::size_t active = 1;
  std::size_t failing = 1;
};

/// Which owners of calls (subscriptions, provider profiles) send, and when: a turn each, the one that is due
/// longest first.
///
///   (nothing known) --due--> waiting --its turn--> running --turn ended--> waiting, or nothing is known of
///   it
///
/// Those whose last call failed take turns of their own, so that any number of dead receivers holds no more
/// than their share of the places. Of one that had no turn since it became known, at a start above all,
/// whoever says that it is due may know that it failed. What a stop reaches keeps its due time and gets no
/// turn. One that has nothing due is forgotten, but for the ones known to fail. No clock: `now` is given.
template <class Id>
class turn_rota {
public:
  turn_rota() = default;
  explicit turn_rota(turn_rota_limits limits);

  struct turn {
    Id who{};
    bool failing = false;
  };

  struct turn_end {
    Id who{};
    std::optional<timestamp> next_due{}; ///< absent: nothing of it falls due
    bool failing = false;                ///< its last call failed
    std::uint64_t heard = 0;             ///< how many of the notes its turn was told of it has looked for
  };

  /// Something of it falls due. Returns whether it is running and has to be told, because that is now.
  /// `failing`: its last calls failed as far as is known elsewhere; what its turns said goes before that.
  [[nodiscard]] bool set_due(Id who, timestamp at, timestamp now, bool failing = false);
  /// Whose turn it is now; from here on they run.
  [[nodiscard]] std::vector<turn> take_ready(timestamp now);
  void end_turn(const turn_end& ended, timestamp now);

  /// No turn begins within it any more. Returns those running there.
  [[nodiscard]] std::vector<Id> set_stop(const stop_target& where);
  void lift_stop(const stop_target& where);

  /// When the next one that has room is due; absent: none, or a turn has to end first.
  [[nodiscard]] std::optional<timestamp> next_time() const;
  [[nodiscard]] bool running(Id who) const;
  [[nodiscard]] std::vector<Id> running() const;
  [[nodiscard]] std::size_t running_count() const noexcept { return running_[0] + running_[1]; }
  [[nodiscard]] std::size_t known_count() const noexcept { return entries_.size(); }

private:
  struct entry {
    std::optional<timestamp> due; ///< while it runs: what was noted meanwhile
    std::uint64_t told = 0;       ///< notes of this turn
    bool running = false;
    bool failing = false;
    bool judged = false;     ///< by a turn of its own
    bool as_failing = false; ///< the place its turn takes
  };
  using waiting_line = std::set<std::pair<timestamp, Id>>;

  [[nodiscard]] bool stopped(Id who) const { return stops_.reaches(who, {}); }
  void put_in_line(Id who, const entry& its);
  void take_out_of_line(Id who, const entry& its);
  void take_turns_of(bool failing, timestamp now, std::vector<turn>& into);

  std::array<std::size_t, 2> limits_{1, 1}; ///< by whether they fail
  std::array<std::size_t, 2> running_{};
  std::unordered_map<Id, entry> entries_;
  std::array<waiting_line, 2> lines_; ///< waiting ones that no stop reaches
  stop_set stops_;
};

extern template class turn_rota<subscription_id>;
extern template class turn_rota<provider_profile_id>;

using push_rota = turn_rota<subscription_id>;        ///< subscriptions that push
using sending_rota = turn_rota<provider_profile_id>; ///< profiles that send

} // namespace sluice::core
