#include "app/callbacks_command.hpp"

#include "app/node_things.hpp"
#include "app/progress.hpp"
#include "app/subscription_lookup.hpp"

namespace sluice::app {
namespace {

using document = node_client::document;

/// The list, of the profile that is named alone where one is.
int show_of_profile(const command_context& context, shown_list list, const callback_list_options& options) {
  if (!options.profile.empty()) {
    const auto node = node_client::of(context);
    if (!node) {
      return node.error();
    }
    const auto id = id_of(*node, {"profile", "/v1/profiles", "profiles", "profiles"}, options.profile);
    if (!id) {
      return id.error();
    }
    list.path += query_part("profile", *id);
  }
  return show_newest(context, list, options.limit);
}

} // namespace

int list_callbacks(const command_context& context, const callback_list_options& options) {
  return show_of_profile(context,
                         {"/v1/provider-events?" + query_part("progress", options.progress),
                          "events",
                          {{"received", "received_at"},
                           {"tenant", "tenant"},
                           {"type", "type"},
                           {"provider's word", "provider_type"},
                           {"progress", "progress"},
                           {"message", "provider_message_id"},
                           {"occurred", "occurred_at"},
                           {"detail", "detail"},
                           {"id", "id"}},
                          "providers told nothing"},
                         options);
}

int list_refused_callbacks(const command_context& context, const callback_list_options& options) {
  return show_of_profile(context,
                         {"/v1/refused-callbacks?",
                          "refused",
                          {{"at", "at"},
                           {"from", "source"},
                           {"tenant", "tenant"},
                           {"profile", "profile"},
                           {"kind", "kind"},
                           {"reason", "reason"}},
                          "no callback was refused"},
                         options);
}

int replay_callbacks(const command_context& context) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  progress bar{"attempts", 0};
  std::int64_t events = 0;
  std::int64_t attempts = 0;
  document after = 0;
  while (!after.is_null()) {
    const auto step = node->post("/v1/provider-events/replay", {{"after", after}, {"by", current_user()}});
    if (!step) {
      return step.error();
    }
    events += number(*step, "events");
    attempts += number(*step, "attempts");
    after = step->at("next");
    bar.show(attempts);
  }
  return print_done(context, {{"events", events}, {"attempts", attempts}},
                    "what became of " + grouped(attempts) + " attempts is made anew from " + grouped(events)
                        + " events");
}

} // namespace sluice::app
