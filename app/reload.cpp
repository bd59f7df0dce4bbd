#include "app/reload.hpp"

#include "config/setting_keys.hpp"
#include "telemetry/log.hpp"

namespace sluice::app {

using telemetry::event;

void reload(config::settings& in_force, const settings_loader& load) {
  auto wanted = load();
  if (!wanted) {
    for (const auto& fault : wanted.error())
      telemetry::log(event::settings_refused, "node", {{"fault", fault}});
    return;
  }
  std::string taken;
  for (const auto* key : config::differing_settings(in_force, *wanted)) {
    if (key->live)
      taken += (taken.empty() ? "" : ", ") + config::full_name(*key);
    else
      telemetry::log(event::settings_need_restart, "node", {{"setting", config::full_name(*key)}});
  }
  in_force.log = wanted->log;
  telemetry::open_log(in_force.log.level, in_force.log.format);
  telemetry::log(event::settings_reloaded, "node", {{"changed", taken.empty() ? "nothing" : taken}});
}

} // namespace sluice::app
