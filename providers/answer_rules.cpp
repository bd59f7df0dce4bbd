#include "providers/answer_rules.hpp"

#include "providers/visible_text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace sluice::providers {

using json = nlohmann::ordered_json;

namespace {

constexpr std::array<std::pair<std::string_view, answer_meaning>, 9> meanings{{
    {"accepted", answer_meaning::accepted},
    {"gone", answer_meaning::gone},
    {"rejected", answer_meaning::rejected},
    {"transient", answer_meaning::transient},
    {"rate_limited", answer_meaning::rate_limited},
    {"unauthorized", answer_meaning::unauthorized},
    {"account", answer_meaning::account},
    {"exists", answer_meaning::exists},
    {"unknown", answer_meaning::unknown},
}};

constexpr std::string_view status_forms = "must be a status from 200 to 599 or a class such as \"5xx\"";

struct status_range {
  int least = 0;
  int most = 0;
};

std::optional<status_range> status_of(const json& value) {
  if (value.is_number_integer() && value >= 200 && value <= 599) {
    const auto status = value.get<int>();
    return status_range{status, status};
  }
  if (!value.is_string()) {
    return std::nullopt;
  }
  const auto& text = value.get_ref<const std::string&>();
  if (text.size() != 3 || !text.ends_with("xx") || text[0] < '2' || text[0] > '5') {
    return std::nullopt;
  }
  const int first = (text[0] - '0') * 100;
  return status_range{first, first + 99};
}

/// 520 and 524 come from a proxy in front that lost the target's answer.
bool leaves_create_unknown(int status) {
  constexpr std::array unknown{500, 502, 504, 520, 524};
  return status < 200 || status > 599 || std::ranges::find(unknown, status) != unknown.end();
}

answer_meaning default_meaning(int status, bool default_unknown) {
  if (status >= 200 && status < 300) {
    return answer_meaning::accepted;
  }
  switch (status) {
  case 401:
    return answer_meaning::unauthorized;
  case 404:
  case 410:
    return answer_meaning::gone;
  case 408:
  case 425:
    return answer_meaning::transient;
  case 409:
    return answer_meaning::exists;
  case 429:
    return answer_meaning::rate_limited;
  default:
    break;
  }
  if (default_unknown && leaves_create_unknown(status)) {
    return answer_meaning::unknown;
  }
  return status >= 300 && status < 500 ? answer_meaning::rejected : answer_meaning::transient;
}

/// A condition compares texts: a string's content, or the JSON text of a number, true, false or null.
std::optional<std::string> compared_text(const json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  return value.is_structured() ? std::nullopt : std::optional{value.dump()};
}

} // namespace

answer_rules answer_rules::read(settings_section own, settings_section general) {
  answer_rules made;
  made.read_section(own);
  made.read_section(general);
  if (!made.pointers_.empty()) {
    made.readers_ = std::make_shared<reader_pool>(made.pointers_);
  }
  return made;
}

void answer_rules::read_section(settings_section& section) {
  for (const auto& [name, meaning] : meanings) {
    const auto list = section.find(name);
    if (!list) {
      continue;
    }
    if (!list->value->is_array()) {
      section.fault(name, "must be a list of statuses and patterns");
      continue;
    }
    default_unknown_ = default_unknown_ && meaning != answer_meaning::unknown;
    for (std::size_t i = 0; i < list->value->size(); ++i) {
      read_pattern(meaning, {&(*list->value)[i], list->place + "[" + std::to_string(i) + "]"},
                   section.faults());
    }
  }
  section.refuse_unknown();
}

void answer_rules::read_pattern(answer_meaning meaning, const placed_value& entry, fault_list& faults) {
  if (!entry.value->is_object()) {
    if (const auto range = status_of(*entry.value)) {
      patterns_.push_back({meaning, range->least, range->most, {}});
    } else {
      faults.add(entry.place, std::string{status_forms} + R"(, or {"status": [...], "body": {...}})");
    }
    return;
  }
  settings_section section{entry, faults};
  const auto statuses = section.find("status");
  const auto body = read_body(section.section("body"));
  section.refuse_unknown();
  if (!statuses || !statuses->value->is_array() || statuses->value->empty()) {
    section.fault("status", "must be a list of statuses");
    return;
  }
  for (const auto& status : *statuses->value) {
    if (const auto range = status_of(status)) {
      patterns_.push_back({meaning, range->least, range->most, body});
    } else {
      section.fault("status", status_forms);
    }
  }
}

std::vector<answer_rules::body_condition> answer_rules::read_body(settings_section body) {
  std::vector<body_condition> conditions;
  for (const auto& pointer : body.keys()) {
    const auto wanted = body.find(pointer);
    if (!is_json_pointer(pointer) || pointer.empty()) {
      body.fault(pointer, "must be a JSON pointer (RFC 6901), such as /code");
      continue;
    }
    body_condition condition{pointers_.size(), {}};
    const bool list = wanted && wanted->value->is_array();
    for (std::size_t i = 0; wanted && i < (list ? wanted->value->size() : 1); ++i) {
      if (auto text = compared_text(list ? (*wanted->value)[i] : *wanted->value)) {
        condition.allowed.push_back(std::move(*text));
      }
    }
    if (condition.allowed.empty()) {
      body.fault(pointer, "must be a value or a list of values to compare with");
      continue;
    }
    pointers_.push_back(pointer);
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

bool answer_rules::fits(const pattern& candidate, const reader_pool::reading& values) {
  return std::ranges::all_of(candidate.body, [&values](const body_condition& condition) {
    const auto& value = values[condition.pointer];
    return value.kind != core::value_kind::absent
           && std::ranges::find(condition.allowed, value.text) != condition.allowed.end();
  });
}

answer_meaning answer_rules::meaning(int status, std::string_view body) const {
  std::optional<reader_pool::reading> values;
  bool tried = false;
  for (const auto& candidate : patterns_) {
    if (status < candidate.status_least || status > candidate.status_most) {
      continue;
    }
    if (candidate.body.empty()) {
      return candidate.meaning;
    }
    if (!tried) {
      tried = true;
      if (auto reading = readers_->read(body)) {
        values.emplace(std::move(*reading));
      }
    }
    if (values && fits(candidate, *values)) {
      return candidate.meaning;
    }
  }
  return default_meaning(status, default_unknown_);
}

core::outcome_kind kind_of(answer_meaning meaning, const answer_context& context) noexcept {
  using enum answer_meaning;
  switch (meaning) {
  case accepted:
    return core::outcome_kind::accepted;
  case gone:
    return context.op == core::operation::create ? core::outcome_kind::rejected : core::outcome_kind::gone;
  case transient:
    return core::outcome_kind::transient;
  case rate_limited:
    return core::outcome_kind::rate_limited;
  case unauthorized:
  case account:
    return core::outcome_kind::unauthorized;
  case exists:
    return context.op == core::operation::create && context.has_lookup ? core::outcome_kind::exists
                                                                       : core::outcome_kind::rejected;
  case unknown:
    return context.doubtful() ? core::outcome_kind::ambiguous : core::outcome_kind::transient;
  case rejected:
    break;
  }
  return core::outcome_kind::rejected;
}

} // namespace sluice::providers
