#include "api/subscription_views.hpp"

namespace sluice::api {

namespace {

json or_null(const std::string& text) {
  return text.empty() ? json(nullptr) : json(text);
}

json headers_view(const std::vector<core::custom_header>& headers) {
  auto view = json::array();
  for (const auto& header : core::masked(headers))
    view.push_back({{"name", header.name}, {"value", header.value}, {"secret", header.secret}});
  return view;
}

} // namespace

json subscription_view(const core::subscription& one) {
  const auto pushes = one.mode == core::subscription_mode::push;
  return {{"id", one.public_id},
          {"tenant", one.tenant},
          {"name", one.name},
          {"mode", core::to_string(one.mode)},
          {"url", or_null(one.url)},
          {"event_types", one.event_types},
          {"filter", one.filter.empty() ? json(nullptr) : json::parse(one.filter, nullptr, false)},
          {"ordered_by", or_null(one.ordered_by)},
          {"headers", headers_view(one.headers)},
          {"secret", pushes ? json(core::masked_value) : json(nullptr)},
          {"access_accepted", one.access_accepted},
          {"status", core::to_string(one.status)},
          {"cause", one.cause ? json(core::to_string(*one.cause)) : json(nullptr)},
          {"status_reason", or_null(one.status_reason)},
          {"stopped", one.stopped},
          {"consecutive_dead", one.consecutive_dead},
          {"starts_after", one.starts_after.value},
          {"cursor", pushes ? json(nullptr) : json(one.cursor.value)},
          {"offered", pushes ? json(nullptr) : json(one.offered.value)},
          {"revision", one.revision},
          {"created_at", time_view(one.created_at)},
          {"updated_at", time_view(one.updated_at)}};
}

json event_view(const core::change_event& event) {
  return {{"id", or_null(event.public_id)},
          {"type", event.type},
          {"kind", core::to_string(event.kind)},
          {"tenant", event.tenant},
          {"position", event.position ? json(event.position.value) : json(nullptr)},
          {"occurred_at", time_view(event.occurred_at)},
          {"source", event.source
                         ? json{{"domain", event.source->domain}, {"source_id", event.source->source_id}}
                         : json(nullptr)}};
}

json event_delivery_view(const core::event_delivery& delivery) {
  const auto& progress = delivery.progress;
  return {{"event", delivery.event},
          {"type", delivery.type},
          {"position", delivery.position.value},
          {"occurred_at", time_view(delivery.occurred_at)},
          {"state", core::to_string(progress.state)},
          {"attempts", progress.attempts},
          {"round_attempts", progress.round_attempts},
          {"in_flight", progress.claim.has_value()},
          {"due_at", time_view(progress.due_at)},
          {"ordering_key", delivery.ordering_key ? json(*delivery.ordering_key) : json(nullptr)},
          {"error_class", or_null(progress.error_class)},
          {"error", or_null(progress.error)},
          {"created_at", time_view(delivery.created_at)},
          {"updated_at", time_view(delivery.updated_at)}};
}

json attempt_view(const core::delivery_attempt& attempt) {
  return {{"number", attempt.number},
          {"started_at", time_view(attempt.started_at)},
          {"ended_at", time_view(attempt.ended_at)},
          {"took_us", attempt.took.count()},
          {"ending", attempt.ending ? json(core::to_string(*attempt.ending)) : json(nullptr)},
          {"status", attempt.status == 0 ? json(nullptr) : json(attempt.status)},
          {"error_class", or_null(attempt.error_class)},
          {"error", or_null(attempt.error)},
          {"answer", attempt.answer},
          {"answer_cut", attempt.answer_cut}};
}

json audit_view(const core::audit_entry& entry) {
  return {{"id", entry.id},
          {"at", time_view(entry.at)},
          {"by", entry.by},
          {"act", entry.act},
          {"subject", entry.subject},
          {"tenant", or_null(entry.tenant)},
          {"details", json::parse(entry.details, nullptr, false)},
          {"count", entry.count}};
}

std::string pull_page_text(const core::pull_page& page) {
  std::string text = R"({"events":[)";
  for (const auto& event : page.events) {
    auto head = event_view(event).dump(-1, ' ', false, json::error_handler_t::replace);
    head.back() = ',';
    text += (&event == &page.events.front() ? "" : ",") + head + R"("body":)" + core::event_body(event) + "}";
  }
  return text + R"(],"next":)" + std::to_string(page.next.value)
         + (page.through ? R"(,"through":true})" : R"(,"through":false})") + "\n";
}

} // namespace sluice::api
