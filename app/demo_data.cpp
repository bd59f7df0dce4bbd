#include "app/demo_data.hpp"

#include "core/payload.hpp"

#include <fmt/format.h>

#include <array>
#include <random>

namespace sluice::app {

namespace {

constexpr std::size_t customers_count = 900;
constexpr std::size_t orders_count = 900;
constexpr std::size_t products_count = 300;

constexpr std::array<std::string_view, 12> given_names{"Ada",   "Björn", "Chloé", "Dmitri", "Elif", "Farid",
                                                       "Grace", "Hana",  "Iván",  "Jónas",  "Kei",  "Lea"};
constexpr std::array<std::string_view, 12> family_names{"Adeyemi", "Bäcker",    "Costa",  "Duarte",
                                                        "Eriksen", "Fischer",   "García", "Horvát",
                                                        "Ito",     "Jankowski", "Kaya",   "Lindqvist"};
constexpr std::array<std::string_view, 8> cities{"Århus", "Bergen", "Cádiz", "Dresden",
                                                 "Évora", "Gdańsk", "Łódź",  "Tartu"};
constexpr std::array<std::string_view, 8> wares{"Tea",  "Coffee", "Rye bread", "Olive oil",
                                                "Salt", "Honey",  "Rice",      "Cloth"};

using generator = std::mt19937_64;

template <std::size_t Size>
std::string_view pick(const std::array<std::string_view, Size>& from, generator& random) {
  return from[random() % Size];
}

demo_record customer(std::size_t number, generator& random) {
  auto given = pick(given_names, random);
  auto family = pick(family_names, random);
  auto id = fmt::format("C{:05}", number);
  return {id, fmt::format(
                  R"({{"id":"{}","name":{{"given":"{}","family":"{}"}},"email":" Customer.{}@Example.COM ",)"
                  R"("city":"{}","credit":{}.{:02},"since":"20{:02}-0{}-1{}"}})",
                  id, given, family, number, pick(cities, random), random() % 5000, random() % 100,
                  10 + random() % 15, 1 + random() % 9, random() % 10)};
}

demo_record order(std::size_t number, generator& random) {
  auto id = fmt::format("{}", 100000 + number);
  return {
      id,
      fmt::format(
          R"({{"id":{},"customer":"C{:05}","ordered_at":"2026-0{}-{:02} 08:{:02}:00.000","freight":{}.{},)"
          R"("lines":[{{"sku":"P{:04}","quantity":{}}}],"note":null}})",
          id, random() % customers_count, 1 + random() % 9, 1 + random() % 28, random() % 60, random() % 90,
          random() % 10, random() % products_count, 1 + random() % 20)};
}

demo_record product(std::size_t number, generator& random) {
  auto id = fmt::format("P{:04}", number);
  return {id,
          fmt::format(
              R"({{"id":"{}","title":"{} no. {}","price":{}.50,"barcode":40000000000000000000000000{:014},)"
              R"("discontinued":{}}})",
              id, pick(wares, random), number, 1 + random() % 80, random() % 100000000000000,
              random() % 9 == 0 ? "true" : "false")};
}

demo_record make_record(const std::string& domain, std::size_t number, generator& random) {
  if (domain == "customers")
    return customer(number, random);
  return domain == "orders" ? order(number, random) : product(number, random);
}

demo_domain make_domain(std::string name, std::size_t count, generator& random) {
  demo_domain made{std::move(name), {}};
  for (std::size_t number = 0; number < count; ++number)
    made.records.push_back(make_record(made.name, number, random));
  return made;
}

} // namespace

std::vector<demo_domain> make_demo_records(std::uint64_t seed) {
  generator random{seed};
  return {make_domain("customers", customers_count, random), make_domain("orders", orders_count, random),
          make_domain("products", products_count, random)};
}

std::vector<demo_record> change_demo_records(demo_domain& domain, std::size_t changes, std::size_t additions,
                                             std::uint64_t seed) {
  generator random{seed};
  std::vector<demo_record> touched;
  for (std::size_t i = 0; i < changes; ++i) {
    auto number = random() % domain.records.size();
    domain.records[number] = make_record(domain.name, number, random);
    touched.push_back(domain.records[number]);
  }
  for (std::size_t i = 0; i < additions; ++i) {
    domain.records.push_back(make_record(domain.name, domain.records.size(), random));
    touched.push_back(domain.records.back());
  }
  return touched;
}

std::string as_ndjson(const std::vector<demo_record>& records) {
  std::string text;
  for (const auto& record : records)
    text += record.payload + "\n";
  return text;
}

std::string demo_apply_file(std::string_view target_url, std::int64_t requests_per_minute) {
  return fmt::format(R"([[tenants]]
name = "demo"

[[connections]]
tenant = "demo"
name = "shop"
driver = "mirror"

[[connections]]
tenant = "demo"
name = "crm"
driver = "rest"
[connections.settings]
base_url = "{}"
requests_per_minute = {}
[connections.settings.operations.create]
method = "POST"
path = "/{{domain}}"
id = "/id"
[connections.settings.operations.update]
method = "PATCH"
path = "/{{domain}}/{{remote_id}}"
[connections.settings.operations.lookup]
path = "/{{domain}}?external_id={{source_id}}"
matches = "/items"
id = "/id"

[[rules]]
name = "customers"
source = "shop"
target = "crm"
domain = "customers"
[rules.mapping]
external_id = {{ template = "{{source_id}}" }}
name = {{ template = "{{/name/given}} {{/name/family}}" }}
email = {{ from = "/email", transform = ["trim", "lower"], required = true }}
"/address/city" = "/city"
credit = {{ from = "/credit", transform = {{ number = 2 }} }}
customer_since = {{ from = "/since", transform = {{ date = "%d.%m.%Y" }} }}

[[rules]]
name = "orders"
source = "shop"
target = "crm"
domain = "orders"
[rules.mapping]
external_id = {{ template = "{{source_id}}" }}
number = "/id"
customer = "/customer"
placed = {{ from = "/ordered_at", transform = {{ date = "%Y-%m-%d" }} }}
freight = "/freight"
lines = "/lines"
note = {{ from = "/note", default = "" }}

[[rules]]
name = "products"
source = "shop"
target = "crm"
domain = "products"
[rules.mapping]
external_id = {{ template = "{{source_id}}" }}
title = "/title"
price = "/price"
barcode = "/barcode"
[rules.filter]
field = "/discontinued"
equals = false
)",
                     target_url, requests_per_minute);
}

std::string demo_settings_file(std::string_view database_path) {
  return fmt::format(
      R"(# The demo's settings: what a local target that loses replies needs, and retries that fit a demo.
[database]
url = "sqlite:{}"

[delivery]
retry_schedule = ["500ms", "1s", "1s", "2s", "2s", "2s", "2s", "2s", "2s", "2s", "2s", "2s"]
settle_after = "2s"

[calls]
allowed_networks = ["127.0.0.0/8"]
connect_timeout = "1s"
call_timeout = "2s"

[log]
level = "warn"
)",
      database_path);
}

} // namespace sluice::app
