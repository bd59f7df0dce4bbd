#pragma once

#include <cstddef>
#include <expected>
#include <string>

namespace sluice::config {

/// Reads a whole file of at most `bytes_max`. The error is a sentence that names the file.
[[nodiscard]] std::expected<std::string, std::string>
read_text_file(const std::string& path, std::size_t bytes_max = std::size_t{16} << 20);

/// A secret from a file: its content without the line end.
[[nodiscard]] std::expected<std::string, std::string> read_secret_file(const std::string& path);

} // namespace sluice::config
