#include "core/subscription.hpp"

#include "core/event_type.hpp"
#include "core/filter.hpp"
#include "core/name_fault.hpp"
#include "core/ordering_key.hpp"
#include "core/words.hpp"

#include <algorithm>

namespace sluice::core {

namespace {

constexpr words<2> modes{"push", "pull"};
constexpr words<3> statuses{"active", "paused", "disabled"};
constexpr words<3> causes{"person", "gone", "dead_deliveries"};
static_assert(modes[static_cast<std::size_t>(subscription_mode::pull)] == "pull");
static_assert(statuses[static_cast<std::size_t>(subscription_status::disabled)] == "disabled");
static_assert(causes[static_cast<std::size_t>(disable_cause::dead_deliveries)] == "dead_deliveries");

/// Collects faults, each behind the name of its member.
struct fault_sheet {
  std::vector<std::string> faults;

  void add(std::string_view member, std::string_view fault) {
    faults.push_back(std::string{member}.append(": ").append(fault));
  }
  void add_all(std::string_view member, const std::vector<std::string>& found) {
    for (const auto& fault : found)
      add(member, fault);
  }
};

void check_name(const subscription& written, fault_sheet& sheet) {
  if (auto fault = name_fault(written.name, subscription_name_bytes_max))
    sheet.add("name", *fault);
}

void check_push(const subscription& written, const outside_addresses& addresses, fault_sheet& sheet) {
  if (written.url.empty())
    sheet.add("url", "a push subscription needs one, such as https://hooks.example.com/sluice");
  else if (auto fault = addresses.refuse_url(written.url))
    sheet.add("url", *fault);
  sheet.add_all("headers", custom_header_faults(written.headers));
  if (written.ordered_by.empty())
    return;
  if (auto key = ordering_key::compile(written.ordered_by); !key)
    sheet.add("ordered_by", key.error());
}

void check_pull(const subscription& written, fault_sheet& sheet) {
  if (!written.url.empty())
    sheet.add("url", "a pull subscription has none: its owner reads the events");
  if (!written.headers.empty())
    sheet.add("headers", "a pull subscription has none: nothing is sent");
  if (!written.ordered_by.empty())
    sheet.add("ordered_by",
              "a pull subscription has none: it reads every event in the order of its position");
}

} // namespace

std::string_view to_string(subscription_mode mode) noexcept {
  return word_of(mode, modes);
}

std::string_view to_string(subscription_status status) noexcept {
  return word_of(status, statuses);
}

std::string_view to_string(disable_cause cause) noexcept {
  return word_of(cause, causes);
}

std::optional<subscription_mode> parse_subscription_mode(std::string_view text) noexcept {
  return value_of<subscription_mode>(text, modes);
}

std::optional<subscription_status> parse_subscription_status(std::string_view text) noexcept {
  return value_of<subscription_status>(text, statuses);
}

std::optional<disable_cause> parse_disable_cause(std::string_view text) noexcept {
  return value_of<disable_cause>(text, causes);
}

std::vector<std::string> subscription_faults(const subscription& written,
                                             const outside_addresses& addresses) {
  fault_sheet sheet;
  check_name(written, sheet);
  if (written.mode == subscription_mode::push)
    check_push(written, addresses, sheet);
  else
    check_pull(written, sheet);
  sheet.add_all("event_types", event_pattern_faults(written.event_types));
  if (!written.filter.empty())
    if (auto made = filter::compile(written.filter); !made)
      sheet.add_all("filter", made.error());
  return std::move(sheet.faults);
}

} // namespace sluice::core
