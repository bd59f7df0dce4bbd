#include "api/session_seal.hpp"

#include "core/assertion.hpp"
#include "crypto/encoding.hpp"
#include "crypto/random.hpp"
#include "crypto/seal.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace sluice::api {

namespace {

constexpr std::string_view place = "api session";
constexpr std::size_t csrf_bytes = 24;

crypto::key_ring key_of_this_process() {
  const crypto::named_key made{"process", crypto::to_base64(crypto::random_bytes(crypto::secret_key::size))};
  auto ring = crypto::key_ring::read({&made, 1});
  core::assert_that(ring.has_value(), "a random key of the right size is a key");
  return std::move(*ring);
}

} // namespace

session_seal::session_seal(crypto::key_ring keys, core::duration lifetime)
    : keys_(std::move(keys)), lifetime_(lifetime) {}

session_seal session_seal::with(crypto::key_ring keys, core::duration lifetime) {
  return {keys.empty() ? key_of_this_process() : std::move(keys), lifetime};
}

page_session session_seal::begin(std::string token_digest, core::timestamp now) const {
  return {std::move(token_digest), crypto::to_base64url(crypto::random_bytes(csrf_bytes)), now + lifetime_};
}

std::expected<std::string, std::string> session_seal::seal(const page_session& session) const {
  const nlohmann::json content{
      {"token", session.token_digest}, {"csrf", session.csrf}, {"until", core::to_us(session.until)}};
  auto sealed = crypto::seal(keys_, content.dump(), place);
  if (!sealed)
    return std::unexpected{std::string{crypto::to_string(sealed.error())}};
  return std::move(*sealed);
}

std::optional<page_session> session_seal::open(std::string_view sealed, core::timestamp now) const {
  const auto plain = crypto::open(keys_, sealed, place);
  if (!plain)
    return std::nullopt;
  const auto content = nlohmann::json::parse(*plain, nullptr, false);
  if (!content.is_object())
    return std::nullopt;
  page_session found{content.value("token", ""), content.value("csrf", ""),
                     core::from_us(content.value("until", std::int64_t{0}))};
  if (now >= found.until || found.token_digest.empty() || found.csrf.empty())
    return std::nullopt;
  return found;
}

} // namespace sluice::api
