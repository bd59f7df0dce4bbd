#include "sim/provider_kinds.hpp"

#include <nlohmann/json.hpp>

// How each provider says what it says, by its own documentation.

namespace sluice::sim {

using core::provider_kind;
using json = nlohmann::json;
using enum provider_word;

namespace {

core::http_answer answer(int status, std::string body = {}) {
  core::http_answer made;
  made.status = status;
  made.body = std::move(body);
  return made;
}

core::http_answer reply(int code, const char* command, std::string text) {
  auto made = answer(code, text + "\r\n");
  made.headers.emplace_back(command, std::move(text));
  return made;
}

std::string ses_error(const char* name) {
  return json{{"__type", name}, {"message", "no"}}.dump();
}

std::string twilio_error(int code) {
  return json{{"code", code}, {"message", "no"}, {"status", 400}}.dump();
}

std::string fcm_error(const char* status, const char* code) {
  return json{{"error",
               {{"status", status},
                {"details",
                 {{{"@type", "type.googleapis.com/google.firebase.fcm.v1.FcmError"}, {"errorCode", code}}}}}}}
      .dump();
}

std::optional<core::http_answer> said_by_ses(provider_word word, const std::string& message_id) {
  switch (word) {
  case took:
    return answer(200, json{{"MessageId", message_id}}.dump());
  case refused_message:
    return answer(400, ses_error("BadRequestException"));
  case refused_account:
    return answer(403, ses_error("AccountSuspendedException"));
  case try_later:
    return answer(429, ses_error("TooManyRequestsException"));
  case unclear:
    return answer(500, ses_error("InternalFailure"));
  default:
    return std::nullopt;
  }
}

std::optional<core::http_answer> said_by_twilio(provider_word word, const std::string& message_id) {
  switch (word) {
  case took:
    return answer(201, json{{"sid", message_id}, {"status", "queued"}}.dump());
  case refused_recipient:
    return answer(400, twilio_error(21610));
  case refused_message:
    return answer(400, twilio_error(21617));
  case refused_account:
    return answer(401, twilio_error(20003));
  case try_later:
    return answer(429, twilio_error(20429));
  case unclear:
    return answer(500, twilio_error(20500));
  default:
    return std::nullopt;
  }
}

std::optional<core::http_answer> said_by_fcm(provider_word word, const std::string& message_id) {
  switch (word) {
  case took:
    return answer(200, json{{"name", message_id}}.dump());
  case refused_recipient:
    return answer(404, fcm_error("NOT_FOUND", "UNREGISTERED"));
  case refused_message:
    return answer(400, fcm_error("INVALID_ARGUMENT", "INVALID_ARGUMENT"));
  case refused_account:
    return answer(403, fcm_error("PERMISSION_DENIED", "SENDER_ID_MISMATCH"));
  case try_later:
    return answer(503, fcm_error("UNAVAILABLE", "UNAVAILABLE"));
  case unclear:
    return answer(502);
  default:
    return std::nullopt;
  }
}

std::optional<core::http_answer> said_by_apns(provider_word word, const std::string& message_id,
                                              core::timestamp now) {
  auto because = [](int status, const char* reason) {
    return answer(status, json{{"reason", reason}}.dump());
  };
  switch (word) {
  case took: {
    auto made = answer(200);
    made.headers.emplace_back("apns-id", message_id);
    return made;
  }
  case refused_recipient:
    return answer(410, json{{"reason", "Unregistered"},
                            {"timestamp",
                             std::chrono::floor<std::chrono::milliseconds>(now).time_since_epoch().count()}}
                           .dump());
  case refused_message:
    return because(413, "PayloadTooLarge");
  case refused_account:
    return because(400, "TopicDisallowed");
  case try_later:
    return because(503, "ServiceUnavailable");
  case unclear:
    return answer(502);
  default:
    return std::nullopt;
  }
}

std::optional<core::http_answer> said_by_push_service(provider_word word, const std::string& message_id) {
  switch (word) {
  case took: {
    auto made = answer(201);
    made.location = message_id;
    return made;
  }
  case refused_recipient:
    return answer(410);
  case refused_message:
    return answer(413);
  case refused_account:
    return answer(403);
  case try_later:
    return answer(429);
  case unclear:
    return answer(502);
  default:
    return std::nullopt;
  }
}

std::optional<core::http_answer> said_by_mail_server(provider_word word) {
  switch (word) {
  case took:
    return reply(250, "message", "250 2.0.0 queued");
  case refused_recipient:
    return reply(550, "rcpt", "550 5.1.1 no such user");
  case refused_message:
    return reply(554, "message", "554 5.6.0 not with this content");
  case refused_account:
    return reply(535, "auth", "535 5.7.8 not you");
  case try_later:
    return reply(451, "rcpt", "451 4.3.0 later");
  default:
    return std::nullopt; // its replies are clear, or there is none
  }
}

std::optional<core::http_answer> said_by_receiver(provider_word word, const std::string& message_id) {
  switch (word) {
  case took:
    return answer(202, json{{"id", message_id}}.dump());
  case refused_message:
    return answer(413);
  case refused_account:
    return answer(403);
  case try_later:
    return answer(429);
  case unclear:
    return answer(500);
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<core::http_answer> said(provider_kind kind, provider_word word, const std::string& message_id,
                                      core::timestamp now) {
  switch (kind) {
  case provider_kind::ses:
    return said_by_ses(word, message_id);
  case provider_kind::twilio:
    return said_by_twilio(word, message_id);
  case provider_kind::fcm:
    return said_by_fcm(word, message_id);
  case provider_kind::apns:
    return said_by_apns(word, message_id, now);
  case provider_kind::web_push:
    return said_by_push_service(word, message_id);
  case provider_kind::smtp:
    return said_by_mail_server(word);
  case provider_kind::webhook:
    break;
  }
  return said_by_receiver(word, message_id);
}

std::optional<core::http_answer> said_garbled(provider_kind kind) {
  if (kind == provider_kind::ses || kind == provider_kind::twilio || kind == provider_kind::fcm)
    return answer(200, R"({"id": "cut)");
  return std::nullopt;
}

} // namespace sluice::sim
