#include "providers/json_web_token.hpp"

#include "crypto/encoding.hpp"

namespace sluice::providers {

std::optional<std::string> json_web_token(std::string_view header, std::string_view claims,
                                          const token_signer& sign) {
  auto token = crypto::to_base64url(header) + '.' + crypto::to_base64url(claims);
  const auto signature = sign(token);
  if (!signature) {
    return std::nullopt;
  }
  token += '.';
  token += crypto::to_base64url(*signature);
  return token;
}

} // namespace sluice::providers
