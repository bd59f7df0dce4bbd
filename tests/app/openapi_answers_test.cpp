#include "api/openapi.hpp"
#include "tests/app/notification_world.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace sluice::app {
namespace {

using tests::json;
using tests::notification_world;

const json& description() {
  static const json document = json::parse(api::openapi_document());
  return document;
}

json resolved(const json& schema) {
  if (!schema.contains("$ref"))
    return schema;
  return description().at(json::json_pointer{schema.at("$ref").get<std::string>().substr(1)});
}

bool is_of_type(const json& value, const std::string& type) {
  if (type == "null")
    return value.is_null();
  if (type == "string")
    return value.is_string();
  if (type == "integer")
    return value.is_number_integer();
  if (type == "boolean")
    return value.is_boolean();
  if (type == "array")
    return value.is_array();
  return type == "object" && value.is_object();
}

/// What of a value its schema does not allow, with where; the parts of JSON Schema the description uses.
void faults(const json& value, const json& given, const std::string& where, std::vector<std::string>& found) {
  const auto schema = resolved(given);
  if (schema.contains("oneOf")) {
    const auto fits = [&](const json& one) {
      std::vector<std::string> its;
      faults(value, one, where, its);
      return its.empty();
    };
    if (std::ranges::count_if(schema.at("oneOf"), fits) != 1)
      found.push_back(where + " is none of what is allowed: " + value.dump());
    return;
  }
  if (schema.contains("type")) {
    const auto& type = schema.at("type");
    const auto types = type.is_array() ? type : json::array({type});
    if (std::ranges::none_of(types, [&](const json& one) { return is_of_type(value, one); }))
      found.push_back(where + " has another type: " + value.dump());
  }
  if (schema.contains("enum") && std::ranges::find(schema.at("enum"), value) == schema.at("enum").end())
    found.push_back(where + " is another word: " + value.dump());
  if (value.is_array() && schema.contains("items"))
    for (const auto& item : value)
      faults(item, schema.at("items"), where + "[]", found);
  if (!value.is_object())
    return;
  const auto properties = schema.value("properties", json::object());
  const auto others = schema.value("additionalProperties", json(true));
  for (const auto& name : schema.value("required", json::array()))
    if (!value.contains(name.get<std::string>()))
      found.push_back(where + "/" + name.get<std::string>() + " is missing");
  for (const auto& [name, member] : value.items()) {
    if (properties.contains(name))
      faults(member, properties.at(name), where + "/" + name, found);
    else if (others == false)
      found.push_back(where + "/" + name + " is not described");
    else if (others.is_object())
      faults(member, others, where + "/" + name, found);
  }
}

std::string listed(const std::vector<std::string>& texts) {
  std::string all;
  for (const auto& text : texts)
    all += text + "; ";
  return all;
}

/// Delivered, held, stopped and backfilling things, so that every list has something in it.
struct busy_world : notification_world {
  busy_world() {
    import_records(30);
    wait_for("delivered", 30);
    ask("POST", "/v1/tokens", {{"name", "pager"}, {"role", "viewer"}, {"tenants", {"acme"}}});
    delete_records(30);
    hold = ask_until("/v1/holds", [](const json& h) { return h.at("holds").size() == 1; })
               .at("holds")[0]
               .at("id")
               .get<std::string>();
    stop = ask("POST", "/v1/stops", {{"scope", "rule"}, {"rule", "to-crm"}, {"reason", "a look"}})
               .document.at("id")
               .get<std::string>();
    ask("POST", "/v1/rules/to-crm/plan");
    ask("POST", "/v1/rules/to-crm/verify");
    job = ask("POST", "/v1/rules/to-crm/reopen", {{"all", true}}).document.at("id").get<std::string>();
    subscribe();
    notify();
  }

  /// One that nobody knows the fate of, what its provider told, and what was no provider's.
  void notify() {
    hooks = made_profile();
    route = made_route();
    person = made_contact();
    (void)ask("POST", "/v1/contact-points/" + id_of(made_contact("+442079460958", "phone")) + "/suppress");
    notification = made_ambiguous(hooks, person);
    told(hooks, "m-1");
    refuse(hooks);
  }

  /// One that was pushed to, and one whose owner reads.
  void subscribe() {
    hook = made_push();
    reader = made_pull();
    event = publish("orders.paid");
    (void)deliveries(reader, 1);
    ask_until(path_of(hook, "/deliveries"),
              [](const json& page) { return page.at("deliveries")[0].at("attempts") == 1; });
    const auto occurred_at =
        ask("GET", path_of(hook, "/deliveries")).document.at("deliveries")[0].at("occurred_at");
    replay =
        ask("POST", path_of(hook, "/replays"), {{"from", occurred_at}}).document.at("id").get<std::string>();
  }

  using notification_world::path_of;

  [[nodiscard]] std::string path_of(std::string pattern) const {
    const auto reads = pattern.ends_with("}/events") || pattern.ends_with("/cursor");
    const auto& one = reads ? reader : hook;
    if (pattern.ends_with("/records/{domain}"))
      return "/v1/connections/shop/records/customers"; // a target has no mirror
    const std::map<std::string, std::string> named{{"{rule}", "to-crm"},
                                                   {"{source_id}", "c1"},
                                                   {"{connection}", "crm"},
                                                   {"{token}", "pager"},
                                                   {"{tenant}", "acme"},
                                                   {"{domain}", "customers"},
                                                   {"{kind}", "ambiguous_submission"},
                                                   {"{subscription}", one.at("id").get<std::string>()},
                                                   {"{event}", event},
                                                   {"{profile}", id_of(hooks)},
                                                   {"{route}", id_of(route)},
                                                   {"{contact}", id_of(person)},
                                                   {"{notification}", id_of(notification)}};
    for (const auto& [part, name] : named)
      if (const auto at = pattern.find(part); at != std::string::npos)
        pattern.replace(at, part.size(), name);
    if (const auto at = pattern.find("{id}"); at != std::string::npos)
      pattern.replace(at, 4,
                      pattern.starts_with("/v1/holds")                 ? hold
                      : pattern.find("/jobs/") != std::string::npos    ? job
                      : pattern.find("/replays/") != std::string::npos ? replay
                                                                       : stop);
    return pattern;
  }

  std::string hold;
  std::string stop;
  std::string job;
  json hook;
  json reader;
  std::string event;
  std::string replay;
  json hooks;
  json route;
  json person;
  json notification;
};

/// Every operation of the description with this method: its path and itself.
std::vector<std::pair<std::string, json>> operations(const std::string& method) {
  std::vector<std::pair<std::string, json>> found;
  for (const auto& [path, of] : description().at("paths").items())
    if (of.contains(method))
      found.emplace_back(path, of.at(method));
  return found;
}

json answer_schema(const json& operation, int status) {
  const auto& responses = operation.at("responses");
  const auto told = std::to_string(status);
  if (!responses.contains(told))
    return nullptr;
  return resolved(responses.at(told)).at("content").begin().value().at("schema");
}

TEST_CASE("what is read is answered as it is described") {
  busy_world w;
  auto read = 0;
  for (const auto& [path, operation] : operations("get")) {
    INFO(path);
    if (!operation.at("responses").at("200").at("content").contains("application/json"))
      continue; // for machines that read no JSON, or without an end
    const auto answer = w.ask("GET", w.path_of(path));
    CHECK(answer.status == 200);
    const auto schema = answer_schema(operation, answer.status);
    REQUIRE(schema.is_object());
    std::vector<std::string> found;
    faults(answer.document, schema, "", found);
    INFO(listed(found));
    CHECK(found.empty());
    ++read;
  }
  CHECK(read >= 45);
}

/// A value no schema of a body allows.
json wrong_for(const json& schema) {
  return schema.value("type", json("string")) == "array" ? json("not a list") : json::array({json::object()});
}

TEST_CASE("the members of a body are those that are described, and of the described types") {
  busy_world w;
  auto tried = 0;
  for (const std::string method : {"post", "put", "patch"})
    for (const auto& [path, operation] : operations(method)) {
      if (!operation.contains("requestBody")
          || !operation.at("requestBody").at("content").contains("application/json"))
        continue;
      const auto schema = operation.at("requestBody").at("content").at("application/json").at("schema");
      INFO(method << " " << path);
      const auto verb = method == "post" ? "POST" : method == "put" ? "PUT" : "PATCH";
      CHECK(w.ask(verb, w.path_of(path), {{"surely_unknown", 1}}).status == 422);
      const auto properties = schema.value("properties", json::object());
      for (const auto& [name, member] : properties.items()) {
        if (!member.contains("type"))
          continue; // anything goes
        INFO(name);
        json body{{name, wrong_for(member)}};
        if (properties.contains("scope")
            && (name == "connection" || name == "rule" || name == "subscription" || name == "profile"))
          body["scope"] = name; // they go with it alone
        const auto refused = w.ask(verb, w.path_of(path), body);
        CHECK(refused.status == 422);
        CHECK(refused.document.dump().find("is not a member") == std::string::npos);
        CHECK(refused.document.dump().find("is not known") == std::string::npos);
        ++tried;
      }
    }
  CHECK(tried >= 150);
}

} // namespace
} // namespace sluice::app
