#include "core/contact_suppression.hpp"

#include <algorithm>

namespace sluice::core {
namespace {

int weight(suppression_reason reason) noexcept {
  switch (reason) {
  case suppression_reason::retired_token:
    return 0;
  case suppression_reason::hard_bounce:
    return 1;
  case suppression_reason::person:
    return 2;
  case suppression_reason::unsubscribed:
    return 3;
  case suppression_reason::complaint:
    return 4;
  }
  return 2;
}

/// Whatever a provider's clock says, it was dead when that was told.
timestamp death_of(const contact_suppression& retired) noexcept {
  return std::min(retired.retired_at.value_or(retired.at), retired.at);
}

bool is_retired(const contact_suppression& one) noexcept {
  return one.reason == suppression_reason::retired_token;
}

/// Whether `told` takes the place of what stands.
bool replaces(const contact_suppression& told, const contact_suppression& stands) noexcept {
  if (is_retired(told) && is_retired(stands))
    return death_of(told) > death_of(stands);
  return weight(told.reason) > weight(stands.reason);
}

} // namespace

std::optional<contact_suppression> suppression_after(const std::optional<contact_suppression>& stands,
                                                     const contact_suppression& told,
                                                     std::optional<timestamp> token_seen_at) {
  if (token_seen_at && is_outlived(told, *token_seen_at))
    return std::nullopt;
  if (stands && !replaces(told, *stands))
    return std::nullopt;
  auto after = told;
  after.retired_at = is_retired(told) ? std::optional(death_of(told)) : std::nullopt;
  return after;
}

bool is_outlived(const contact_suppression& stands, timestamp seen_at) noexcept {
  return is_retired(stands) && seen_at > death_of(stands);
}

} // namespace sluice::core
