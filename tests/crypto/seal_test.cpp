#include "crypto/encoding.hpp"
#include "crypto/seal.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace sluice::crypto;

namespace {

[[nodiscard]] key_ring ring_of(std::vector<named_key> keys) {
  auto ring = key_ring::read(keys);
  REQUIRE(ring);
  return *ring;
}

const named_key first{"k1", std::string(64, '1')};
const named_key second{"k2", std::string(64, '2')};

/// What seal would have written for these parts.
[[nodiscard]] std::string sealed_of(const std::string& nonce, const std::string& ciphertext,
                                    const std::string& tag) {
  return "v1.k." + to_base64url(*from_hex(nonce + ciphertext + tag));
}

} // namespace

TEST_CASE("a sealed value opens to the same bytes where the place is the same") {
  const key_ring keys = ring_of({first});
  for (const std::string& plain :
       {std::string{}, std::string{"x"}, std::string("a\0b", 3), std::string(70'000, 'p')})
    for (const char* place : {"", "rule 7, record c-1"}) {
      const auto sealed = seal(keys, plain, place);
      REQUIRE(sealed);
      CHECK(sealed->starts_with("v1.k1."));
      CHECK(open(keys, *sealed, place) == plain);
      CHECK(open(keys, *sealed, "elsewhere").error() == seal_error::not_authentic);
    }
}

TEST_CASE("sealing the same twice gives two texts") {
  const key_ring keys = ring_of({first});
  std::set<std::string> texts;
  for (int time = 0; time < 1000; ++time)
    texts.insert(*seal(keys, "same", "place"));
  CHECK(texts.size() == 1000);
}

TEST_CASE("a changed character anywhere is noticed") {
  const key_ring keys = ring_of({first, second});
  const std::string sealed = *seal(keys, "secret", "place");
  for (std::size_t at = 0; at < sealed.size(); ++at) {
    std::string changed = sealed;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    CHECK_FALSE(open(keys, changed, "place"));
  }
  for (std::size_t size = 0; size < sealed.size(); ++size)
    CHECK_FALSE(open(keys, sealed.substr(0, size), "place"));
  CHECK(open(keys, "v1.k2." + sealed.substr(6), "place").error() == seal_error::not_authentic);
}

TEST_CASE("after a rotation the new key seals and the old values still open") {
  const key_ring before = ring_of({first});
  const key_ring after = ring_of({second, first});
  const std::string old_value = *seal(before, "secret", "place");
  CHECK(open(after, old_value, "place") == "secret");
  const std::string new_value = *seal(after, "secret", "place");
  CHECK(new_value.starts_with("v1.k2."));
  CHECK(open(before, new_value, "place").error() == seal_error::unknown_key);
}

TEST_CASE("without a key nothing is sealed") {
  CHECK(seal({}, "secret", "place").error() == seal_error::no_key);
}

TEST_CASE("text that seal never writes is malformed") {
  const key_ring keys = ring_of({first});
  for (const char* text : {"", "v1", "v1.", "v1.k1", "v1.k1.", "v1.k1.AAAA", "v2.k1.AAAA", "secret",
                           "v1.k1.!!!!", "v1..AAAA", "v1.k1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}) {
    INFO(text);
    CHECK(open(keys, text, "place").error() == seal_error::malformed);
  }
}

TEST_CASE("published AES-256-GCM values open") {
  const key_ring zero = ring_of({{"k", std::string(64, '0')}});
  const std::string zero_nonce(24, '0');
  CHECK(open(zero, sealed_of(zero_nonce, "", "530f8afbc74536b9a963b4f1c4cb738b"), "") == "");
  CHECK(open(zero,
             sealed_of(zero_nonce, "cea7403d4d606b6e074ec5d3baf39d18", "d0d1c8a799996bf0265b98b5d48ab919"),
             "")
        == std::string(16, '\0'));

  const key_ring other = ring_of({{"k", "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"}});
  const std::string ciphertext = "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                                 "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662";
  const std::string plain = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                            "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39";
  CHECK(open(other, sealed_of("cafebabefacedbaddecaf888", ciphertext, "76fc6ece0f4e1768cddf8853bb2d551b"),
             *from_hex("feedfacedeadbeeffeedfacedeadbeefabaddad2"))
        == *from_hex(plain));
}

TEST_CASE("threads seal and open side by side") {
  const key_ring keys = ring_of({first});
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int& count : wrong)
    threads.emplace_back([&keys, &count] {
      for (int time = 0; time < 500; ++time) {
        const auto sealed = seal(keys, std::to_string(time), "place");
        if (!sealed || open(keys, *sealed, "place") != std::to_string(time))
          ++count;
      }
    });
  for (std::thread& it : threads)
    it.join();
  CHECK(wrong == std::vector<int>(4));
}

TEST_CASE("a forked child does not repeat its parent's nonces") {
  const key_ring keys = ring_of({first});
  REQUIRE(seal(keys, "warm", "place"));
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const auto sealed = seal(keys, "same", "place");
    const bool written =
        sealed && write(ends[1], sealed->data(), sealed->size()) == static_cast<ssize_t>(sealed->size());
    _exit(written ? 0 : 1);
  }
  const std::string ours = *seal(keys, "same", "place");
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  std::string theirs(ours.size(), '\0');
  CHECK(read(ends[0], theirs.data(), theirs.size()) == static_cast<ssize_t>(theirs.size()));
  close(ends[0]);
  close(ends[1]);
  CHECK(theirs.substr(0, 22) != ours.substr(0, 22)); // "v1.k1." and the nonce
}

TEST_CASE("every error of sealing is a sentence") {
  for (int value = 0; value <= static_cast<int>(seal_error::library_failure); ++value) {
    const auto sentence = to_string(static_cast<seal_error>(value));
    CHECK(sentence.size() > 10);
    CHECK(sentence.ends_with('.'));
  }
}
