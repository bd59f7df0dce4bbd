#pragma once

#include <string>

namespace sluice::core {

// Case of UTF-8 text without a locale: ASCII, Latin-1, Latin Extended-A, Greek, Cyrillic and Armenian
// letters. Every other character, and a letter whose counterpart has another length in UTF-8, stays as it is.

void make_lower(std::string& text) noexcept;
void make_upper(std::string& text) noexcept;

/// Takes spaces, tabs and line ends (ASCII) from both ends.
void trim(std::string& text);

} // namespace sluice::core
