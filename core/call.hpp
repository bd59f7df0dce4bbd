#pragma once

#include "core/http.hpp"
#include "core/ids.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace sluice::core {

enum class call_owner_kind : std::uint8_t { rule, subscription, callbacks, profile };

/// Whose call it is. The calls of one owner start in the order they were placed, share a limit, and are
/// stopped together.
class call_owner {
public:
  call_owner() = default;
  call_owner(rule_id rule) : kind_(call_owner_kind::rule), number_(rule.value) {}
  call_owner(subscription_id subscription)
      : kind_(call_owner_kind::subscription), number_(subscription.value) {}
  call_owner(provider_profile_id profile) : kind_(call_owner_kind::profile), number_(profile.value) {}

  /// The callback intake, for what genuine callbacks need fetched.
  [[nodiscard]] static call_owner callbacks() noexcept {
    call_owner made;
    made.kind_ = call_owner_kind::callbacks;
    return made;
  }

  [[nodiscard]] call_owner_kind kind() const noexcept { return kind_; }
  /// None where it is not a rule.
  [[nodiscard]] rule_id rule() const noexcept {
    return kind_ == call_owner_kind::rule ? rule_id{number_} : rule_id{};
  }
  /// None where it is not a subscription.
  [[nodiscard]] subscription_id subscription() const noexcept {
    return kind_ == call_owner_kind::subscription ? subscription_id{number_} : subscription_id{};
  }
  /// None where it is not a provider profile.
  [[nodiscard]] provider_profile_id profile() const noexcept {
    return kind_ == call_owner_kind::profile ? provider_profile_id{number_} : provider_profile_id{};
  }

  friend auto operator<=>(call_owner, call_owner) = default;

  template <class Inspector>
  friend auto inspect(Inspector& f, call_owner& x) {
    return f(x.kind_, x.number_);
  }

private:
  friend struct std::hash<call_owner>;

  call_owner_kind kind_ = call_owner_kind::rule;
  std::int64_t number_ = 0;
};

/// What an owner's call is made for: which of its askers gets the answer.
enum class call_purpose : std::uint8_t {
  delivery,     ///< by the rule's, subscription's or profile's actor; or a token keeper's own
  verification, ///< a look at what the target, or the provider, has
};

inline constexpr std::size_t call_purposes = 2;

/// A call as its asker names it. Unique while it is out, per owner and purpose.
struct call_id {
  std::uint64_t value = 0;
  call_purpose purpose = call_purpose::delivery;
  friend auto operator<=>(call_id, call_id) = default;
};

template <class Inspector>
auto inspect(Inspector& f, call_id& x) {
  return f(x.value, x.purpose);
}

/// One outside call on its way to the transport.
struct outbound_call {
  call_id id{};
  call_owner owner{};
  connection_id connection{}; ///< none but where a rule's call goes into one
  http_request request;
};

/// What became of it. Every call handed over is answered exactly once.
struct call_answer {
  call_id id{};
  call_owner owner{};
  http_answer answer;
};

template <class Inspector>
auto inspect(Inspector& f, outbound_call& x) {
  return f(x.id, x.owner, x.connection, x.request);
}

template <class Inspector>
auto inspect(Inspector& f, call_answer& x) {
  return f(x.id, x.owner, x.answer);
}

} // namespace sluice::core

template <>
struct std::hash<sluice::core::call_owner> {
  std::size_t operator()(sluice::core::call_owner owner) const noexcept {
    // Rules, subscriptions and profiles are numbered each from 1: the kind must not be the lowest bit alone.
    const auto kind = static_cast<std::uint64_t>(owner.kind_) << 48U;
    return std::hash<std::uint64_t>{}(static_cast<std::uint64_t>(owner.number_) ^ kind);
  }
};
