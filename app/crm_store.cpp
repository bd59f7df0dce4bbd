#include "app/crm_store.hpp"

#include "api/url_text.hpp"
#include "config/document.hpp"
#include "core/payload.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace sluice::app {
namespace {

crm_reply refusal(int status, std::string_view why) {
  crm_reply reply{status, "{\"error\":"};
  core::append_json_string(reply.body, why);
  reply.body += '}';
  return reply;
}

crm_reply not_there() {
  return refusal(404, "there is no such object");
}

std::optional<std::int64_t> read_id(std::string_view text) {
  std::int64_t id = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), id);
  return failed == std::errc{} && end == text.data() + text.size() ? std::optional{id} : std::nullopt;
}

} // namespace

crm_reply crm_store::handle(const crm_request& request) {
  const auto target = api::split_target(request.target);
  if (!target || target->segments.empty() || target->segments.size() > 2) {
    return refusal(404, "paths are /{collection} and /{collection}/{id}");
  }
  if (target->segments.size() == 1 && request.method == "POST") {
    return create(collections_[target->segments.front()], request);
  }
  static const collection nothing;
  const auto held = collections_.find(target->segments.front());
  if (target->segments.size() == 1) {
    const auto external_id = target->query.find("external_id");
    if (request.method != "GET" || external_id == target->query.end()) {
      return refusal(405, "a collection takes POST, and GET with ?external_id=");
    }
    return find(held == collections_.end() ? nothing : held->second, external_id->second);
  }
  if (held == collections_.end()) {
    return not_there();
  }
  auto& in = held->second;
  const auto id = read_id(target->segments.back());
  const auto found = id ? in.objects.find(*id) : in.objects.end();
  if (found == in.objects.end()) {
    return not_there();
  }
  if (request.method == "PATCH" || request.method == "PUT") {
    return change(in, *id, request);
  }
  if (request.method == "DELETE") {
    return remove(in, *id, request.at);
  }
  if (request.method != "GET") {
    return refusal(405, "an object takes GET, PATCH, PUT and DELETE");
  }
  crm_reply reply;
  append_object(reply.body, *id, found->second);
  return reply;
}

crm_reply crm_store::create(collection& into, const crm_request& request) {
  if (!request.idempotency_key.empty()) {
    if (const auto known = into.answers.find(request.idempotency_key); known != into.answers.end()) {
      return known->second;
    }
  }
  changes wish;
  crm_reply reply;
  if (!read_changes(request.body, wish, reply)) {
    return reply;
  }
  object made{std::move(wish.external_id), wish.active.value_or(true), std::move(wish.fields)};
  const auto id = ++into.last_id;
  ++into.creates;
  if (!made.external_id.empty() && into.by_external_id.contains(made.external_id)) {
    into.created_twice.insert(made.external_id);
  }
  index(into, id, made.external_id);
  into.objects.emplace(id, std::move(made));
  reply = {201, "{\"id\":\"" + std::to_string(id) + "\"}"};
  if (!request.idempotency_key.empty()) {
    into.answers.emplace(request.idempotency_key, reply);
  }
  return reply;
}

crm_reply crm_store::change(collection& in, std::int64_t id, const crm_request& request) {
  auto& held = in.objects.at(id);
  changes wish;
  crm_reply reply;
  if (!read_changes(request.body, wish, reply)) {
    return reply;
  }
  ++in.updates;
  if (request.method == "PUT") {
    held.fields.clear();
  }
  set_active(in, id, wish.active.value_or(held.active), request.at);
  for (auto& [name, json] : wish.fields) {
    held.fields.insert_or_assign(name, std::move(json));
  }
  if (!wish.external_id.empty() && wish.external_id != held.external_id) {
    unindex(in, id, held.external_id);
    held.external_id = wish.external_id;
    index(in, id, held.external_id);
  }
  return {200, "{\"id\":\"" + std::to_string(id) + "\"}"};
}

crm_reply crm_store::remove(collection& from, std::int64_t id, core::timestamp now) {
  ++from.deletes;
  const auto& external_id = from.objects.at(id).external_id;
  from.withdrawals.push_back({id, external_id, "delete", now});
  unindex(from, id, external_id);
  from.objects.erase(id);
  return {204, ""};
}

void crm_store::set_active(collection& in, std::int64_t id, bool active, core::timestamp now) {
  auto& held = in.objects.at(id);
  if (held.active && !active) {
    ++in.deactivations;
    in.withdrawals.push_back({id, held.external_id, "deactivate", now});
  }
  in.reactivations += !held.active && active ? 1 : 0;
  held.active = active;
}

crm_reply crm_store::find(const collection& in, const std::string& external_id) {
  crm_reply reply{200, "{\"items\":["};
  if (const auto ids = in.by_external_id.find(external_id); ids != in.by_external_id.end()) {
    for (const auto id : ids->second) {
      reply.body += reply.body.ends_with('[') ? "" : ",";
      append_object(reply.body, id, in.objects.at(id));
    }
  }
  reply.body += "]}";
  return reply;
}

bool crm_store::read_changes(std::string_view body, changes& into, crm_reply& fault) {
  const auto document = config::parse_json(body);
  if (!document) {
    fault = refusal(400, document.error().what);
    return false;
  }
  if (document->kind != config::document_kind::table) {
    fault = refusal(422, "the body is not a JSON object");
    return false;
  }
  for (const auto& [name, value] : document->members) {
    if (name == "external_id") {
      into.external_id = value.kind == config::document_kind::null ? std::string{} : value.text;
    } else if (name == "active" && value.kind == config::document_kind::boolean) {
      into.active = value.text == "true";
    } else {
      config::append_json(into.fields[name], value);
    }
  }
  return true;
}

void crm_store::index(collection& in, std::int64_t id, const std::string& external_id) {
  if (!external_id.empty()) {
    in.by_external_id[external_id].push_back(id);
  }
}

void crm_store::unindex(collection& in, std::int64_t id, const std::string& external_id) {
  if (const auto ids = in.by_external_id.find(external_id); ids != in.by_external_id.end()) {
    std::erase(ids->second, id);
    if (ids->second.empty()) {
      in.by_external_id.erase(ids);
    }
  }
}

void crm_store::append_object(std::string& out, std::int64_t id, const object& from) {
  out += "{\"id\":\"" + std::to_string(id) + "\",\"external_id\":";
  core::append_json_string(out, from.external_id);
  out += from.active ? "" : ",\"active\":false";
  out += ",\"fields\":{";
  for (const auto& [name, json] : from.fields) {
    out += out.ends_with('{') ? "" : ",";
    core::append_json_string(out, name);
    out += ':';
    out += json;
  }
  out += "}}";
}

std::string crm_store::state_json() const {
  std::string out = "{";
  for (const auto& [name, held] : collections_) {
    out += out.size() > 1 ? "," : "";
    core::append_json_string(out, name);
    out += ":{\"count\":" + std::to_string(held.objects.size()) + ",\"created_twice\":[";
    for (const auto& external_id : held.created_twice) {
      out += out.ends_with('[') ? "" : ",";
      core::append_json_string(out, external_id);
    }
    out += "],\"creates\":" + std::to_string(held.creates) + ",\"updates\":" + std::to_string(held.updates)
           + ",\"deletes\":" + std::to_string(held.deletes)
           + ",\"deactivations\":" + std::to_string(held.deactivations)
           + ",\"reactivations\":" + std::to_string(held.reactivations) + "}";
  }
  return out + "}";
}

void crm_store::append_withdrawal(std::string& out, const withdrawal& from) {
  out += "{\"id\":\"" + std::to_string(from.id) + "\",\"external_id\":";
  core::append_json_string(out, from.external_id);
  out += ",\"how\":\"" + std::string{from.how} + "\",\"at\":\"" + core::to_rfc3339(from.at) + "\"}";
}

std::string crm_store::items_json(std::string_view name) const {
  static const collection nothing;
  const auto found = collections_.find(name);
  const auto& shown = found == collections_.end() ? nothing : found->second;
  std::string out = "{\"items\":[";
  for (const auto& [id, held] : shown.objects) {
    out += out.ends_with('[') ? "" : ",";
    append_object(out, id, held);
  }
  out += "],\"withdrawals\":[";
  for (const auto& each : shown.withdrawals) {
    out += out.ends_with('[') ? "" : ",";
    append_withdrawal(out, each);
  }
  return out + "]}";
}

} // namespace sluice::app
