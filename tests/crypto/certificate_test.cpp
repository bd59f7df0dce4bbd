#include "crypto/certificate.hpp"
#include "tests/certificates.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace sluice;
using namespace sluice::crypto;
using namespace std::chrono_literals;
using tests::identity;

namespace {

const core::timestamp noon = core::parse_rfc3339("2026-06-01T12:00:00Z").value();
const std::string host = "sns.example.com";

/// An authority, one below it, and a signer below that; keys are made once.
struct world {
  tests::certificate_plan authority{"root", {}, true, noon - 24h, noon + 24h};
  tests::certificate_plan middle{"middle", {}, true, noon - 24h, noon + 24h};
  tests::certificate_plan leaf{host, "DNS:" + host, false, noon - 1h, noon + 1h};

  [[nodiscard]] static const tests::key_pair& key(std::size_t which) {
    static const std::array keys{tests::make_rsa_key(), tests::make_rsa_key(), tests::make_rsa_key()};
    return keys.at(which);
  }
  [[nodiscard]] identity root() const { return tests::issue(authority, key(0), nullptr); }
  [[nodiscard]] identity below(const identity& issuer) const { return tests::issue(middle, key(1), &issuer); }
  [[nodiscard]] identity signer(const identity& issuer) const { return tests::issue(leaf, key(2), &issuer); }
};

certificate_demands demands(std::string_view authorities = {}, core::timestamp at = noon) {
  return {.names = {"other.example.com", host}, .authorities = authorities, .at = at};
}

certificate_error error_of(const std::string& pem, const certificate_demands& wanted) {
  const auto key = signing_key_of(pem, wanted);
  REQUIRE_FALSE(key);
  CHECK_FALSE(to_string(key.error()).empty());
  return key.error();
}

} // namespace

TEST_CASE("a certificate's key verifies what its owner signed, by SHA-1 and by SHA-256") {
  const world w;
  const auto signer = w.signer(w.root());
  const auto key = signing_key_of(signer.pem(), demands());
  REQUIRE(key);
  const auto old_way = tests::rsa_sign(signer.key, EVP_sha1(), "message");
  const auto new_way = tests::rsa_sign(signer.key, EVP_sha256(), "message");
  CHECK(key->verify(signature_digest::sha1, "message", old_way));
  CHECK(key->verify(signature_digest::sha256, "message", new_way));
  CHECK_FALSE(key->verify(signature_digest::sha256, "message", old_way));
  CHECK_FALSE(key->verify(signature_digest::sha1, "message", new_way));
  CHECK_FALSE(key->verify(signature_digest::sha256, "messagE", new_way));
  CHECK_FALSE(key->verify(signature_digest::sha256, "message", ""));
  CHECK_FALSE(key->verify(signature_digest::sha256, "message",
                          tests::rsa_sign(world::key(0), EVP_sha256(), "message")));
}

TEST_CASE("a certificate counts within its time, to the second, and not outside of it") {
  const world w;
  const auto pem = w.signer(w.root()).pem();
  CHECK(signing_key_of(pem, demands({}, noon - 1h)));
  CHECK(signing_key_of(pem, demands({}, noon + 1h - 1s)));
  CHECK(error_of(pem, demands({}, noon - 1h - 1s)) == certificate_error::not_valid_now);
  CHECK(error_of(pem, demands({}, noon + 1h + 1s)) == certificate_error::not_valid_now);
}

TEST_CASE("a certificate has to be for one of the names, as they are written") {
  world w;
  for (const std::string alternatives :
       {"DNS:sns.example.com.evil.test", "DNS:*.example.com", "DNS:example.com", "DNS:xsns.example.com"}) {
    CAPTURE(alternatives);
    w.leaf.alternatives = alternatives;
    CHECK(error_of(w.signer(w.root()).pem(), demands()) == certificate_error::wrong_name);
  }
  w.leaf.alternatives.clear(); // the subject's own name counts where there are no others
  CHECK(signing_key_of(w.signer(w.root()).pem(), demands()));
  w.leaf.name = "sns.example.org";
  CHECK(error_of(w.signer(w.root()).pem(), demands()) == certificate_error::wrong_name);
}

TEST_CASE("with authorities named, a chain has to lead to one of them") {
  const world w;
  const auto root = w.root();
  const auto middle = w.below(root);
  const auto signer = w.signer(middle);
  CHECK(signing_key_of(signer.pem() + middle.pem(), demands(root.pem())));
  CHECK(signing_key_of(signer.pem(), demands(middle.pem()))); // an intermediate may be one
  CHECK(signing_key_of(signer.pem(), demands(root.pem() + middle.pem())));
  CHECK(error_of(signer.pem(), demands(root.pem())) == certificate_error::untrusted); // the way is missing
  const auto stranger = tests::issue(w.authority, tests::make_rsa_key(), nullptr);
  CHECK(error_of(signer.pem() + middle.pem(), demands(stranger.pem())) == certificate_error::untrusted);
  CHECK(error_of(signer.pem() + middle.pem() + root.pem(), demands(stranger.pem()))
        == certificate_error::untrusted);
  CHECK(error_of(signer.pem(), demands("no certificate")) == certificate_error::untrusted);
}

TEST_CASE("a chain is broken by an expired authority, and by one that may issue nothing") {
  world w;
  const auto root = w.root();
  w.middle.until = noon - 1h;
  const auto expired = w.below(root);
  CHECK(error_of(w.signer(expired).pem() + expired.pem(), demands(root.pem()))
        == certificate_error::not_valid_now);
  w.middle.until = noon + 1h;
  w.middle.is_authority = false;
  const auto powerless = w.below(root);
  CHECK(error_of(w.signer(powerless).pem() + powerless.pem(), demands(root.pem()))
        == certificate_error::untrusted);
}

TEST_CASE("without authorities, what stands in the text has to hold together all the same") {
  const world w;
  const auto root = w.root();
  const auto middle = w.below(root);
  const auto signer = w.signer(middle);
  CHECK(signing_key_of(signer.pem() + middle.pem(), demands()));
  CHECK(error_of(signer.pem() + root.pem(), demands()) == certificate_error::untrusted);
  const auto stranger = tests::issue(w.authority, tests::make_rsa_key(), nullptr);
  CHECK(error_of(signer.pem() + stranger.pem(), demands()) == certificate_error::untrusted);
}

TEST_CASE("a key that is too short, or no RSA key, is not used") {
  const world w;
  const auto root = w.root();
  const auto is_refused = [](certificate_error error) {
    return error == certificate_error::unusable_key || error == certificate_error::untrusted;
  };
  CHECK(is_refused(error_of(tests::issue(w.leaf, tests::make_rsa_key(1024), &root).pem(), demands())));
  CHECK(error_of(tests::issue(w.leaf, tests::make_p256_key(), &root).pem(), demands(root.pem()))
        == certificate_error::unusable_key);
  const auto middle = w.below(root);
  const auto weak = tests::issue(w.leaf, world::key(2), &middle, EVP_sha1());
  CHECK(error_of(weak.pem() + middle.pem(), demands(root.pem())) == certificate_error::untrusted);
}

TEST_CASE("text that is no certificate is said to be none") {
  const world w;
  const auto pem = w.signer(w.root()).pem();
  auto bent = pem;
  bent[bent.size() / 2] = '!';
  std::string many;
  for (std::size_t at = 0; at <= certificates_max; ++at)
    many += pem;
  for (const auto& text : {std::string{}, std::string{"-----BEGIN CERTIFICATE-----"}, bent, many,
                           std::string(certificate_bytes_max + 1, ' ') + pem}) {
    CHECK(error_of(text, demands()) == certificate_error::unreadable);
    CHECK(count_certificates(text) == 0);
  }
  CHECK(count_certificates("words before\n" + pem + pem) == 2);
}
