#pragma once

#include "core/http.hpp"
#include "core/submission.hpp"

#include <string>

namespace sluice::providers {

/// What the replies of a session (see core::http_answer) mean for its one message to one recipient. The last
/// reply decides:
///
///   2yz to the message                       accepted, under `message_id`
///   4yz                                      retryable
///   5yz to the greeting, EHLO, STARTTLS,
///   AUTH or MAIL                             rejected: the provider's (530, 534, 535, 538 anywhere); the
///   message's
///                                            where its size was refused (X.3.4, X.2.3)
///   5yz to RCPT                              by its enhanced code (RFC 3463), see below; without one, 550,
///   551, 552
///                                            and 553 are the recipient's (RFC 5321 section 4.2.3)
///   5yz to DATA or the message               by its enhanced code; without one the message's
///   no reply, the message had left           ambiguous
///   no reply, it had not                     retryable
///
/// X.1.1, X.1.2, X.1.3, X.1.6, X.1.10 and X.2.z but X.2.3 are the recipient's; X.2.3, X.3.4 and X.6.z the
/// message's; X.7.z the message's once it was sent, but for what concerns the account or the sending domain
/// (X.7.8, X.7.9, X.7.14, X.7.20 to X.7.27), and the provider's before; everything else the provider's. Only
/// a code that says that the mailbox does not exist retires the address (see means_no_mailbox).
///
/// A server's own words are never quoted: they often have the address in them.
[[nodiscard]] core::submission read_smtp_replies(const core::http_answer& answer, std::string message_id);

} // namespace sluice::providers
