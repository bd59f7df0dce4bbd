#include "providers/smtp_session.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <array>

namespace sluice::providers {

namespace {

constexpr std::size_t reply_bytes_max = 2048; ///< of one command; RFC 5321 section 4.5.3.1.5 has 512 a line
constexpr std::size_t replies_max = 256;

struct verb {
  std::string_view begins;
  std::string_view stage;
};

constexpr std::array verbs{verb{"EHLO ", "ehlo"},  verb{"HELO ", "ehlo"}, verb{"STARTTLS\r", "starttls"},
                           verb{"AUTH ", "auth"},  verb{"MAIL ", "mail"}, verb{"RCPT ", "rcpt"},
                           verb{"DATA\r", "data"}, verb{"QUIT\r", "quit"}};

std::string_view without_end(std::string_view line) {
  while (line.ends_with('\n') || line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

int code_of(std::string_view line) {
  if (line.size() < 3 || !std::ranges::all_of(line.substr(0, 3), [](char c) { return c >= '0' && c <= '9'; }))
    return 0;
  return (line[0] - '0') * 100 + (line[1] - '0') * 10 + (line[2] - '0');
}

std::string sentence_of(int code, std::string_view stage, const smtp_session& session) {
  if (code == CURLE_USE_SSL_FAILED)
    return "the server offers no TLS, and nothing is sent without it";
  if (code == CURLE_LOGIN_DENIED)
    return "the server takes none of the ways to log in";
  const auto where = "after the server's reply to " + std::string{stage};
  return session.message_ended()
             ? "the server said nothing of the message in time, or the connection was lost"
             : "the session ended " + where + ", before the message had left";
}

} // namespace

void smtp_session::on_command(std::string_view line) {
  if (stage_ == "auth" && code_ == 334)
    return; // what it answers is a challenge, whatever it looks like
  const auto found =
      std::ranges::find_if(verbs, [&](const verb& one) { return line.starts_with(one.begins); });
  if (found == verbs.end())
    return;
  quit_ = quit_ || found->stage == "quit";
  if (quit_)
    return; // what came of the message is what the command before it was told
  stage_ = found->stage;
  answered_ = false;
}

void smtp_session::on_reply_line(std::string_view line) {
  if (quit())
    return;
  const auto text = without_end(line);
  if (reply_.size() < reply_bytes_max)
    reply_.append(reply_.empty() ? "" : "\n").append(text.substr(0, reply_bytes_max - reply_.size()));
  if (transcript_.size() < bytes_max_)
    transcript_.append(line.substr(0, bytes_max_ - transcript_.size()));
  const int code = code_of(text);
  if (code != 0 && (text.size() == 3 || text[3] == ' ')) {
    code_ = code;
    take(std::exchange(reply_, {}));
  }
}

void smtp_session::take(std::string_view text) {
  replied_stage_ = stage_;
  const bool continued = answered_ && !replies_.empty(); // what is in hand was a challenge
  if (continued || replies_.size() == replies_max)
    replies_.back() = {std::string{stage_}, std::string{text}};
  else
    replies_.emplace_back(stage_, text);
  answered_ = true;
  if (stage_ == "data" && code_ == 354) {
    stage_ = "message";
    answered_ = false;
  }
}

bool smtp_session::settled() const noexcept {
  return answered_ && (code_ >= 400 || (stage_ == "message" && code_ >= 200 && code_ < 300));
}

void smtp_session::conclude(core::http_answer& answer, int code, exchange_trace trace) const {
  answer.status = code_;
  answer.body = transcript_;
  answer.headers = replies_;
  if (settled() && !trace.held_back)
    return;
  trace.request_begun = message_ended_ && !trace.held_back;
  // An end without an error that nothing settled is no answer.
  answer.error = judge(code == CURLE_OK ? CURLE_WEIRD_SERVER_REPLY : code, trace);
  if (code_ == 0 || answer.error == core::call_error::unattempted)
    answer.detail = describe(answer.error, code);
  else
    answer.detail =
        sentence_of(code, replied_stage_, *this) + " (libcurl error " + std::to_string(code) + ')';
}

} // namespace sluice::providers
