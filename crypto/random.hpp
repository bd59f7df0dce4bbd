#pragma once

#include <chrono>
#include <cstddef>
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

} // namespace sluice::crypto
