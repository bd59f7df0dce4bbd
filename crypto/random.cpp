#include "crypto/random.hpp"

#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

namespace sluice::crypto {

void fill_random(unsigned char* to, std::size_t count) {
  while (count > 0) {
    const std::size_t part = std::min(count, static_cast<std::size_t>(INT_MAX));
    if (RAND_bytes(to, static_cast<int>(part)) != 1) {
      std::fputs("The operating system gives no random bytes.\n", stderr);
      std::abort();
    }
    to += part;
    count -= part;
  }
}

std::string random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  fill_random(reinterpret_cast<unsigned char*>(bytes.data()), count);
  return bytes;
}

namespace {

thread_local const uuid_stand_in::source* stand_in = nullptr;

void fill_uuid(unsigned char* to, std::size_t count) {
  if (stand_in == nullptr) {
    fill_random(to, count);
    return;
  }
  auto bits = (*stand_in)();
  std::memcpy(to, &bits, std::min(count, sizeof bits));
}

} // namespace

uuid_stand_in::uuid_stand_in(source from) : from_(std::move(from)) {
  stand_in = &from_;
}

uuid_stand_in::~uuid_stand_in() {
  stand_in = nullptr;
}

std::string uuid_v7(std::chrono::sys_time<std::chrono::microseconds> at) {
  const auto since_epoch =
      static_cast<std::uint64_t>(std::max<std::int64_t>(0, at.time_since_epoch().count()));
  const std::uint64_t milliseconds = since_epoch / 1000;
  const std::uint64_t fraction = since_epoch % 1000 * 4096 / 1000;

  std::array<unsigned char, 16> bytes{};
  fill_uuid(bytes.data() + 8, 8);
  for (std::size_t index = 0; index < 6; ++index)
    bytes[index] = static_cast<unsigned char>(milliseconds >> (40 - 8 * index) & 0xff);
  bytes[6] = static_cast<unsigned char>(0x70 | fraction >> 8);
  bytes[7] = static_cast<unsigned char>(fraction & 0xff);
  bytes[8] = static_cast<unsigned char>(0x80 | (bytes[8] & 0x3f));

  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(36);
  for (std::size_t index = 0; index < bytes.size(); ++index) {
    if (index == 4 || index == 6 || index == 8 || index == 10)
      text += '-';
    text += digits[bytes[index] >> 4];
    text += digits[bytes[index] & 15];
  }
  return text;
}

} // namespace sluice::crypto
