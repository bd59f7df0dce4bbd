#include "harness/node_actors.hpp"

#include "actors/alarm.hpp"
#include "actors/breaker.hpp"
#include "actors/callback_intake.hpp"
#include "actors/courier.hpp"
#include "actors/dispatcher.hpp"
#include "actors/notification_dispatcher.hpp"
#include "actors/push_dispatcher.hpp"
#include "actors/reader.hpp"
#include "actors/recorder.hpp"

#include <string>
#include <utility>

namespace sluice::harness {

providers::transport_settings transport_settings_of(const config::settings& settings) {
  const auto& calls = settings.calls;
  providers::transport_settings made;
  made.max_in_flight_rule = calls.max_in_flight;
  made.max_in_flight_subscription = settings.subscriptions.max_in_flight;
  made.max_in_flight_profile = settings.notifications.max_in_flight;
  made.max_in_flight_connection = calls.max_in_flight_connection;
  made.max_in_flight_total = calls.max_in_flight_node;
  made.call_timeout = calls.call_timeout;
  return made;
}

namespace {

actors::adapter_maker adapters_of(const node_parts& parts) {
  if (parts.make_adapter)
    return parts.make_adapter;
  return [](const core::provider_profile& of) { return providers::make_notification_adapter(of, {}); };
}

} // namespace

node_actors spawn_node(stage& on, node_parts parts) {
  auto& system = on.system();
  node_actors node;
  auto named = [&on](auto actor, std::string name) {
    on.name(actor_behind(actor), std::move(name));
    return actor;
  };
  for (std::size_t i = 0; i < parts.readers.size(); ++i) {
    auto reader =
        system.spawn(actors::reader, actors::reader_resources{parts.readers[i], parts.keys, parts.time});
    node.readers.push_back(named(std::move(reader), "reader " + std::to_string(i + 1)));
  }
  auto& links = *node.links;
  links.time = parts.time;
  links.settings = parts.settings;
  const auto& settings = *parts.settings;
  links.recorder =
      named(system.spawn(actors::recorder,
                         actors::recorder_resources{
                             parts.writer, parts.keys, parts.time, parts.fence, settings.node.lease_length,
                             static_cast<std::size_t>(settings.database.group_rows_max), links.metrics}),
            "recorder");
  links.alarm = named(system.spawn(actors::alarm, std::cref(*parts.time)), "alarm");
  links.breaker =
      named(system.spawn(actors::breaker, actors::breaker_resources{links.recorder, parts.time,
                                                                    parts.settings, links.metrics}),
            "breaker");
  links.courier =
      named(system.spawn(actors::courier,
                         actors::courier_resources{std::move(parts.make_transport), links.metrics}),
            "courier");
  if (parts.callbacks) {
    node.callbacks =
        named(system.spawn(actors::callback_intake,
                           actors::callback_intake_resources{node.links, links.recorder, links.recorder,
                                                             node.readers.back(), adapters_of(parts)}),
              "callback_intake");
    parts.projections = node.callbacks;
  }
  if (parts.subscriptions) {
    node.pushes = named(system.spawn(actors::push_dispatcher,
                                     actors::push_dispatcher_resources{node.links, node.readers.back()}),
                        "push_dispatcher");
  }
  if (parts.notifications) {
    node.notifications =
        named(system.spawn(actors::notification_dispatcher,
                           actors::notification_dispatcher_resources{node.links, node.readers.back(),
                                                                     parts.projections, parts.make_adapter}),
              "notification_dispatcher");
  }
  actors::dispatcher_resources for_dispatcher{node.links, node.readers, node.pushes, std::move(parts.unfit)};
  for_dispatcher.notifications = node.notifications;
  node.dispatcher = named(system.spawn(actors::dispatcher, std::move(for_dispatcher)), "dispatcher");
  return node;
}

void kill_node(stage& on, node_actors& node) {
  if (!node.living())
    return;
  auto kill = [&on](const auto& actor) { on.kill(caf::actor_cast<caf::strong_actor_ptr>(actor)); };
  kill(node.links->recorder);
  kill(node.links->courier);
  kill(node.dispatcher); // its rules, throttles and token keepers end with it
  if (node.pushes)
    kill(node.pushes); // … and so do fan-out, the replayer and the subscriptions
  if (node.notifications)
    kill(node.notifications); // … and so do notifiers and the reconciler
  if (node.callbacks)
    kill(node.callbacks); // … and so does the projector
  kill(node.links->breaker);
  kill(node.links->alarm);
  for (const auto& reader : node.readers)
    kill(reader);
  on.clear(); // until here its rules use the links
  *node.links = {};
  node = {};
}

} // namespace sluice::harness
