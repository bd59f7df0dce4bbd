#pragma once

#include "core/kept_answer.hpp"
#include "core/time.hpp"
#include "crypto/key_ring.hpp"
#include "storage/session.hpp"

#include <string_view>

namespace sluice::storage {

/// How long an answer is kept for a repetition of its request.
inline constexpr core::duration answer_retention = std::chrono::hours{24};

/// A request begins, or what is known of it. Removes a few of those that are too old. Answers are kept
/// sealed; one whose key is gone counts as lost.
[[nodiscard]] result<core::kept_answer> begin_answer(session& db, std::string_view key_digest,
                                                     std::string_view request_digest,
                                                     const crypto::key_ring& keys, core::timestamp now);

/// The request was answered so. Without a key to seal with that it was answered is kept, and not how.
[[nodiscard]] result<void> keep_answer(session& db, std::string_view key_digest, std::string_view answer,
                                       const crypto::key_ring& keys);

/// The request came to nothing: its key is free again.
[[nodiscard]] result<void> forget_answer(session& db, std::string_view key_digest);

} // namespace sluice::storage
