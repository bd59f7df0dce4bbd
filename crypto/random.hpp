#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace sluice::crypto {

/// `count` bytes of the operating system's quality. A machine that cannot give them ends the program: nothing
/// here may go on with guessable bytes.
[[nodiscard]] std::string random_bytes(std::size_t count);

/// The same, into memory of the caller's.
void fill_random(unsigned char* to, std::size_t count);

/// A UUID version 7 (RFC 9562 section 5.7) of a UTC time, as 36 characters in lower case. The twelve bits
/// after the milliseconds carry the microseconds (section 6.2, method 3), so texts of different microseconds
/// sort by time; 62 bits are random. Times before 1970 count as 1970.
[[nodiscard]] std::string uuid_v7(std::chrono::sys_time<std::chrono::microseconds> at);

/// While it lives, the random bits of UUIDs made on its thread come from `source`: for a simulation, which
/// has to come out the same every time. What must not be guessed (keys, nonces, tokens) is not touched.
class uuid_stand_in {
public:
  using source = std::function<std::uint64_t()>;

  explicit uuid_stand_in(source from);
  ~uuid_stand_in();
  uuid_stand_in(const uuid_stand_in&) = delete;
  uuid_stand_in& operator=(const uuid_stand_in&) = delete;

private:
  source from_;
};

} // namespace sluice::crypto
