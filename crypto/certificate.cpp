#include "crypto/certificate.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <ctime>
#include <memory>

namespace sluice::crypto {

namespace {

constexpr int strength_112_bits = 2; // OpenSSL's security level

using certificate_handle = std::unique_ptr<X509, decltype(&X509_free)>;
using certificate_list = std::vector<certificate_handle>;

struct error_cleaner { // nobody else's errors are on this thread's queue: every function here leaves it empty
  ~error_cleaner() { ERR_clear_error(); }
};

/// Empty where the text is none, or holds too many.
[[nodiscard]] certificate_list read_certificates(std::string_view pem) {
  certificate_list made;
  if (pem.size() > certificate_bytes_max)
    return made;
  const std::unique_ptr<BIO, decltype(&BIO_free)> source{
      BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free};
  while (source && made.size() <= certificates_max) {
    certificate_handle read{PEM_read_bio_X509(source.get(), nullptr, nullptr, nullptr), X509_free};
    if (!read)
      break;
    made.push_back(std::move(read));
  }
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  if (!at_end || made.size() > certificates_max)
    made.clear();
  return made;
}

[[nodiscard]] bool fits(X509& leaf, const std::vector<std::string>& names) {
  constexpr unsigned exactly = X509_CHECK_FLAG_NO_WILDCARDS;
  return std::ranges::any_of(names, [&](const std::string& name) {
    return X509_check_host(&leaf, name.data(), name.size(), exactly, nullptr) == 1;
  });
}

[[nodiscard]] certificate_error error_of(int code) noexcept {
  switch (code) {
  case X509_V_ERR_CERT_NOT_YET_VALID:
  case X509_V_ERR_CERT_HAS_EXPIRED:
    return certificate_error::not_valid_now;
  case X509_V_ERR_EE_KEY_TOO_SMALL:
    return certificate_error::unusable_key;
  default:
    return certificate_error::untrusted;
  }
}

/// Nothing when the chain holds.
[[nodiscard]] std::expected<void, certificate_error>
check_chain(const certificate_list& certificates, const certificate_list& authorities, std::time_t at) {
  const std::unique_ptr<X509_STORE, decltype(&X509_STORE_free)> store{X509_STORE_new(), X509_STORE_free};
  const std::unique_ptr<X509_STORE_CTX, decltype(&X509_STORE_CTX_free)> context{X509_STORE_CTX_new(),
                                                                                X509_STORE_CTX_free};
  const std::unique_ptr<STACK_OF(X509), void (*)(STACK_OF(X509)*)> between{
      sk_X509_new_null(), [](STACK_OF(X509) * list) { sk_X509_free(list); }};
  if (!store || !context || !between)
    return std::unexpected{certificate_error::untrusted};
  for (const auto& authority : authorities)
    X509_STORE_add_cert(store.get(), authority.get());
  for (const auto& certificate : certificates)
    sk_X509_push(between.get(), certificate.get());
  if (X509_STORE_CTX_init(context.get(), store.get(), certificates.front().get(), between.get()) != 1)
    return std::unexpected{certificate_error::untrusted};
  X509_VERIFY_PARAM* const rules = X509_STORE_CTX_get0_param(context.get());
  X509_VERIFY_PARAM_set_time(rules, at);
  X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_PARTIAL_CHAIN);
  X509_VERIFY_PARAM_set_auth_level(rules, strength_112_bits);
  if (X509_verify_cert(context.get()) != 1)
    return std::unexpected{error_of(X509_STORE_CTX_get_error(context.get()))};
  return {};
}

} // namespace

std::string_view to_string(certificate_error error) noexcept {
  switch (error) {
  case certificate_error::unreadable:
    return "the certificate cannot be read";
  case certificate_error::wrong_name:
    return "the certificate is for another name";
  case certificate_error::not_valid_now:
    return "the certificate is not valid at this time";
  case certificate_error::untrusted:
    return "the certificate is by nobody who is trusted";
  case certificate_error::unusable_key:
    return "the certificate's key is not RSA, or too short";
  }
  return "";
}

std::expected<rsa_public_key, certificate_error> signing_key_of(std::string_view pem,
                                                                const certificate_demands& demands) {
  const error_cleaner cleaner;
  auto certificates = read_certificates(pem);
  if (certificates.empty())
    return std::unexpected{certificate_error::unreadable};
  if (!fits(*certificates.front(), demands.names))
    return std::unexpected{certificate_error::wrong_name};
  auto authorities = read_certificates(demands.authorities);
  if (demands.authorities.empty()) {
    X509* const last = certificates.back().get();
    X509_up_ref(last);
    authorities.emplace_back(last, X509_free);
  }
  const auto at = std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(demands.at));
  if (const auto held = check_chain(certificates, authorities, at); !held)
    return std::unexpected{held.error()};
  auto key = rsa_public_key::from_handle(X509_get_pubkey(certificates.front().get()));
  if (!key)
    return std::unexpected{certificate_error::unusable_key};
  return *key;
}

std::size_t count_certificates(std::string_view pem) {
  const error_cleaner cleaner;
  return read_certificates(pem).size();
}

} // namespace sluice::crypto
