#include "crypto/digest.hpp"
#include "crypto/encoding.hpp"
#include "sim/provider.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

// What becomes of messages, and what a provider answers when it is asked.

namespace sluice::sim {

using namespace std::chrono_literals;
using core::provider_kind;
using json = nlohmann::json;

namespace {

std::vector<std::string> draw_words(provider_kind kind, dice& from) {
  auto maybe = [&](double probability, const char* word) {
    return from.chance(probability) ? std::vector<std::string>{word} : std::vector<std::string>{};
  };
  auto joined = [](std::vector<std::string> first, const std::vector<std::string>& then) {
    first.insert(first.end(), then.begin(), then.end());
    return first;
  };
  switch (kind) {
  case provider_kind::ses: {
    constexpr const char* ends[] = {"Delivery", "Delivery", "Delivery", "Bounce Permanent",
                                    "Bounce Transient"};
    auto words = joined({"Send"}, maybe(0.2, "DeliveryDelay"));
    words.emplace_back(from.pick(ends));
    return words.back() == "Delivery" ? joined(words, maybe(0.1, "Complaint")) : words;
  }
  case provider_kind::twilio: {
    constexpr const char* ends[] = {"sms delivered", "sms delivered", "sms undelivered", "sms failed"};
    return {"sms queued", "sms sent", from.pick(ends)};
  }
  case provider_kind::smtp: {
    constexpr const char* ends[] = {"dsn failed 5.1.1", "dsn failed 4.4.7"};
    auto words = maybe(0.2, "dsn delayed");
    return from.chance(0.3) ? joined(words, {from.pick(ends)}) : words;
  }
  case provider_kind::webhook: {
    constexpr const char* ends[] = {"hook delivered", "hook delivered", "hook rejected", "hook undelivered"};
    return joined(joined({"hook sent"}, maybe(0.3, "hook delayed")), {from.pick(ends)});
  }
  case provider_kind::fcm:
  case provider_kind::apns:
  case provider_kind::web_push:
    break;
  }
  return {};
}

std::string key_of(const telling& of) {
  if (!of.event_id.empty())
    return "p" + std::to_string(of.what.provider) + " id " + of.event_id;
  auto word =
      of.what.word.starts_with("dsn failed") ? "failed" : of.what.word.substr(of.what.word.rfind(' ') + 1);
  return "p" + std::to_string(of.what.provider) + " " + of.what.message_id + " " + word;
}

} // namespace

std::vector<telling> draw_story(provider_kind kind, dice& from, const provider::message& of,
                                std::size_t number) {
  std::vector<telling> story;
  auto at = of.taken_at;
  for (auto& word : draw_words(kind, from)) {
    telling made;
    made.happened = at;
    made.published = at;
    made.as_json = kind == provider_kind::twilio && from.chance(0.3);
    auto has_id = kind == provider_kind::ses || kind == provider_kind::webhook || made.as_json;
    if (has_id)
      made.event_id = "e-" + of.id + "-" + std::to_string(story.size());
    made.what.provider = number;
    made.what.notification = of.notification;
    made.what.attempt = of.attempt;
    made.what.message_id = of.id;
    made.what.names_attempt =
        kind == provider_kind::smtp || (has_id ? !made.as_json && from.chance(0.7) : true);
    made.what.word = std::move(word);
    made.what.key = key_of(made);
    story.push_back(std::move(made));
    at += from.between(1s, 3min);
  }
  return story;
}

const telling* provider::state_of(const message& of) const {
  const telling* state = nullptr;
  for (const auto& each : of.story) {
    if (state == nullptr || each.happened <= world_.now())
      state = &each;
  }
  return state;
}

std::string provider::resource_of(const message& of) {
  const auto* state = state_of(of);
  auto word = state->what.word.substr(state->what.word.rfind(' ') + 1);
  if (kind_ == provider_kind::webhook)
    return json{{"id", of.id},
                {"attempt_id", of.attempt},
                {"state", word},
                {"time", core::to_rfc3339(state->happened)}}
        .dump();
  return json{{"sid", of.id},
              {"status", word},
              {"from", twilio_sender},
              {"to", of.to},
              {"body", of.text},
              {"direction", "outbound-api"},
              {"date_created", mail_date(of.taken_at)},
              {"date_updated", mail_date(state->happened)},
              {"error_code", nullptr}}
      .dump();
}

/// Whoever keeps it will have the whole answer with it.
void provider::tell_asked(const message& of, const std::string& body) {
  auto told = state_of(of)->what;
  const auto digest = crypto::sha256(body);
  told.asked_for = true;
  told.names_attempt = true;
  told.key = "asked p" + std::to_string(told.provider) + " " + of.id + " "
             + told.word.substr(told.word.rfind(' ') + 1) + " "
             + crypto::to_hex(crypto::as_bytes(digest)).substr(0, 16);
  checker_.tells(told);
}

/// Of Twilio by the message's id, or by recipient; of a webhook's receiver by our id for the attempt.
harness::reaction provider::status(const harness::seen_call& call) {
  auto latency = dice_.between(5ms, 400ms);
  if (!faults_.resting() && world_.clock().steady() < down_until_)
    return harness::refuse_the_connection();
  if (faults_.strikes(fault::never_answered))
    return harness::hang();
  if (faults_.strikes(fault::answered_500))
    return harness::answer(500).after(latency);
  if (faults_.strikes(fault::lookup_late))
    return harness::answer(404).after(latency);
  if (auto query = call.path.find("?To=%2B"); query != std::string::npos) {
    auto number = call.path.substr(query + 7);
    number = "+" + number.substr(0, number.find('&'));
    std::string list;
    std::vector<const message*> listed;
    for (const auto& each : messages_) {
      if (each.to != number)
        continue;
      list.append(list.empty() ? "" : ",").append(resource_of(each));
      listed.push_back(&each);
    }
    auto body = R"({"messages":[)" + list + R"(],"next_page_uri":null})";
    for (const auto* each : listed)
      tell_asked(*each, body);
    return harness::answer(200, body).after(latency);
  }
  for (const auto& each : messages_) {
    auto named = kind_ == provider_kind::webhook ? call.path.ends_with("/" + each.attempt)
                                                 : call.path.ends_with("/" + each.id + ".json");
    if (!named)
      continue;
    auto body = resource_of(each);
    tell_asked(each, body);
    return harness::answer(200, body).after(latency);
  }
  return harness::answer(404).after(latency);
}

} // namespace sluice::sim
