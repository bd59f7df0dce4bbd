#pragma once

#include <string>
#include <string_view>

namespace sluice::app {

/// A whole HTTP/1.1 answer with a JSON body. `headers` are further lines, each with its CRLF.
[[nodiscard]] std::string http_answer_text(int status, std::string_view headers, std::string_view body,
                                           bool keep_alive);

} // namespace sluice::app
