#include "app/config_command.hpp"

#include "config/setting_keys.hpp"

namespace sluice::app {

int check_config(const command_context& context) {
  const config::settings defaults;
  nlohmann::ordered_json document = nlohmann::ordered_json::array();
  text_table table{{"setting", "value", "default", "unit"}};
  for (const auto& key : config::setting_keys()) {
    const auto by_default = config::value_text(key, defaults);
    auto value = config::value_text(key, context.settings);
    const bool changed = value != by_default;
    if (key.secret && changed) {
      value = "(hidden)";
    }
    document.push_back({{"setting", config::full_name(key)}, {"value", value}, {"changed", changed}});
    table.add({config::full_name(key), value, changed ? by_default : "same", std::string{key.unit}});
  }
  if (context.style.json) {
    print_json({{"settings", document}});
    return exit_ok;
  }
  table.print(context.style);
  print_line("the settings are well");
  return exit_ok;
}

int print_default_config() {
  return print_text(config::default_file());
}

} // namespace sluice::app
