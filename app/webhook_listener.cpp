#include "app/webhook_listener.hpp"

#include "app/http_text.hpp"
#include "providers/webhook_signature.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <chrono>
#include <utility>

namespace sluice::app {
namespace {

constexpr std::array<std::string_view, 3> state_words{"unchecked", "good", "bad"};

template <class Number>
bool read_whole(std::string_view text, Number& into) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), into);
  return failed == std::errc{} && end == text.data() + text.size();
}

std::string type_of(std::string_view body) {
  const auto read = nlohmann::json::parse(body, nullptr, false);
  const auto found = read.is_object() ? read.find("type") : read.end();
  return found != read.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

} // namespace

std::string_view to_string(signature_state state) noexcept {
  const auto index = static_cast<std::size_t>(state);
  return index < state_words.size() ? state_words[index] : std::string_view{"unknown"};
}

std::expected<planned_failure, std::string> parse_planned_failure(std::string_view text) {
  const auto colon = text.find(':');
  const auto how = text.substr(0, colon);
  planned_failure made;
  if (how == "cut" || how == "hang") {
    made.kind = how == "cut" ? reaction_kind::cut : reaction_kind::hang;
  } else if (!read_whole(how, made.status) || made.status < answer_status_min
             || made.status > answer_status_max) {
    return std::unexpected{"\"" + std::string{text}
                           + "\" begins with no failure; allowed are a status of 200 to 599, cut and hang"};
  }
  const bool is_share = colon != std::string_view::npos && read_whole(text.substr(colon + 1), made.share)
                        && made.share >= 0 && made.share <= 1;
  if (!is_share) {
    return std::unexpected{"\"" + std::string{text}
                           + "\" ends with no share; allowed is one of 0 to 1, as in 503:0.2"};
  }
  return made;
}

arrived_webhook webhook_listener::receive(const served_request& request, core::timestamp now) {
  arrived_webhook made;
  made.at = now;
  made.path = request.target;
  made.id = request.header("webhook-id");
  made.type = type_of(request.body);
  made.body = request.body;
  if (const auto at = providers::read_webhook_timestamp(request.header("webhook-timestamp"))) {
    made.age = now - *at;
  }
  ++counts_.received;
  judge_signature(made, request);
  if (made.signature == signature_state::bad) {
    ++counts_.bad_signatures;
  }
  if (made.id.empty()) {
    ++counts_.without_id;
  } else {
    made.times_seen = remember(made.id);
    ++(made.times_seen == 1 ? counts_.distinct_ids : counts_.repeats);
  }
  made.reaction = react();
  return made;
}

void webhook_listener::judge_signature(arrived_webhook& webhook, const served_request& request) const {
  for (const auto& [name, key] : keys_) {
    const auto verified = providers::verify_webhook({.id = webhook.id,
                                                     .timestamp = request.header("webhook-timestamp"),
                                                     .signature = request.header("webhook-signature"),
                                                     .body = request.body},
                                                    key, webhook.at);
    if (verified) {
      webhook.signature = signature_state::good;
      webhook.signature_detail = name;
      return;
    }
    webhook.signature = signature_state::bad;
    if (webhook.signature_detail.empty()) {
      webhook.signature_detail = verified.error();
    }
  }
}

std::int64_t webhook_listener::remember(const std::string& id) {
  const auto times = ++seen_[id];
  if (times == 1) {
    order_.push_back(id);
    if (order_.size() > ids_remembered_max) {
      seen_.erase(order_.front());
      order_.pop_front();
    }
  }
  return times;
}

http_reaction webhook_listener::react() {
  http_reaction made{.kind = plan_.kind, .status = plan_.status, .after = plan_.latency};
  auto left = plan_.failures.empty() ? 1.0 : draw_.next();
  for (const auto& failure : plan_.failures) {
    left -= failure.share;
    if (left < 0) {
      made.kind = failure.kind;
      made.status = failure.status;
      break;
    }
  }
  const bool refuses = made.status < 200 || made.status > 299;
  if (refuses && plan_.retry_after_seconds) {
    made.headers = retry_after_line(*plan_.retry_after_seconds);
  }
  made.last = plan_.limit && counts_.received >= *plan_.limit;
  return made;
}

} // namespace sluice::app
