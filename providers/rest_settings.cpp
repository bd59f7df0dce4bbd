#include "providers/rest_settings.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace sluice::providers {

using json = nlohmann::ordered_json;

namespace {

constexpr std::array all_operations{core::operation::create,     core::operation::update,
                                    core::operation::remove,     core::operation::deactivate,
                                    core::operation::reactivate, core::operation::lookup};

constexpr std::int64_t requests_per_minute_max = 10'000'000;

using operation_list = std::array<std::optional<operation_settings>, 6>;

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

operation_list read_operations(settings_section operations, const settings_section& answers,
                               std::string_view domain, settings_section overrides) {
  operation_list made;
  for (const auto op : all_operations) {
    const auto name = core::to_string(op);
    const auto base = operations.find(name);
    const bool named = holds(overrides.keys(), name);
    const auto overlay = overrides.find(name);
    if (named ? !overlay : !base) { // an override of null takes the operation away
      continue;
    }
    settings_section section{base.value_or(placed_value{}), operations.faults(),
                             overlay.value_or(placed_value{})};
    made[static_cast<std::size_t>(op)] = read_operation(op, section, answers, domain);
  }
  operations.refuse_unknown();
  overrides.refuse_unknown();
  if (std::ranges::none_of(made, [](const auto& operation) { return operation.has_value(); })) {
    operations.faults().add(operations.place(),
                            "names no operation for the domain; known: create, update, delete, "
                            "deactivate, reactivate, lookup");
  }
  return made;
}

/// Reads the operations once for every domain named, so that a fault shows before a rule of that domain
/// exists.
void read_domains(settings_section& root, const settings_section& answers, std::string_view domain,
                  rest_settings& made) {
  auto domains = root.section("domains");
  const auto operations = root.section("operations");
  for (const auto& name : domains.keys()) {
    auto overrides = domains.section(name);
    auto read = read_operations(operations, answers, name, overrides.section("operations"));
    overrides.refuse_unknown();
    if (name == domain) {
      made.operations = std::move(read);
    }
  }
  if (!holds(domains.keys(), domain)) {
    made.operations = read_operations(operations, answers, domain, {{}, root.faults()});
  }
}

void read_idempotency(settings_section idempotency, rest_settings& made) {
  if (!idempotency.present()) {
    return;
  }
  made.idempotency_header = idempotency.text("header", "Idempotency-Key");
  made.key_lifetime = idempotency.duration("key_lifetime", std::chrono::hours{24});
  idempotency.refuse_unknown();
}

void read_root(settings_section& root, settings_section credentials, std::string_view domain,
               rest_settings& made) {
  const auto url = root.required_text("base_url", "it is the address every path follows, such as "
                                                  "https://api.example.com/v3");
  if (!url.empty()) {
    auto checked = check_base_url(url);
    if (checked) {
      made.base_url = std::move(*checked);
    } else {
      root.fault("base_url", checked.error());
    }
  }
  made.requests_per_minute = root.number("requests_per_minute", 0, requests_per_minute_max, 0);
  made.http2 = root.flag("http2", true);
  made.headers = read_headers(root.section("headers"));
  read_idempotency(root.section("idempotency"), made);
  made.auth = read_auth(root.section("auth"), std::move(credentials));
  const auto answers = root.section("answers");
  made.answers = answer_rules::read(settings_section{{}, root.faults()}, answers);
  read_domains(root, answers, domain, made);
  root.refuse_unknown();
}

} // namespace

std::expected<rest_settings, std::vector<std::string>>
parse_rest_settings(std::string_view settings, std::string_view credentials, std::string_view domain) {
  fault_list faults;
  const auto document = read_settings_document(settings, "settings", faults);
  const auto secrets = read_settings_document(credentials, "credentials", faults);
  rest_settings made;
  if (faults.empty()) {
    settings_section root{{&document, "settings"}, faults};
    read_root(root, settings_section{{&secrets, "credentials"}, faults}, domain, made);
  }
  if (!faults.empty()) {
    return std::unexpected{std::move(faults).take()};
  }
  return made;
}

} // namespace sluice::providers
