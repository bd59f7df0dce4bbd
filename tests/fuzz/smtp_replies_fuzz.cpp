#include "providers/smtp_reply.hpp"
#include "providers/smtp_session.hpp"
#include "tests/fuzz/promises.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

using namespace sluice;
using tests::require;

namespace {

constexpr std::size_t kept_bytes = 4096;

/// A session as the bytes have it: lines of the server, with a command of ours before each whose first byte
/// is below 8.
core::http_answer answer_of(std::string_view text, int curl_code) {
  constexpr std::array<std::string_view, 8> commands{"EHLO me\r\n", "STARTTLS\r\n",     "AUTH PLAIN\r\n",
                                                     "DATA\r\n",    "MAIL FROM:<>\r\n", "RCPT TO:<a@b.c>\r\n",
                                                     "QUIT\r\n",    "c2VjcmV0\r\n"};
  providers::smtp_session session{kept_bytes};
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    const auto first = static_cast<std::uint8_t>(text.front());
    if (first < commands.size()) {
      session.on_command(commands[first]);
      text.remove_prefix(1);
    } else if (first == 8) {
      session.on_message_end();
      text.remove_prefix(1);
    } else {
      session.on_reply_line(text.substr(0, end));
      text.remove_prefix(end);
    }
  }
  core::http_answer answer;
  session.conclude(answer, curl_code, {});
  require(answer.body.size() <= kept_bytes);
  require(answer.error != core::call_error::none || session.settled());
  require(session.message_ended() || !answer.may_have_arrived() || answer.error == core::call_error::none);
  return answer;
}

} // namespace

/// Whatever a server says, the session is read without an exception, and the submission keeps its promises.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array curl_codes{0, 8, 28, 55, 56, 64, 67};
  if (size < 1) {
    return 0;
  }
  const std::string_view text{reinterpret_cast<const char*>(data + 1), size - 1};
  const auto answer = answer_of(text, curl_codes[data[0] % curl_codes.size()]);
  const auto read = providers::read_smtp_replies(answer, "id@sender.example");
  const bool taken = read.kind == core::submission_kind::accepted;
  require(taken == read.error.empty() && taken == !read.provider_message_id.empty());
  require(read.cause.has_value() == (read.kind == core::submission_kind::rejected));
  require(!read.retires || read.cause == core::rejection_cause::recipient);
  require(!taken || (answer.status >= 200 && answer.status <= 299));
  require(read.error.size() <= core::submission_error_bytes_max);
  return 0;
}
