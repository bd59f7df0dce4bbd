#include "config/load.hpp"

#include "config/setting_value.hpp"
#include "config/text_file.hpp"

#include <algorithm>
#include <string_view>
#include <unistd.h>

namespace sluice::config {
namespace {

/// One pass over the file and the environment. Remembers where each key was set, so that a fault found at the
/// end, in the combination of settings, still names a place.
class loader {
public:
  void read_file(const std::string& path) {
    const auto text = read_text_file(path);
    if (!text) {
      faults_.push_back(text.error());
      return;
    }
    const auto document = parse_toml(*text);
    if (!document) {
      faults_.push_back(path + ":" + std::to_string(document.error().line) + ": " + document.error().what);
      return;
    }
    for (const auto& [section, content] : document->members) {
      read_section(path, section, content);
    }
  }

  void read_environment(const environment& variables) {
    for (const auto& [name, value] : variables) {
      if (name.starts_with("SLUICE_")) {
        read_variable(name, value);
      }
    }
  }

  std::expected<settings, std::vector<std::string>> finish() {
    auto& keys = settings_.keys;
    read_keys_file("keys_file", keys.keys_file, keys.keys);
    read_keys_file("fingerprint_keys_file", keys.fingerprint_keys_file, keys.fingerprint_keys);
    for (auto& fault : settings_.validate()) {
      faults_.push_back(place_of(fault) + fault);
    }
    if (!faults_.empty()) {
      return std::unexpected{std::move(faults_)};
    }
    return std::move(settings_);
  }

private:
  static std::string not_a_setting(const std::string& place, const std::string& section,
                                   const std::string& name) {
    return place + section + "." + name + " is not a setting; allowed in [" + section + "] are "
           + keys_of(section);
  }

  void read_section(const std::string& path, const std::string& section, const document_value& content) {
    const auto place = [&](const document_value& at) { return path + ":" + std::to_string(at.line) + ": "; };
    if (!is_section(section)) {
      faults_.push_back(place(content) + section + " is not a section; allowed are " + sections());
      return;
    }
    if (content.kind != document_kind::table) {
      faults_.push_back(place(content) + section + " is " + std::string{to_string(content.kind)}
                        + "; allowed is the table [" + section + "]");
      return;
    }
    for (const auto& [name, value] : content.members) {
      if (const auto* key = find_setting(section, name)) {
        places_[full_name(*key)] = place(value);
        note(set_setting(settings_, *key, value), place(value) + full_name(*key));
      } else if (const auto* secret = secret_of_file(section, name)) {
        read_secret(*secret, value.kind == document_kind::text ? value.text : "", place(value));
      } else {
        faults_.push_back(not_a_setting(place(value), section, name));
      }
    }
  }

  void read_variable(const std::string& name, const std::string& value) {
    for (const auto& key : setting_keys()) {
      const auto variable = environment_name(key);
      if (name == variable) {
        places_[full_name(key)] = name + ": ";
        note(set_setting(settings_, key, value), name);
        return;
      }
      if (key.secret && name == variable + "_FILE"
          && !find_setting(key.section, std::string{key.name} + "_file")) {
        read_secret(key, value, name + ": ");
        return;
      }
    }
    const auto section = section_of(name);
    if (!section.empty()) {
      faults_.push_back(name + " is not a setting; allowed in section " + section + " are "
                        + keys_of(section));
    }
  }

  void read_secret(const setting_key& key, const std::string& path, const std::string& place) {
    const auto secret = read_secret_file(path);
    if (!secret) {
      faults_.push_back(place + full_name(key) + "_file: " + secret.error());
      return;
    }
    places_[full_name(key)] = place;
    note(set_setting(settings_, key, std::string_view{*secret}), place + full_name(key) + "_file");
  }

  /// Its keys stand behind those of the settings.
  void read_keys_file(const std::string& name, const std::string& path, std::vector<std::string>& behind) {
    if (path.empty()) {
      return;
    }
    const auto text = read_secret_file(path);
    if (!text) {
      faults_.push_back(places_["keys." + name] + "keys." + name + ": " + text.error());
      return;
    }
    settings from_file;
    note(set_setting(from_file, *find_setting("keys", "keys"), std::string_view{*text}), path);
    std::ranges::move(from_file.keys.keys, std::back_inserter(behind));
  }

  void note(const std::expected<void, std::string>& outcome, const std::string& place) {
    if (!outcome) {
      faults_.push_back(place + ": " + outcome.error());
    }
  }

  /// The key whose secret `name` says the file of, as in "url_file".
  static const setting_key* secret_of_file(std::string_view section, std::string_view name) {
    if (!name.ends_with("_file")) {
      return nullptr;
    }
    const auto* key = find_setting(section, name.substr(0, name.size() - 5));
    return key != nullptr && key->secret ? key : nullptr;
  }

  /// A fault of validate() begins with the key it is about.
  std::string place_of(std::string_view fault) const {
    const auto found = places_.find(std::string{fault.substr(0, fault.find_first_of(" :"))});
    return found == places_.end() ? std::string{} : found->second;
  }

  static std::string section_of(std::string_view variable) {
    for (const auto& key : setting_keys()) {
      auto prefix = environment_name(key);
      prefix.resize(prefix.size() - key.name.size());
      if (variable.starts_with(prefix)) {
        return std::string{key.section};
      }
    }
    return {};
  }

  static std::string sections() {
    std::string out;
    std::string_view last;
    for (const auto& key : setting_keys()) {
      if (key.section != last) {
        last = key.section;
        out += (out.empty() ? "" : ", ") + std::string{last};
      }
    }
    return out;
  }

  static std::string keys_of(std::string_view section) {
    std::string out;
    for (const auto& key : setting_keys()) {
      if (key.section == section) {
        out += (out.empty() ? "" : ", ") + std::string{key.name};
      }
    }
    return out;
  }

  settings settings_;
  std::vector<std::string> faults_;
  std::map<std::string, std::string> places_; ///< full key name to "FILE:LINE: " or "VARIABLE: "
};

} // namespace

environment process_environment() {
  environment out;
  for (auto at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry{*at};
    if (const auto equals = entry.find('='); equals != std::string_view::npos) {
      out.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
  }
  return out;
}

std::expected<settings, std::vector<std::string>> load(const std::optional<std::string>& file,
                                                       const environment& variables) {
  loader pass;
  if (file) {
    pass.read_file(*file);
  }
  pass.read_environment(variables);
  return pass.finish();
}

} // namespace sluice::config
