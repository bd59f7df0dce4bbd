#include "api/tls_identity.hpp"

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/verify_context.hpp>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <cstdio>

namespace sluice::api {
namespace {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

struct closed_file {
  void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
};
using file = std::unique_ptr<std::FILE, closed_file>;

struct freed_certificate {
  void operator()(X509* certificate) const { X509_free(certificate); }
};

tls_identity fresh(ssl::context::method method) {
  auto made = std::make_shared<ssl::context>(method);
  SSL_CTX_set_min_proto_version(made->native_handle(), TLS1_2_VERSION);
  SSL_CTX_set_options(made->native_handle(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  return made;
}

std::unexpected<std::string> unusable(const std::string& path, const std::string& why) {
  return std::unexpected{path + ": " + why};
}

} // namespace

std::expected<tls_identity, std::string> read_tls_identity(const std::string& certificate_file,
                                                           const std::string& key_file) {
  auto made = fresh(ssl::context::tls_server);
  error_code failed;
  static_cast<void>(made->use_certificate_chain_file(certificate_file, failed));
  if (failed)
    return unusable(certificate_file, "no certificate can be read: " + failed.message());
  static_cast<void>(made->use_private_key_file(key_file, ssl::context::pem, failed));
  if (failed)
    return unusable(key_file, "no private key of that certificate can be read: " + failed.message());
  return made;
}

std::expected<tls_identity, std::string> trust_in(const std::string& certificate_file) {
  const file opened{std::fopen(certificate_file.c_str(), "re")};
  const std::shared_ptr<X509> trusted{
      opened ? PEM_read_X509(opened.get(), nullptr, nullptr, nullptr) : nullptr, freed_certificate{}};
  if (!trusted)
    return unusable(certificate_file, "no certificate can be read");
  auto made = fresh(ssl::context::tls_client);
  made->set_verify_mode(ssl::verify_peer);
  // The chain above it says nothing here: whatever OpenSSL thinks of that, the leaf is what is compared.
  made->set_verify_callback([trusted](bool, ssl::verify_context& seen) {
    auto* store = seen.native_handle();
    return X509_STORE_CTX_get_error_depth(store) > 0
           || X509_cmp(X509_STORE_CTX_get_current_cert(store), trusted.get()) == 0;
  });
  return made;
}

} // namespace sluice::api
