#pragma once

#include "core/http.hpp"
#include "core/submission.hpp"
#include "core/time.hpp"

#include <string_view>

namespace sluice::providers {

/// The class of a refusal that is the access token's: another one may be taken.
inline constexpr std::string_view fcm_unauthenticated = "UNAUTHENTICATED";

/// What FCM's answer to messages:send means, as its "ErrorCode" and "Best practices when sending FCM messages
/// at scale" say.
[[nodiscard]] core::submission read_fcm_answer(const core::http_answer& answer, core::timestamp now);

} // namespace sluice::providers
