#include "providers/ses_answer.hpp"

#include "core/payload.hpp"
#include "providers/retry_after.hpp"
#include "providers/submission_answer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace sluice::providers {

namespace {

constexpr core::duration skew_min = std::chrono::minutes{1};
/// "Errors related to the sending quotas": wait for up to ten minutes.
constexpr core::duration quota_wait = std::chrono::minutes{10};
constexpr std::size_t message_id_bytes_max = 256;
constexpr std::size_t code_bytes_max = 64;

struct error_words {
  std::string code;    ///< without namespace, address and the ending "Exception"
  std::string message; ///< for decisions alone: it may quote an address
};

/// The shape's name out of "com.amazonaws.ses#BadRequestException:http://…" (AWS restJson1, error types).
std::string short_code(std::string_view text) {
  text = text.substr(0, text.find(':'));
  text = text.substr(text.find('#') == std::string_view::npos ? 0 : text.find('#') + 1);
  constexpr std::string_view ending = "Exception";
  if (text.ends_with(ending) && text.size() > ending.size()) {
    text.remove_suffix(ending.size());
  }
  const bool is_word =
      !text.empty() && text.size() <= code_bytes_max && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
               || c == '.';
      });
  return is_word ? std::string{text} : std::string{};
}

std::vector<core::value> members_of(std::string_view body) {
  std::vector<core::value> values;
  auto reader = core::payload_reader::compile({"/__type", "/code", "/message", "/Message", "/MessageId"});
  if (!reader || !reader->read(body, values)) {
    values.assign(5, {});
  }
  return values;
}

std::string text_of(const core::value& value) {
  return value.kind == core::value_kind::string ? value.text : std::string{};
}

error_words words_of(const core::http_answer& answer) {
  const auto members = members_of(answer.body);
  error_words made;
  made.code = short_code(answer.header(ses_error_header));
  for (std::size_t index = 0; index < 2 && made.code.empty(); ++index) {
    made.code = short_code(text_of(members[index]));
  }
  made.message = text_of(members[2]).empty() ? text_of(members[3]) : text_of(members[2]);
  return made;
}

bool is_one_of(std::string_view code, std::initializer_list<std::string_view> codes) {
  return std::ranges::find(codes, code) != codes.end();
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// "Troubleshooting AWS Signature Version 4 signing": the two sentences are all that tells these from a wrong
/// key.
bool is_about_time(const error_words& words) {
  return is_one_of(words.code, {"RequestExpired", "RequestTimeTooSkewed", "RequestInTheFuture"})
         || (is_one_of(words.code, {"InvalidSignature", "SignatureDoesNotMatch", "AuthFailure"})
             && (holds(words.message, "Signature expired")
                 || holds(words.message, "Signature not yet current")));
}

bool is_quota(const error_words& words) {
  return holds(words.message, "Daily message quota exceeded");
}

bool is_throttling(const error_words& words, int status) {
  return status == 429
         || is_one_of(words.code, {"TooManyRequests", "Throttling", "RequestThrottled",
                                   "RequestLimitExceeded", "SlowDown"})
         || is_quota(words);
}

/// Sandbox accounts and missing identities come as MessageRejected too ("Amazon SES email sending errors").
bool is_unverified(const error_words& words) {
  return holds(words.message, "address is not verified")
         || holds(words.message, "addresses are not verified");
}

bool is_of_message(const error_words& words, int status) {
  return status == 413
         || (is_one_of(words.code, {"BadRequest", "MessageRejected", "Validation", "ValidationError",
                                    "InvalidParameterValue", "InvalidParameterCombination",
                                    "MissingParameter", "RequestEntityTooLarge", "Serialization"})
             && !is_unverified(words));
}

std::string class_of(const error_words& words, int status) {
  return words.code.empty() ? "http_" + std::to_string(status) : words.code;
}

std::string sentence(const error_words& words, int status, std::string_view meaning) {
  auto made = "SES answered " + std::to_string(status);
  made += words.code.empty() ? "" : " " + words.code;
  return made.append(": ").append(meaning);
}

std::string_view provider_meaning(std::string_view code) {
  struct row {
    std::string_view code, meaning;
  };
  static constexpr std::array rows{
      row{"AccountSuspended", "the account may no longer send"},
      row{"SendingPaused", "sending is paused for the account or the configuration set"},
      row{"MailFromDomainNotVerified", "the MAIL FROM domain of the sender is not verified"},
      row{"MessageRejected", "the sender, or in the sandbox the recipient, is not verified"},
      row{"LimitExceeded", "the account is at a limit of its own"},
      row{"NotFound", "something the settings name is not there, such as the configuration set"},
      row{"InvalidClientTokenId", "the access key is unknown"},
      row{"UnrecognizedClient", "the access key or the session token is unknown"},
      row{"SignatureDoesNotMatch", "the secret access key is wrong"},
      row{"InvalidSignature", "the secret access key is wrong"},
      row{"ExpiredToken", "the session token has expired"},
      row{"AccessDenied", "the credentials may not send from this identity"},
      row{"OptInRequired", "the account is not signed up for SES"},
  };
  const auto found = std::ranges::find(rows, code, &row::code);
  return found == rows.end() ? "the account, its credentials or its settings do not allow it"
                             : found->meaning;
}

core::submission read_success(const core::http_answer& answer) {
  const auto id = text_of(members_of(answer.body)[4]);
  const bool readable = !id.empty() && id.size() <= message_id_bytes_max
                        && std::ranges::all_of(id, [](char c) { return c > ' ' && c <= '~'; });
  if (!readable) {
    return ambiguous("id_unreadable",
                     "SES answered " + std::to_string(answer.status) + " without a MessageId");
  }
  return accepted(id);
}

core::submission read_server_error(const core::http_answer& answer, const error_words& words,
                                   core::timestamp now) {
  if (words.code == "ServiceUnavailable" || (words.code.empty() && answer.status == 503)) {
    auto made =
        retryable(class_of(words, answer.status), sentence(words, answer.status, "it is not there now"));
    made.wait = parse_retry_after(answer.retry_after, now);
    return made;
  }
  return ambiguous(class_of(words, answer.status),
                   sentence(words, answer.status, "nobody knows whether the message was taken"));
}

core::submission read_refusal(const core::http_answer& answer, const error_words& words,
                              core::timestamp now) {
  const auto status = answer.status;
  const auto name = class_of(words, status);
  if (is_throttling(words, status)) {
    auto made = retryable(name, sentence(words, status, "the account's quota or rate is used up"));
    made.wait = parse_retry_after(answer.retry_after, now);
    if (!made.wait && is_quota(words)) {
      made.wait = quota_wait;
    }
    return made;
  }
  if (is_about_time(words)) {
    return retryable(name, sentence(words, status, "the clock here and there differ by too much"));
  }
  if (words.code == "RequestAborted") {
    return ambiguous(name, sentence(words, status, "nobody knows whether the message was taken"));
  }
  if (status == 408) {
    return retryable(name, sentence(words, status, "the request did not arrive whole"));
  }
  if (is_of_message(words, status)) {
    return rejected(core::rejection_cause::message, name,
                    sentence(words, status, "the message is not one it sends"));
  }
  return rejected(core::rejection_cause::provider, name,
                  sentence(words, status, provider_meaning(words.code)));
}

} // namespace

core::submission read_ses_answer(const core::http_answer& answer, core::timestamp now) {
  if (!has_status(answer)) {
    return submission_without_answer(answer);
  }
  if (is_success(answer)) {
    return read_success(answer);
  }
  const auto words = words_of(answer);
  if (is_throttling(words, answer.status) || (answer.status >= 300 && answer.status < 500)) {
    return read_refusal(answer, words, now);
  }
  return read_server_error(answer, words, now);
}

std::optional<core::timestamp> ses_corrected_time(const core::http_answer& answer) {
  if (!has_status(answer) || is_success(answer) || !is_about_time(words_of(answer))) {
    return std::nullopt;
  }
  const auto theirs = parse_http_date(answer.header(ses_date_header), answer.ended_at);
  if (!theirs || std::chrono::abs(*theirs - answer.ended_at) < skew_min) {
    return std::nullopt;
  }
  return theirs;
}

} // namespace sluice::providers
