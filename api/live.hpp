#pragma once

#include "api/live_picture.hpp"
#include "api/open_page.hpp"
#include "config/settings.hpp"
#include "messages/overview.hpp"
#include "messages/reader.hpp"
#include "messages/request.hpp"

#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// The live view: tells open pages what changes about delivery.
///
/// The desk hands pages over. While there are any, it looks at the node's state once in a while, whatever
/// their number, and tells each scope of tenants what changed of what it may see. A page begins with a whole
/// picture; one that reads too slowly is cut, and so is one that is old, for whoever comes again shows their
/// token again.
///
///   at rest --first page--> looking --> telling --> pause --> looking --> … --last page gone--> at rest
///
/// It keeps the last picture and nothing that was told: nobody is told twice.
namespace sluice::api {

struct live_resources {
  messages::reader reader;
  messages::overview overview;
  const core::time_source* time = nullptr;
  core::health_settings health;
  config::live_settings settings;
  std::int32_t queue_bytes_max = 0; ///< of an answer that comes in pieces
  core::duration request_timeout{};
};

class live_state {
public:
  static constexpr const char* name = "live";

  explicit live_state(live_actor::pointer self) : self_(self) {}

  live_actor::behavior_type behavior(live_resources resources);

private:
  struct page {
    answer_writer out;
    core::duration opened_at{}; ///< steady
    bool told = false;          ///< it has the picture
  };
  /// Pages that see the same.
  struct audience {
    core::tenant_scope tenants;
    std::optional<seen_names> called;
    std::int64_t names_version = -1; ///< of what they are called
    std::string state;               ///< as it was told last
    std::vector<page> pages;
  };

  void on_open_page(open_page& message);
  void on_look_again();

  void look();
  void read_names(std::int64_t version);
  void read_health();
  void read_stops();
  void read_backfill();
  void conclude();
  void pause();
  void tell(audience& them, const live_changes& changes);
  void show(audience& them, const live_picture& picture);
  [[nodiscard]] const seen_names& names_of(audience& them);
  void let_old_pages_go();
  [[nodiscard]] std::int64_t pages() const;

  /// Goes on with what an actor answers; what fails is looked at again after a pause.
  template <class Answer, class Whom, class Question>
  void ask(const Whom& whom, Question question, std::function<void(Answer&)> then) {
    auto answered = [then = std::move(then)](Answer& given) { then(given); };
    auto failed = [this](const caf::error&) { pause(); };
    messages::request(self_, whom, resources_.request_timeout, std::move(question), answered, failed);
  }

  live_actor::pointer self_;
  live_resources resources_;
  std::vector<audience> audiences_;
  messages::names_listed names_;
  std::int64_t names_version_ = -1; ///< of the configuration they were read with
  std::optional<live_picture> picture_;
  live_picture next_; ///< being looked at
  core::rule_id backfill_looked_at_{};
  core::duration began_{};   ///< steady: the latest look
  core::duration beat_at_{}; ///< steady: the latest sign of life
  bool looking_ = false;
  bool pausing_ = false;
};

[[nodiscard]] live_actor::behavior_type live(live_actor::stateful_pointer<live_state> self,
                                             live_resources resources);

} // namespace sluice::api
