#include "config/setting_keys.hpp"
#include "core/payload.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace sluice::config {
namespace {

constexpr auto no_most = std::numeric_limits<std::int64_t>::max();

template <class... Handlers>
struct overloaded : Handlers... {
  using Handlers::operator()...;
};

std::string quoted(std::string_view text) {
  std::string out;
  core::append_json_string(out, text);
  return out;
}

template <class Items, class ToText>
std::string list_text(const Items& items, ToText to_text) {
  std::string out = "[";
  for (const auto& item : items) {
    out += (out.size() > 1 ? ", " : "") + to_text(item);
  }
  return out + "]";
}

/// The table hands out places in a settings that may be written; reading through them is all that happens
/// here.
setting_slot slot_of(const setting_key& key, const settings& from) {
  return key.slot(const_cast<settings&>(from));
}

/// The words of a choice, "a|b" as "a, b".
std::string choices(std::string_view words) {
  std::string out;
  for (const char c : words) {
    if (c == '|') {
      out += ", ";
    } else {
      out += c;
    }
  }
  return out;
}

bool is_choice(std::string_view words, std::string_view word) {
  return !word.empty() && !word.contains('|')
         && ("|" + std::string{words} + "|").contains("|" + std::string{word} + "|");
}

std::string range_text(const setting_key& key, std::string (*text)(std::int64_t)) {
  if (key.most == no_most) {
    return "at least " + text(key.least);
  }
  return text(key.least) + " to " + text(key.most);
}

std::string number_text(std::int64_t number) {
  return std::to_string(number);
}

/// As short as it can be and still be read as the same number.
std::string share_text(double share) {
  std::array<char, 32> digits{};
  const auto written = std::to_chars(digits.data(), digits.data() + digits.size(), share);
  std::string out{digits.data(), written.ptr};
  return out.find_first_of(".en") == std::string::npos ? out + ".0" : out;
}

std::string duration_text(std::int64_t us) {
  return core::to_text(duration{us});
}

/// Gathers a sentence for each number outside of the key's range.
class range_check {
public:
  range_check(const setting_key& key, const settings& from) : key_{key}, from_{from} {}

  void number(std::int64_t value) {
    if (value < key_.least || value > key_.most) {
      fault("");
    }
  }
  /// Written so that what is no number at all lies outside too.
  void share(double value) {
    if (!(value >= static_cast<double>(key_.least) && value <= static_cast<double>(key_.most))) {
      fault("");
    }
  }
  void text(const std::string& value) {
    const auto length = static_cast<std::int64_t>(value.size());
    if (!key_.words.empty() && !is_choice(key_.words, value)) {
      fault("");
    } else if (key_.words.empty() && (length < key_.least || length > key_.most)) {
      fault(length == 0 ? " (it is empty)" : " (it is too long)");
    }
  }

  std::vector<std::string> faults;

private:
  void fault(std::string_view why) {
    faults.push_back(full_name(key_) + " = " + (key_.secret ? "(hidden)" : value_text(key_, from_))
                     + std::string{why} + ": allowed is " + allowed_values(key_));
  }

  const setting_key& key_;
  const settings& from_;
};

} // namespace

std::string allowed_values(const setting_key& key) {
  settings defaults;
  const auto texts = [&]() -> std::string {
    if (!key.words.empty()) {
      return "one of " + choices(key.words);
    }
    return key.least > 0 ? "a text that is not empty" : "any text";
  };
  return std::visit(
      overloaded{
          [&](const std::string*) { return texts(); },
          [&](const std::int32_t*) { return "a whole number, " + range_text(key, number_text); },
          [&](const std::int64_t*) { return "a whole number, " + range_text(key, number_text); },
          [&](const std::size_t*) { return "a whole number, " + range_text(key, number_text); },
          [&](const double*) { return "a number, " + range_text(key, number_text); },
          [&](const duration*) { return "a duration such as \"90s\", " + range_text(key, duration_text); },
          [&](const std::vector<std::string>*) { return std::string{"a list of texts, none of them empty"}; },
          [&](const std::vector<duration>*) {
            return "a list of durations such as \"90s\", each " + range_text(key, duration_text);
          }},
      key.slot(defaults));
}

std::string value_text(const setting_key& key, const settings& from) {
  const auto of_duration = [](duration d) { return quoted(core::to_text(d)); };
  return std::visit(overloaded{[](const std::string* x) { return quoted(*x); },
                               [](const std::int32_t* x) { return std::to_string(*x); },
                               [](const std::int64_t* x) { return std::to_string(*x); },
                               [](const std::size_t* x) { return std::to_string(*x); },
                               [](const double* x) { return share_text(*x); },
                               [&](const duration* x) { return of_duration(*x); },
                               [](const std::vector<std::string>* x) { return list_text(*x, quoted); },
                               [&](const std::vector<duration>* x) { return list_text(*x, of_duration); }},
                    slot_of(key, from));
}

std::vector<std::string> range_faults(const setting_key& key, const settings& from) {
  range_check check{key, from};
  std::visit(overloaded{[&](const std::string* x) { check.text(*x); },
                        [&](const std::int32_t* x) { check.number(*x); },
                        [&](const std::int64_t* x) { check.number(*x); },
                        [&](const double* x) { check.share(*x); },
                        [&](const std::size_t* x) {
                          check.number(std::in_range<std::int64_t>(*x) ? static_cast<std::int64_t>(*x) : -1);
                        },
                        [&](const duration* x) { check.number(x->count()); },
                        [&](const std::vector<std::string>* x) {
                          std::ranges::for_each(*x, [&](auto& y) { check.text(y); });
                        },
                        [&](const std::vector<duration>* x) {
                          std::ranges::for_each(*x, [&](duration y) { check.number(y.count()); });
                        }},
             slot_of(key, from));
  return std::move(check.faults);
}

std::vector<const setting_key*> differing_settings(const settings& a, const settings& b) {
  std::vector<const setting_key*> different;
  for (const auto& key : setting_keys()) {
    if (value_text(key, a) != value_text(key, b)) {
      different.push_back(&key);
    }
  }
  return different;
}

std::string default_file() {
  const settings defaults;
  std::string out =
      "# Sluice's settings. Every setting stands here with its default: leave out what you do not change.\n"
      "# A variable SLUICE_SECTION_KEY (such as SLUICE_DATABASE_URL; lists separated by spaces or commas)\n"
      "# overrides the file. A secret may stand in a file of its own, named by KEY_file.\n"
      "# Durations have a unit: d, h, m, s, ms or us, as in \"90s\" or \"1h30m\".\n";
  std::string_view section;
  for (const auto& key : setting_keys()) {
    if (key.section != section) {
      section = key.section;
      out += "\n[" + std::string{section} + "]\n";
    }
    out += "\n# " + std::string{key.meaning} + "\n# Unit: " + std::string{key.unit}
           + "; allowed: " + allowed_values(key) + (key.live ? ". Taken over on SIGHUP.\n" : ".\n")
           + std::string{key.name} + " = " + value_text(key, defaults) + "\n";
  }
  return out;
}

} // namespace sluice::config
