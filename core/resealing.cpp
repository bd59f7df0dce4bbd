#include "core/resealing.hpp"

#include "core/words.hpp"

namespace sluice::core {
namespace {

constexpr words<keyed_things> keyed_thing_words{
    "contact_addresses", "contact_fingerprints",   "profile_credentials",  "notification_contents",
    "provider_reports",  "connection_credentials", "subscription_headers", "subscription_secrets"};
static_assert(word_of(keyed_thing::profile_credentials, keyed_thing_words) == "profile_credentials");
static_assert(word_of(keyed_thing::provider_reports, keyed_thing_words) == "provider_reports");
static_assert(word_of(keyed_thing::subscription_secrets, keyed_thing_words) == "subscription_secrets");

} // namespace

std::string_view to_string(keyed_thing thing) noexcept {
  return word_of(thing, keyed_thing_words);
}

std::optional<keyed_thing> parse_keyed_thing(std::string_view text) noexcept {
  return value_of<keyed_thing>(text, keyed_thing_words);
}

} // namespace sluice::core
