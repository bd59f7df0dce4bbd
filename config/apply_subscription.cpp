#include "config/apply_subscription.hpp"

#include "config/apply_rule.hpp"
#include "config/secret_reference.hpp"

#include <utility>

namespace sluice::config {
namespace {

constexpr std::size_t type_bytes_max = 200; ///< of one pattern here; core says what fits
constexpr std::size_t url_bytes_max = 4096;
constexpr std::size_t pointer_bytes_max = 1024;
constexpr std::size_t header_bytes_max = 2 * core::custom_header_bytes_max; ///< core says what fits

/// Nothing, where it has a fault. A value that stands elsewhere is secret unless the file says otherwise.
std::optional<core::custom_header> read_header(table_reader& table, const environment* variables) {
  core::custom_header header;
  header.name = table.text("name", header_bytes_max);
  const auto given = table.text("value", header_bytes_max);
  header.secret = table.boolean("secret", names_secret(given));
  table.refuse_unknown();
  if (auto value = named_secret(given, variables)) {
    header.value = std::move(*value);
  } else {
    table.fault("value", value.error());
  }
  if (header.value == core::masked_value) {
    table.fault("value", "is what is shown in place of a secret; allowed is the secret itself");
  }
  return table.faulted() ? std::nullopt : std::optional{std::move(header)};
}

void read_headers(table_reader& table, core::subscription_wish& wish, const environment* variables) {
  auto tables = table.tables("headers");
  if (!tables) {
    return;
  }
  auto& headers = wish.headers.emplace();
  for (auto& each : *tables) {
    if (auto header = read_header(each, variables)) {
      headers.push_back(std::move(*header));
    }
  }
}

/// Of a fault as core writes them: "url: must …".
std::string member_of(const std::string& fault) {
  return fault.substr(0, fault.find(':'));
}

/// What the API would refuse. Members that could not be read have been told of.
void check(table_reader& table, const core::subscription_wish& wish, const core::outside_addresses& outside) {
  if (table.faulted("mode")) {
    return; // which rules hold is not known
  }
  const auto written = core::wished_subscription({}, wish);
  auto faults = core::subscription_faults(written, outside);
  std::erase_if(faults, [&](const std::string& fault) { return table.faulted(member_of(fault)); });
  for (const auto& fault : faults) {
    const auto member = member_of(fault);
    table.fault(member, fault.substr(member.size()));
  }
  if (wish.signed_by && wish.written.mode == core::subscription_mode::pull) {
    table.fault("signing", "stands at a pull subscription, which signs nothing");
  }
}

} // namespace

void read_subscription(table_reader& table, core::subscription_wish& wish,
                       const core::outside_addresses& outside, const environment* variables) {
  auto& written = wish.written;
  written.mode = read_choice(table, "mode", "push", core::parse_subscription_mode, "push and pull")
                     .value_or(core::subscription_mode::push);
  written.url = table.text("url", url_bytes_max, "");
  if (auto types = table.texts("event_types", type_bytes_max)) {
    written.event_types = std::move(*types);
  }
  if (const auto* filter = table.table("filter", false)) {
    written.filter = to_json(*filter);
  }
  written.ordered_by = table.text("ordered_by", pointer_bytes_max, "");
  read_headers(table, wish, variables);
  wish.access_accepted = table.said("access_accepted");
  wish.paused = table.said("paused");
  wish.signed_by = read_choice(table, "signing", "", core::parse_signing, "hmac_sha256 and ed25519");
  check(table, wish, outside);
}

} // namespace sluice::config
