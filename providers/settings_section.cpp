#include "providers/settings_section.hpp"

#include "core/payload.hpp"
#include "providers/visible_text.hpp"

#include <algorithm>

namespace sluice::providers {

using json = nlohmann::ordered_json;

namespace {

std::string joined(const auto& words) {
  std::string out;
  for (const auto& word : words) {
    out += out.empty() ? "" : ", ";
    out += word;
  }
  return out;
}

const json* member(const placed_value& object, std::string_view key) {
  if (!object.value) {
    return nullptr;
  }
  const auto found = object.value->find(std::string{key});
  return found == object.value->end() ? nullptr : &*found;
}

std::string below(const std::string& place, std::string_view key) {
  return place + "." + visible_text(key, {}, 60);
}

} // namespace

void fault_list::add(std::string_view place, std::string_view what) {
  auto sentence = std::string{place}.append(": ").append(what);
  if (std::ranges::find(faults_, sentence) == faults_.end()) {
    faults_.push_back(std::move(sentence));
  }
}

settings_section::settings_section(placed_value base, fault_list& faults, placed_value overlay)
    : base_{std::move(base)}, overlay_{std::move(overlay)}, faults_{&faults} {
  for (auto* object : {&base_, &overlay_}) {
    if (object->value && !object->value->is_object()) {
      faults_->add(object->place, "must be an object");
      object->value = nullptr;
    }
  }
}

std::optional<placed_value> settings_section::find(std::string_view key) {
  if (std::ranges::find(known_, key) == known_.end()) {
    known_.emplace_back(key);
  }
  for (const auto* object : {&overlay_, &base_}) {
    if (const auto* value = member(*object, key)) {
      return value->is_null() ? std::nullopt : std::optional{placed_value{value, below(object->place, key)}};
    }
  }
  return std::nullopt;
}

std::string settings_section::place_of(std::string_view key) const {
  return below(member(overlay_, key) || !base_.value ? (overlay_.value ? overlay_.place : base_.place)
                                                     : base_.place,
               key);
}

void settings_section::fault(std::string_view key, std::string_view what) {
  faults_->add(place_of(key), what);
}

std::string settings_section::text(std::string_view key, std::string_view fallback) {
  const auto found = find(key);
  if (!found) {
    return std::string{fallback};
  }
  if (!found->value->is_string() || found->value->get_ref<const std::string&>().empty()) {
    faults_->add(found->place, "must be a text that is not empty");
    return std::string{fallback};
  }
  return found->value->get_ref<const std::string&>();
}

std::string settings_section::required_text(std::string_view key, std::string_view why) {
  if (!has(key)) {
    fault(key, "is missing; " + std::string{why});
    return {};
  }
  return text(key);
}

std::string settings_section::choice(std::string_view key, std::initializer_list<std::string_view> allowed,
                                     std::string_view fallback) {
  auto chosen = text(key, fallback);
  if (std::ranges::find(allowed, chosen) == allowed.end()) {
    fault(key, "is \"" + visible_text(chosen, {}, 40) + "\"; allowed: " + joined(allowed));
    return std::string{fallback};
  }
  return chosen;
}

bool settings_section::flag(std::string_view key, bool fallback) {
  const auto found = find(key);
  if (!found) {
    return fallback;
  }
  if (!found->value->is_boolean()) {
    faults_->add(found->place, "must be true or false");
    return fallback;
  }
  return found->value->get<bool>();
}

std::int64_t settings_section::number(std::string_view key, std::int64_t least, std::int64_t most,
                                      std::int64_t fallback) {
  const auto found = find(key);
  if (!found) {
    return fallback;
  }
  const auto& value = *found->value;
  const bool fits =
      value.is_number_integer()
      && (!value.is_number_unsigned() || value.get<std::uint64_t>() <= std::uint64_t{INT64_MAX});
  if (!fits || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most) {
    faults_->add(found->place,
                 "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return fallback;
  }
  return value.get<std::int64_t>();
}

core::duration settings_section::duration(std::string_view key, core::duration fallback) {
  if (!has(key)) {
    return fallback;
  }
  const auto written = text(key);
  if (written.empty()) {
    return fallback;
  }
  const auto read = core::parse_duration(written);
  if (!read || *read <= core::duration::zero()) {
    fault(key, read ? "must be longer than nothing" : read.error());
    return fallback;
  }
  return *read;
}

std::string settings_section::pointer(std::string_view key, std::string_view fallback) {
  auto written = text(key, fallback);
  if (!is_json_pointer(written)) {
    fault(key, "must be a JSON pointer (RFC 6901), such as /data/id");
    return std::string{fallback};
  }
  return written;
}

settings_section settings_section::section(std::string_view key) {
  auto found = find(key);
  return {found ? std::move(*found) : placed_value{nullptr, place_of(key)}, *faults_};
}

std::vector<std::string> settings_section::keys() const {
  std::vector<std::string> names;
  for (const auto* object : {&base_, &overlay_}) {
    if (!object->value) {
      continue;
    }
    for (auto each = object->value->begin(); each != object->value->end(); ++each) {
      if (std::ranges::find(names, each.key()) == names.end()) {
        names.push_back(each.key());
      }
    }
  }
  return names;
}

void settings_section::refuse_unknown() {
  for (const auto& key : keys()) {
    if (std::ranges::find(known_, key) == known_.end()) {
      fault(key, "is not known here; known: " + joined(known_));
    }
  }
}

json read_settings_document(std::string_view text, std::string_view place, fault_list& faults) {
  if (text.empty()) {
    return json::object();
  }
  if (const auto checked = core::check_payload(text); !checked) {
    faults.add(place, "is not readable JSON: " + checked.error());
    return json::object();
  }
  auto document = json::parse(text, nullptr, false);
  return document.is_discarded() ? json::object() : document;
}

bool is_json_pointer(std::string_view text) noexcept {
  if (!text.empty() && text.front() != '/') {
    return false;
  }
  for (auto at = text.find('~'); at != std::string_view::npos; at = text.find('~', at + 1)) {
    if (at + 1 == text.size() || (text[at + 1] != '0' && text[at + 1] != '1')) {
      return false;
    }
  }
  return true;
}

} // namespace sluice::providers
