#pragma once

#include "app/command_context.hpp"

#include <string>

namespace sluice::app {

/// `sluice ambiguous list|link|resend`.
[[nodiscard]] int list_ambiguous(const command_context& context, const std::string& rule);
[[nodiscard]] int link_record(const command_context& context, const std::string& rule,
                              const std::string& source_id, const std::string& remote_id);
[[nodiscard]] int resend_record(const command_context& context, const std::string& rule,
                                const std::string& source_id);

} // namespace sluice::app
