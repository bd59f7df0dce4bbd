#include "crypto/seal.hpp"

#include "crypto/encoding.hpp"
#include "crypto/random.hpp"

#include <openssl/err.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <pthread.h>
#include <utility>

namespace sluice::crypto {

namespace {

constexpr std::string_view version_mark = "v1.";
constexpr std::size_t nonce_size = 12;
constexpr std::size_t tag_size = 16;

[[nodiscard]] const EVP_CIPHER* aes_256_gcm() {
  static const EVP_CIPHER* const fetched = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
  return fetched;
}

/// One context a thread and direction, with its cipher set once: making one costs more than sealing a few
/// hundred bytes. Nothing where OpenSSL cannot give one.
template <int Encrypts>
[[nodiscard]] EVP_CIPHER_CTX* thread_context() {
  using owned = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;
  thread_local const owned context = [] {
    owned made{EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free};
    if (!made || aes_256_gcm() == nullptr
        || EVP_CipherInit_ex2(made.get(), aes_256_gcm(), nullptr, nullptr, Encrypts, nullptr) != 1)
      made.reset();
    return made;
  }();
  return context.get();
}

/// Counts the forks this process came from, so that no child deals out its parent's nonces.
std::atomic<int> forks{0};
const int fork_watch = pthread_atfork(nullptr, nullptr, [] { ++forks; });

/// Random nonces, drawn many at a time: one by one they would cost as much as the sealing. A nonce is no
/// secret.
class nonce_pool {
public:
  void deal(unsigned char* to) {
    const int born = forks.load(std::memory_order_relaxed);
    if (used_ == bytes_.size() || born != born_ || fork_watch != 0) {
      fill_random(bytes_.data(), bytes_.size());
      used_ = 0;
      born_ = born;
    }
    std::copy_n(bytes_.data() + used_, nonce_size, to);
    used_ += nonce_size;
  }

private:
  std::array<unsigned char, nonce_size * 256> bytes_{};
  std::size_t used_ = bytes_.size();
  int born_ = 0;
};

[[nodiscard]] const unsigned char* in(std::string_view bytes) noexcept {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

[[nodiscard]] unsigned char* out(std::string& bytes, std::size_t at) noexcept {
  return reinterpret_cast<unsigned char*>(bytes.data()) + at;
}

/// `box` is nonce, ciphertext and tag; its nonce is there, the rest is written here.
[[nodiscard]] bool encrypt(const secret_key& key, std::string& box, std::string_view plain,
                           std::string_view associated) {
  EVP_CIPHER_CTX* const context = thread_context<1>();
  int length = 0;
  return context != nullptr && EVP_EncryptInit_ex2(context, nullptr, key.data(), in(box), nullptr) == 1
         && (associated.empty()
             || EVP_EncryptUpdate(context, nullptr, &length, in(associated),
                                  static_cast<int>(associated.size()))
                    == 1)
         && EVP_EncryptUpdate(context, out(box, nonce_size), &length, in(plain),
                              static_cast<int>(plain.size()))
                == 1
         && EVP_EncryptFinal_ex(context, out(box, nonce_size + plain.size()), &length) == 1
         && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, tag_size, out(box, box.size() - tag_size))
                == 1;
}

[[nodiscard]] std::expected<std::string, seal_error> decrypt(const secret_key& key, std::string box,
                                                             std::string_view associated) {
  EVP_CIPHER_CTX* const context = thread_context<0>();
  const std::size_t size = box.size() - nonce_size - tag_size;
  std::string plain(size, '\0');
  int length = 0;
  const bool begun =
      context != nullptr && EVP_DecryptInit_ex2(context, nullptr, key.data(), in(box), nullptr) == 1
      && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tag_size, out(box, box.size() - tag_size)) == 1
      && (associated.empty()
          || EVP_DecryptUpdate(context, nullptr, &length, in(associated), static_cast<int>(associated.size()))
                 == 1)
      && EVP_DecryptUpdate(context, out(plain, 0), &length, out(box, nonce_size), static_cast<int>(size))
             == 1;
  if (!begun) {
    ERR_clear_error();
    return std::unexpected(seal_error::library_failure);
  }
  if (EVP_DecryptFinal_ex(context, out(plain, size), &length) != 1) {
    ERR_clear_error();
    return std::unexpected(seal_error::not_authentic);
  }
  return plain;
}

} // namespace

std::string_view to_string(seal_error error) noexcept {
  switch (error) {
  case seal_error::no_key:
    return "There is no key to seal with.";
  case seal_error::malformed:
    return "The text is not a sealed value.";
  case seal_error::unknown_key:
    return "The value was sealed with a key that is not among the configured ones.";
  case seal_error::not_authentic:
    return "The sealed value was changed, or belongs to another place.";
  case seal_error::too_long:
    return "The value is too long to be sealed.";
  case seal_error::library_failure:
    return "OpenSSL refused the operation.";
  }
  return "An unknown error of sealing.";
}

std::expected<std::string, seal_error> seal(const key_ring& keys, std::string_view plain,
                                            std::string_view associated) {
  const secret_key* const key = keys.sealing_key();
  if (key == nullptr)
    return std::unexpected(seal_error::no_key);
  if (plain.size() > sealed_bytes_max || associated.size() > sealed_bytes_max)
    return std::unexpected(seal_error::too_long);
  std::string box(nonce_size + plain.size() + tag_size, '\0');
  thread_local nonce_pool nonces;
  nonces.deal(out(box, 0));
  if (!encrypt(*key, box, plain, associated)) {
    ERR_clear_error();
    return std::unexpected(seal_error::library_failure);
  }
  std::string text{version_mark};
  text += key->name();
  text += '.';
  text += to_base64url(box);
  return text;
}

std::optional<std::string_view> sealing_key_of(std::string_view sealed) noexcept {
  if (!sealed.starts_with(version_mark))
    return std::nullopt;
  sealed.remove_prefix(version_mark.size());
  const std::size_t dot = sealed.find('.');
  if (dot == std::string_view::npos)
    return std::nullopt;
  return sealed.substr(0, dot);
}

bool needs_resealing(const key_ring& keys, std::string_view sealed) noexcept {
  const secret_key* const key = keys.sealing_key();
  return key != nullptr && sealing_key_of(sealed) != std::string_view{key->name()};
}

std::expected<std::string, seal_error> open(const key_ring& keys, std::string_view sealed,
                                            std::string_view associated) {
  const auto name = sealing_key_of(sealed);
  if (!name)
    return std::unexpected(seal_error::malformed);
  if (sealed.size() > 2 * sealed_bytes_max || associated.size() > sealed_bytes_max)
    return std::unexpected(seal_error::too_long);
  auto box = from_base64url(sealed.substr(version_mark.size() + name->size() + 1));
  if (!box || box->size() < nonce_size + tag_size)
    return std::unexpected(seal_error::malformed);
  const secret_key* const key = keys.find(*name);
  if (key == nullptr)
    return std::unexpected(seal_error::unknown_key);
  return decrypt(*key, std::move(*box), associated);
}

} // namespace sluice::crypto
