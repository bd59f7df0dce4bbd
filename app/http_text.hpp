#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::app {

/// A whole HTTP/1.1 answer with a JSON body. `headers` are further lines, each with its CRLF.
[[nodiscard]] std::string http_answer_text(int status, std::string_view headers, std::string_view body,
                                           bool keep_alive);

/// "Retry-After: 30" with its CRLF.
[[nodiscard]] std::string retry_after_line(std::int64_t seconds);

} // namespace sluice::app
