#include "harness/scripted_target.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace sluice::harness {

using json = nlohmann::json;

namespace {

core::http_answer answered(int status, const json& body) {
  core::http_answer made;
  made.status = status;
  made.body = body.is_null() ? std::string{} : body.dump();
  return made;
}

std::string header_of(const core::http_request& request, std::string_view name) {
  auto find = [&](const core::header_lines& lines) -> std::string {
    for (const auto& line : lines) {
      if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == ':')
        return line.substr(line.find_first_not_of(' ', name.size() + 1));
    }
    return {};
  };
  if (auto own = find(request.headers); !own.empty())
    return own;
  return request.common_headers ? find(*request.common_headers) : std::string{};
}

/// What follows the host.
std::string path_of(const std::string& url) {
  auto host = url.find("://");
  auto path = url.find('/', host == std::string::npos ? 0 : host + 3);
  return path == std::string::npos ? "/" : url.substr(path);
}

/// A query's value with its percent encoding undone.
std::string decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      plain += static_cast<char>(std::stoi(std::string{text.substr(i + 1, 2)}, nullptr, 16));
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

} // namespace

std::string scripted_target::settings_text() const {
  json settings = {{"base_url", address()}, {"requests_per_minute", options_.requests_per_minute}};
  settings["auth"] = options_.oauth2
                         ? json{{"type", "oauth2_client_credentials"}, {"token_url", address() + "/token"}}
                         : json{{"type", "bearer"}};
  if (options_.idempotency_key)
    settings["idempotency"] = {{"header", "Idempotency-Key"}, {"key_lifetime", "24h"}};
  auto& operations = settings["operations"];
  operations["create"] = {{"path", "/{domain}"}};
  operations["update"] = {{"path", "/{domain}/{remote_id}"}};
  operations["delete"] = {{"path", "/{domain}/{remote_id}"}};
  operations["deactivate"] = {{"path", "/{domain}/{remote_id}"}, {"body", {{"active", false}}}};
  operations["reactivate"] = {{"path", "/{domain}/{remote_id}"}, {"body", {{"active", true}}}};
  if (options_.lookup)
    operations["lookup"] = {{"path", "/{domain}?external_id={source_id}"}, {"matches", "/items"}};
  if (!options_.nested_domain.empty())
    settings["domains"][options_.nested_domain]["operations"]["delete"] = {
        {"path", "/customers/{anchor_id}/{domain}/{remote_id}"}};
  return settings.dump();
}

std::string scripted_target::credentials_text() const {
  return options_.oauth2 ? R"({"client_id":"sluice","client_secret":"a-secret"})" : R"({"token":"a-token"})";
}

void scripted_target::behave() {
  next_.clear();
  standing_.clear();
  decide_ = {};
  watch_ = {};
  latency_ = {};
}

std::size_t scripted_target::count(std::string_view method) const {
  return static_cast<std::size_t>(std::ranges::count(calls_, method, &seen_call::method));
}

std::size_t scripted_target::most_calls_within(core::duration span) const {
  std::size_t most = 0;
  std::size_t first = 0;
  for (std::size_t last = 0; last < calls_.size(); ++last) {
    while (calls_[last].at - calls_[first].at > span)
      ++first;
    most = std::max(most, last - first + 1);
  }
  return most;
}

std::vector<held_object> scripted_target::objects_of(std::string_view external_id) const {
  std::vector<held_object> found;
  for (const auto& [id, object] : objects_) {
    if (object.external_id == external_id)
      found.push_back(object);
  }
  return found;
}

const held_object* scripted_target::object_of(std::string_view external_id) const {
  const held_object* found = nullptr;
  for (const auto& [id, object] : objects_) {
    if (object.external_id != external_id)
      continue;
    if (found != nullptr)
      return nullptr;
    found = &object;
  }
  return found;
}

bool scripted_target::knows_key(const std::string& key) const {
  auto begun = [&key](const late_work& work) { return work.call.key == key; };
  return object_of_key_.contains(key) || std::ranges::any_of(works_, begun);
}

std::string scripted_target::hold(std::string external_id, std::string body) {
  auto id = "r-" + std::to_string(++objects_made_);
  objects_[id] = {id, std::move(external_id), std::move(body), true, 0};
  return id;
}

scripted_target::response scripted_target::receive(const core::outbound_call& call, core::timestamp now) {
  const auto& request = call.request;
  seen_call seen{request.method,
                 path_of(request.url),
                 request.body,
                 header_of(request, "Idempotency-Key"),
                 header_of(request, "Authorization"),
                 request.headers,
                 call.owner.rule(),
                 now,
                 request.mail};
  finish_work(now);
  auto reacts = reaction_to(seen);
  auto never_arrives = reacts.told && reacts.told->error == core::call_error::not_connected;
  if (!never_arrives)
    calls_.push_back(seen);
  std::optional<core::http_answer> served;
  if (reacts.works > core::duration{0} && authorized(seen))
    works_.push_back({now + reacts.works, seen});
  else if (reacts.request == reaction::carries::out)
    served = carry_out(seen);
  auto takes = reacts.takes > core::duration{0} ? reacts.takes : latency_;
  response made{reacts.hangs ? std::nullopt : reacts.told ? reacts.told : served, takes};
  if (watch_)
    watch_({std::move(seen), std::move(served), made.told, takes, false});
  return made;
}

void scripted_target::finish_work(core::timestamp now) {
  for (std::size_t i = 0; i < works_.size();) {
    if (works_[i].done_at > now) {
      ++i;
      continue;
    }
    auto work = std::move(works_[i]);
    works_.erase(works_.begin() + static_cast<std::ptrdiff_t>(i));
    finish(work);
  }
}

void scripted_target::finish(const late_work& work) {
  auto did = carry_out_authorized(work.call); // it was when it came
  if (watch_)
    watch_({work.call, std::move(did), std::nullopt, {}, true});
}

/// Who asks again under a key waits for what was begun under it.
void scripted_target::finish_work_under(const std::string& key) {
  auto found = std::ranges::find_if(works_, [&](const late_work& work) { return work.call.key == key; });
  if (found == works_.end())
    return;
  auto work = std::move(*found);
  works_.erase(found);
  finish(work);
}

reaction scripted_target::reaction_to(const seen_call& call) {
  if (!next_.empty()) {
    auto what = next_.front();
    next_.pop_front();
    return what;
  }
  if (auto what = decide_ ? decide_(call) : std::nullopt)
    return *what;
  auto found = standing_.find(call.method);
  return found == standing_.end() ? serve() : found->second;
}

core::http_answer scripted_target::carry_out(const seen_call& call) {
  if (call.path == "/token")
    return give_token();
  return authorized(call) ? carry_out_authorized(call) : answered(401, {{"error", "the token is not valid"}});
}

core::http_answer scripted_target::carry_out_authorized(const seen_call& call) {
  if (call.method == "POST")
    return create(call);
  if (call.method == "GET")
    return look_up(call);
  auto found = objects_.find(call.path.substr(call.path.rfind('/') + 1));
  if (found == objects_.end())
    return answered(404, {{"error", "no such object"}});
  if (call.method == "DELETE") {
    objects_.erase(found);
    return answered(204, nullptr);
  }
  return change(call, found->second);
}

core::http_answer scripted_target::create(const seen_call& call) {
  if (!call.key.empty())
    finish_work_under(call.key);
  auto known = call.key.empty() ? object_of_key_.end() : object_of_key_.find(call.key);
  if (known != object_of_key_.end())
    return answered(200, {{"id", known->second}});
  auto body = json::parse(call.body, nullptr, false);
  if (!body.is_object())
    return answered(400, {{"error", "the body is not an object"}});
  auto id = hold(body.value("external_id", std::string{}), call.body);
  objects_[id].writes = 1;
  if (!call.key.empty())
    object_of_key_[call.key] = id;
  return answered(201, {{"id", id}});
}

core::http_answer scripted_target::change(const seen_call& call, held_object& object) {
  auto body = json::parse(call.body, nullptr, false);
  if (!body.is_object())
    return answered(400, {{"error", "the body is not an object"}});
  ++object.writes;
  if (auto active = body.find("active"); active != body.end())
    object.active = active->get<bool>();
  else
    object.body = call.body;
  return answered(200, {{"id", object.id}});
}

core::http_answer scripted_target::look_up(const seen_call& call) const {
  auto wanted = decoded(std::string_view{call.path}.substr(call.path.find('=') + 1));
  auto items = json::array();
  for (const auto& object : objects_of(wanted))
    items.push_back({{"id", object.id}, {"external_id", object.external_id}});
  return answered(200, {{"items", items}});
}

core::http_answer scripted_target::give_token() {
  return answered(200, {{"access_token", "token-" + std::to_string(++tokens_given_)},
                        {"token_type", "Bearer"},
                        {"expires_in", 3600}});
}

bool scripted_target::authorized(const seen_call& call) const {
  if (!options_.oauth2)
    return call.authorization == "Bearer a-token";
  for (auto number = tokens_valid_from_; number <= tokens_given_; ++number) {
    if (call.authorization == "Bearer token-" + std::to_string(number))
      return true;
  }
  return false;
}

} // namespace sluice::harness
