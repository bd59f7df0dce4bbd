#pragma once

#include "core/http.hpp"
#include "core/outcome.hpp"
#include "providers/answer_rules.hpp"

#include <span>
#include <string>

namespace sluice::providers {

/// What became of a call that brought no whole answer: transient, unattempted, or ambiguous where a create
/// that is not repeatable may have arrived.
[[nodiscard]] core::outcome outcome_without_answer(const core::http_answer& answer,
                                                   const answer_context& context,
                                                   std::span<const std::string> secrets);

/// The outcome of an answer that was no success: its kind, a class "http_422", a sentence that quotes the
/// target without `secrets`, and the wait a rate limit names.
[[nodiscard]] core::outcome outcome_of_refusal(const core::http_answer& answer, core::outcome_kind kind,
                                               std::span<const std::string> secrets);

} // namespace sluice::providers
