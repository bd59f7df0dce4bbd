#include "core/letter_case.hpp"

#include <array>
#include <cstdint>

namespace sluice::core {
namespace {

/// All code points of at most two bytes in UTF-8.
using case_table = std::array<std::uint16_t, 0x800>;

/// Capitals first to last, `step` apart, whose small letters lie `distance` further.
struct capitals {
  std::uint16_t first;
  std::uint16_t last;
  std::uint16_t step;
  std::uint16_t distance;
};

constexpr std::array<capitals, 23> all_capitals{{
    {'A', 'Z', 1, 32},     {0xC0, 0xD6, 1, 32},  // Latin-1, around the multiplication sign
    {0xD8, 0xDE, 1, 32},   {0x100, 0x12E, 2, 1}, // Latin Extended-A, without the dotted and the dotless i
    {0x132, 0x136, 2, 1},  {0x139, 0x147, 2, 1},  {0x14A, 0x176, 2, 1},  {0x179, 0x17D, 2, 1},
    {0x386, 0x386, 1, 38}, // Greek
    {0x388, 0x38A, 1, 37}, {0x38C, 0x38C, 1, 64}, {0x38E, 0x38F, 1, 63}, {0x391, 0x3A1, 1, 32},
    {0x3A3, 0x3AB, 1, 32}, {0x400, 0x40F, 1, 80}, // Cyrillic
    {0x410, 0x42F, 1, 32}, {0x460, 0x480, 2, 1},  {0x48A, 0x4BE, 2, 1},  {0x4C0, 0x4C0, 1, 15},
    {0x4C1, 0x4CD, 2, 1},  {0x4D0, 0x52E, 2, 1},  {0x531, 0x556, 1, 48}, // Armenian
    {0x370, 0x372, 2, 1},
}};

constexpr std::uint16_t y_with_diaeresis = 0xFF;
constexpr std::uint16_t capital_y_with_diaeresis = 0x178;
constexpr std::uint16_t final_sigma = 0x3C2;
constexpr std::uint16_t capital_sigma = 0x3A3;

constexpr case_table unchanged() {
  case_table table{};
  for (std::size_t c = 0; c < table.size(); ++c) {
    table[c] = static_cast<std::uint16_t>(c);
  }
  return table;
}

constexpr case_table make_lower_table() {
  auto table = unchanged();
  for (const auto& [first, last, step, distance] : all_capitals) {
    for (unsigned c = first; c <= last; c += step) {
      table[c] = static_cast<std::uint16_t>(c + distance);
    }
  }
  table[capital_y_with_diaeresis] = y_with_diaeresis;
  return table;
}

constexpr auto lower_table = make_lower_table();

constexpr case_table make_upper_table() {
  auto table = unchanged();
  for (std::size_t c = 0; c < table.size(); ++c) {
    if (lower_table[c] != c) {
      table[lower_table[c]] = static_cast<std::uint16_t>(c);
    }
  }
  table[final_sigma] = capital_sigma;
  return table;
}

constexpr auto upper_table = make_upper_table();

void change_case(std::string& text, const case_table& table) noexcept {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    if (lead < 0x80) {
      text[at] = static_cast<char>(table[lead]);
    } else if (lead >= 0xC2 && lead <= 0xDF && at + 1 < text.size()) {
      const auto trail = static_cast<unsigned char>(text[at + 1]);
      const unsigned changed = table[((lead & 0x1FU) << 6U) | (trail & 0x3FU)];
      text[at] = static_cast<char>(0xC0U | (changed >> 6U));
      text[++at] = static_cast<char>(0x80U | (changed & 0x3FU));
    }
  }
}

} // namespace

void make_lower(std::string& text) noexcept {
  change_case(text, lower_table);
}

void make_upper(std::string& text) noexcept {
  change_case(text, upper_table);
}

void trim(std::string& text) {
  constexpr auto spaces = " \t\n\v\f\r";
  const auto last = text.find_last_not_of(spaces);
  text.erase(last == std::string::npos ? 0 : last + 1);
  text.erase(0, text.find_first_not_of(spaces));
}

} // namespace sluice::core
