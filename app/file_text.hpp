#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::app {

/// The file's bytes, "-" for standard input; one more than `most` at the most: the node says what is too
/// much. Nothing where it cannot be read, which has been printed with what did not happen.
[[nodiscard]] std::optional<std::string> read_file_text(const std::string& file, std::size_t most,
                                                        std::string_view otherwise);

} // namespace sluice::app
