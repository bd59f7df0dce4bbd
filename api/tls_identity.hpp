#pragma once

#include <expected>
#include <memory>
#include <string>

namespace boost::asio::ssl {
class context;
}

namespace sluice::api {

/// What a node shows who it is with, and what it speaks TLS by. A context is never changed: a connection
/// keeps the one it began with.
using tls_identity = std::shared_ptr<boost::asio::ssl::context>;

/// Reads a certificate with the chain behind it and its private key, both PEM (RFC 7468). TLS 1.2 at least,
/// as RFC 9325 section 3.1.1 asks, no renegotiation, no compression. The error is a sentence that names the
/// file.
[[nodiscard]] std::expected<tls_identity, std::string> read_tls_identity(const std::string& certificate_file,
                                                                         const std::string& key_file);

/// For a client that trusts the one certificate which stands first in the file, whatever name it is for:
/// who can read the node's settings knows its certificate.
[[nodiscard]] std::expected<tls_identity, std::string> trust_in(const std::string& certificate_file);

} // namespace sluice::api
