#pragma once

#include "actors/alarm.hpp"
#include "actors/callback_intake.hpp"
#include "harness/mocks.hpp"
#include "messages/fault.hpp"
#include "tests/actors/scripted_adapter.hpp"
#include "tests/harness/adapter/catch_world.hpp"

#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sluice::tests {

inline constexpr const char* mailer = "01890a5d-ac96-774b-bcce-b302099a8057";
inline constexpr core::provider_profile_id mailer_id{7};

/// A ledger that remembers what it was told, and does with it what the test says.
struct ledger_script {
  using appended_promise = caf::typed_response_promise<core::reports_appended>;

  bool stalls = false; ///< batches are neither written nor refused
  std::function<std::optional<caf::error>(const messages::record_reports&)> judge = [](const auto&) {
    return std::nullopt;
  };
  std::vector<messages::record_reports> batches; ///< every one that was asked for
  std::vector<core::provider_report> reports;    ///< those written
  std::set<std::string> events;                  ///< their ids
  std::vector<core::refused_callback> refused;
  std::vector<appended_promise> waiting;
  core::reports_appended told; ///< to those that wait
  int projections = 0;         ///< times that somebody asked for one

  caf::result<core::reports_appended> append(messages::callback_recorder::pointer self,
                                             const messages::record_reports& ask) {
    batches.push_back(ask);
    if (stalls) {
      waiting.push_back(self->make_response_promise<appended_promise>());
      return waiting.back();
    }
    if (auto fault = judge(ask))
      return *fault;
    return write(ask);
  }

  core::reports_appended write(const messages::record_reports& ask) {
    core::reports_appended made;
    for (const auto& report : ask.reports) {
      reports.push_back(report);
      for (const auto& event : report.events) {
        ++made.events;
        made.duplicates += events.insert(event.event_id).second ? 0 : 1;
      }
    }
    return made;
  }

  void let_go() {
    for (auto& each : std::exchange(waiting, {}))
      each.deliver(told);
  }

  void note(const messages::record_refusals& ask) {
    refused.insert(refused.end(), ask.refused.begin(), ask.refused.end());
  }
};

inline messages::callback_recorder::behavior_type ledger(messages::callback_recorder::pointer self,
                                                         const std::shared_ptr<ledger_script>& script) {
  return {
      [self, script](const messages::record_reports& ask) { return script->append(self, ask); },
      [script](const messages::record_refusals& ask) { script->note(ask); },
      [script](const messages::project_events&) -> caf::result<core::events_projected> {
        ++script->projections;
        return core::events_projected{};
      },
      [](const messages::rebuild_batch& ask) -> caf::result<core::projections_rebuilt> {
        return core::projections_rebuilt{ask.after, true, 0, 0};
      },
      [script](const messages::prune_reports&) -> caf::result<messages::rows_removed> {
        script->let_go(); // a promise is kept by its own actor
        return messages::rows_removed{};
      },
  };
}

/// The real intake between a scripted adapter, a scripted ledger, and mocks of who has profiles and calls.
struct callback_world : catch_world {
  using settings_change = std::function<void(config::callback_settings&)>;
  using ledger_maker = std::function<messages::callback_recorder(callback_world&)>;

  explicit callback_world(
      const settings_change& change = [](auto&) {},
      const ledger_maker& make_ledger =
          [](callback_world& w) { return w.spawn("ledger", ledger, w.written); })
      : catch_world(options_with(change)), profiles(mock<messages::profile_source>("profiles")),
        courier(mock<messages::courier>("courier")) {
    profiles.on<messages::load_profile>([this](const messages::load_profile& ask) { return loaded(ask); });
    courier.accept<messages::place_calls>();
    links->courier = courier;
    links->alarm = spawn("alarm", actors::alarm, std::cref(clock()));
    links->time = &clock();
    links->settings = &settings();
    recorder = make_ledger(*this);
    intake = spawn("callback_intake", actors::callback_intake,
                   actors::callback_intake_resources{links, recorder, recorder, profiles, maker()});
    settle();
  }

  static harness::world_options options_with(const settings_change& change) {
    harness::world_options made{.node = false};
    change(made.settings.callbacks);
    return made;
  }

  actors::adapter_maker maker() {
    return [this](const core::provider_profile& of)
               -> std::expected<std::shared_ptr<const providers::notification_adapter>,
                                std::vector<std::string>> {
      script->made_for.push_back(of.public_id);
      if (of.settings != "{}")
        return std::unexpected{std::vector<std::string>{"settings: nothing is allowed here"}};
      return std::make_shared<scripted_adapter>(script);
    };
  }

  messages::profile_loaded loaded(const messages::load_profile& ask) {
    if (ask.known_version == version)
      return {version, true, std::nullopt};
    if (ask.public_id != mailer || removed)
      return {version, false, std::nullopt};
    core::provider_profile made;
    made.id = mailer_id;
    made.public_id = mailer;
    made.tenant = "acme";
    made.name = "mailer";
    made.settings = faulty ? R"({"x":1})" : "{}";
    return {version, false, made};
  }

  harness::asked<messages::callback_taken> post(std::string body, std::string profile = mailer) {
    auto asked = post_only(std::move(body), std::move(profile));
    settle();
    return asked;
  }

  /// The ledger answers what it stalled.
  void let_go(core::reports_appended told) {
    written->told = std::move(told);
    auto asked = this->ask<messages::rows_removed>(recorder, messages::prune_reports{});
    settle();
  }

  /// A report that somebody with an operator's token vouches for.
  harness::asked<messages::callback_taken> report(std::string mail) {
    messages::take_callback ask;
    ask.profile = mailer;
    ask.request.body = std::move(mail);
    ask.source = "192.0.2.1";
    ask.digest = "the digest";
    ask.vouched_for = true;
    auto asked = this->ask<messages::callback_taken>(intake, std::move(ask));
    settle();
    return asked;
  }

  /// Without waiting for what comes of it.
  harness::asked<messages::callback_taken> post_only(std::string body, std::string profile = mailer) {
    messages::take_callback ask;
    ask.profile = std::move(profile);
    ask.request.method = "POST";
    ask.request.body = std::move(body);
    ask.source = "192.0.2.1";
    ask.digest = "the digest";
    return this->ask<messages::callback_taken>(intake, std::move(ask));
  }

  /// The calls that were placed, as URLs.
  [[nodiscard]] std::vector<std::string> called() const {
    std::vector<std::string> urls;
    for (const auto& each : courier.got<messages::place_calls>())
      urls.push_back(each.calls.front().request.url);
    return urls;
  }

  /// Answers the latest call.
  void answer(int status, std::string body = {}, core::call_error error = core::call_error::none) {
    const auto call = courier.got<messages::place_calls>().back().calls.front();
    core::call_answer made;
    made.id = call.id;
    made.owner = call.owner;
    made.answer.status = status;
    made.answer.body = std::move(body);
    made.answer.error = error;
    inject(messages::calls_answered{{made}}).from(courier).to(intake);
    settle();
  }

  [[nodiscard]] std::int64_t counted(core::callback_outcome outcome) const {
    return links->metrics->callbacks(outcome).value();
  }

  std::int64_t version = 1; ///< of all profiles
  bool removed = false;
  bool faulty = false;
  std::shared_ptr<adapter_script> script = std::make_shared<adapter_script>();
  std::shared_ptr<ledger_script> written = std::make_shared<ledger_script>();
  std::shared_ptr<actors::node_links> links = std::make_shared<actors::node_links>();
  harness::mock<messages::profile_source> profiles;
  harness::mock_courier courier;
  messages::callback_recorder recorder;
  messages::callback_intake intake;
};

/// Whether it was answered so.
inline bool is(const harness::asked<messages::callback_taken>& asked, core::callback_outcome outcome) {
  return asked.answered() && asked.value().outcome == outcome;
}

} // namespace sluice::tests
