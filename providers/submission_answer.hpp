#pragma once

#include "core/http.hpp"
#include "core/outcome.hpp"
#include "core/submission.hpp"

#include <string>

/// What the adapters' readings of an answer have in common.
namespace sluice::providers {

[[nodiscard]] core::submission accepted(std::string provider_message_id);
[[nodiscard]] core::submission rejected(core::rejection_cause cause, std::string error_class,
                                        std::string error);
[[nodiscard]] core::submission retryable(std::string error_class, std::string error);
[[nodiscard]] core::submission ambiguous(std::string error_class, std::string error);

/// Whether a status arrived. With answer_too_large it did, and the body is not whole.
[[nodiscard]] bool has_status(const core::http_answer& answer) noexcept;
[[nodiscard]] bool is_success(const core::http_answer& answer) noexcept; ///< 2xx

/// The submission of a call that brought no status: retryable where the request never arrived, else
/// ambiguous.
[[nodiscard]] core::submission submission_without_answer(const core::http_answer& answer);

/// A token that was not got: nothing was sent, so it is retryable, or rejected where the credentials were
/// refused.
[[nodiscard]] core::submission submission_without_token(core::outcome why);

} // namespace sluice::providers
