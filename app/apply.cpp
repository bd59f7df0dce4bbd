#include "app/apply.hpp"

#include "actors/configuration_write.hpp"
#include "api/views.hpp"
#include "app/confirmation.hpp"
#include "app/node_client.hpp"
#include "config/apply_file.hpp"

#include <algorithm>
#include <vector>

namespace sluice::app {
namespace {

using change_list = std::vector<core::configuration_change>;

std::string fields_text(const core::configuration_change& change) {
  std::string out;
  for (const auto& field : change.fields) {
    out += (out.empty() ? "" : ", ") + field;
  }
  return out;
}

/// The name of a subscription is its tenant's.
std::string name_text(const core::configuration_change& change) {
  return change.tenant.empty() ? change.name : change.name + " (" + change.tenant + ")";
}

void show(const command_context& context, const change_list& changes) {
  text_table table{{"change", "kind", "name", "fields"}};
  for (const auto& change : changes) {
    if (change.changes()) {
      table.add({change.what, change.kind, name_text(change), fields_text(change)});
    }
  }
  table.print(context.style);
}

int show_json(const change_list& changes, bool applied,
              const std::vector<core::applied_subscription>& subscriptions = {}) {
  print_json(api::changes_view(changes, applied, subscriptions));
  return exit_ok;
}

/// What the settings let connections and subscriptions call. Printed when it cannot be read: the error is the
/// exit code.
std::expected<core::outside_addresses, int> open_outside(const config::settings& settings) {
  auto made = core::outside_addresses::make(settings.calls.allowed_networks);
  if (!made) {
    print_error("the settings cannot be used", "calls." + made.error(), "correct calls.allowed_networks");
    return std::unexpected{exit_usage};
  }
  return std::move(*made);
}

/// Of subscriptions that were made: the one time their secrets are shown.
void show_secrets(const std::vector<core::applied_subscription>& subscriptions) {
  for (const auto& one : subscriptions) {
    if (!one.verification_key.empty()) {
      print_note(printable("subscription " + one.name + " of " + one.tenant + " is made (" + one.public_id
                           + "); its receiver verifies with this, shown this once:"));
      print_line(one.verification_key);
    }
  }
}

int refuse(const std::vector<std::string>& faults) {
  print_error("nothing was applied", faults, "correct these connections and subscriptions");
  return exit_refused;
}

/// What the file says; the faults are printed where it has some.
std::expected<core::configuration, int> read_plan(const std::string& file,
                                                  const core::outside_addresses& outside) {
  auto plan = config::read_apply_file(file, config::process_environment(), outside);
  if (!plan) {
    print_error("nothing was applied: " + file + " has faults", plan.error(), "correct them and apply again");
    return std::unexpected{exit_refused};
  }
  plan->by = current_user();
  return std::move(*plan);
}

/// Whether to go on; prints why not.
bool agreed(const command_context& context, const apply_options& options) {
  return options.yes
         || confirmed(context, "apply these changes?", "nothing was applied",
                      "look at the difference and apply with --yes");
}

} // namespace

int apply(const command_context& context, const apply_options& options) {
  const auto outside = open_outside(context.settings);
  if (!outside) {
    return outside.error();
  }
  const auto plan = read_plan(options.file, *outside);
  if (!plan) {
    return plan.error();
  }
  const auto keys = open_keys(context.settings);
  if (!keys) {
    return keys.error();
  }
  auto db = open_session(context, storage::access::write);
  if (!db) {
    return db.error();
  }
  const auto outcome = actors::rehearse_configuration(*db, *plan, *keys, *outside, wall_now());
  if (!outcome) {
    return report("nothing was applied", outcome.error());
  }
  if (!outcome->faults.empty()) {
    return refuse(outcome->faults);
  }
  const auto& changes = outcome->changes;
  if (std::ranges::none_of(changes, &core::configuration_change::changes)) {
    if (context.style.json) {
      return show_json(changes, false);
    }
    print_line("nothing to change");
    return exit_ok;
  }
  if (!context.style.json) {
    show(context, changes);
  }
  if (!agreed(context, options)) {
    if (context.style.json) {
      (void)show_json(changes, false);
    }
    return exit_refused;
  }
  const auto kept = actors::keep_configuration(*db, *plan, *keys, *outside, wall_now(), {&changes, {}});
  if (!kept) {
    return report("nothing was applied", kept.error());
  }
  if (context.style.json) {
    return show_json(changes, true, kept->subscriptions);
  }
  print_line("applied " + grouped(std::ranges::count_if(changes, &core::configuration_change::changes))
             + " changes");
  show_secrets(kept->subscriptions);
  return exit_ok;
}

} // namespace sluice::app
