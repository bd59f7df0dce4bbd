#pragma once

#include "core/http.hpp"
#include "providers/exchange_trace.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::providers {

/// What was said in one SMTP session (RFC 5321), as far as its outcome goes: which command each reply
/// answers, and whether the message may have gone out whole. Keeps no command: one may be a password.
class smtp_session {
public:
  /// `bytes_max`: how much of the replies is kept.
  explicit smtp_session(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  void on_command(std::string_view line);
  /// One line of a reply; "250-…" goes on, "250 …" ends it. Ignored behind QUIT, which comes too late to mean
  /// anything for the message.
  void on_reply_line(std::string_view line);
  /// The message's last byte was handed over: from here on the final dot may be out.
  void on_message_end() noexcept { message_ended_ = true; }

  [[nodiscard]] bool message_ended() const noexcept { return message_ended_; }
  [[nodiscard]] bool quit() const noexcept { return quit_; }
  /// The last command's reply is a refusal, or takes the message: nothing is left open.
  [[nodiscard]] bool settled() const noexcept;

  /// Puts status, body, headers, error and detail into the answer. `code` is libcurl's, of the whole session.
  void conclude(core::http_answer& answer, int code, exchange_trace trace) const;

private:
  void take(std::string_view text);

  std::size_t bytes_max_;
  std::string_view stage_ = "greeting";
  bool answered_ = false; ///< the command in hand
  bool quit_ = false;
  bool message_ended_ = false;
  int code_ = 0;              ///< of the last whole reply
  std::string replied_stage_; ///< what that one answered
  std::string reply_;         ///< the lines of the one in hand
  std::string transcript_;
  std::vector<std::pair<std::string, std::string>> replies_;
};

} // namespace sluice::providers
