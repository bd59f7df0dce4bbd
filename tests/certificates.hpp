#pragma once

#include "core/time.hpp"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace sluice::tests {

using key_pair = std::shared_ptr<EVP_PKEY>;

inline void must(bool holds) {
  if (!holds)
    throw std::runtime_error{"OpenSSL cannot make what a test needs"};
}

[[nodiscard]] inline key_pair make_rsa_key(unsigned bits = 2048) {
  key_pair made{EVP_RSA_gen(bits), EVP_PKEY_free};
  must(made != nullptr);
  return made;
}

[[nodiscard]] inline key_pair make_p256_key() {
  key_pair made{EVP_EC_gen("P-256"), EVP_PKEY_free};
  must(made != nullptr);
  return made;
}

/// RSASSA-PKCS1-v1_5.
[[nodiscard]] inline std::string rsa_sign(const key_pair& key, const EVP_MD* digest,
                                          const std::string& bytes) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
  std::string made(static_cast<std::size_t>(EVP_PKEY_get_size(key.get())), '\0');
  std::size_t size = made.size();
  must(EVP_DigestSignInit(context.get(), nullptr, digest, nullptr, key.get()) == 1
       && EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(made.data()), &size,
                         reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size())
              == 1);
  made.resize(size);
  return made;
}

/// What a certificate of a test is to say.
struct certificate_plan {
  std::string name;         ///< of the subject
  std::string alternatives; ///< as OpenSSL's configuration has them: "DNS:a.example,DNS:b.example"
  bool is_authority = false;
  core::timestamp from{};
  core::timestamp until{};
};

/// Somebody with a key and a certificate of it.
struct identity {
  key_pair key;
  std::shared_ptr<X509> certificate;

  [[nodiscard]] std::string pem() const {
    const std::unique_ptr<BIO, decltype(&BIO_free)> out{BIO_new(BIO_s_mem()), BIO_free};
    must(PEM_write_bio_X509(out.get(), certificate.get()) == 1);
    char* data = nullptr;
    const auto size = BIO_get_mem_data(out.get(), &data);
    return {data, static_cast<std::size_t>(size)};
  }
};

inline void add_extension(X509* to, int what, const std::string& value) {
  const std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> made{
      X509V3_EXT_conf_nid(nullptr, nullptr, what, value.c_str()), X509_EXTENSION_free};
  must(made && X509_add_ext(to, made.get(), -1) == 1);
}

/// A certificate of `key` by `issuer`, or by itself where there is none.
[[nodiscard]] inline identity issue(const certificate_plan& plan, key_pair key, const identity* issuer,
                                    const EVP_MD* digest = EVP_sha256()) {
  static long serial = 1;
  identity made{std::move(key), {X509_new(), X509_free}};
  X509* const certificate = made.certificate.get();
  const auto seconds = [](core::timestamp at) { return static_cast<time_t>(core::to_us(at) / 1'000'000); };
  X509_set_version(certificate, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), ++serial);
  ASN1_TIME_set(X509_getm_notBefore(certificate), seconds(plan.from));
  ASN1_TIME_set(X509_getm_notAfter(certificate), seconds(plan.until));
  must(X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_UTF8,
                                  reinterpret_cast<const unsigned char*>(plan.name.c_str()), -1, -1, 0)
       == 1);
  X509* const parent = issuer != nullptr ? issuer->certificate.get() : certificate;
  must(X509_set_issuer_name(certificate, X509_get_subject_name(parent)) == 1);
  must(X509_set_pubkey(certificate, made.key.get()) == 1);
  add_extension(certificate, NID_basic_constraints,
                plan.is_authority ? "critical,CA:TRUE" : "critical,CA:FALSE");
  add_extension(certificate, NID_key_usage,
                plan.is_authority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature");
  if (!plan.alternatives.empty())
    add_extension(certificate, NID_subject_alt_name, plan.alternatives);
  must(X509_sign(certificate, issuer != nullptr ? issuer->key.get() : made.key.get(), digest) > 0);
  return made;
}

} // namespace sluice::tests
