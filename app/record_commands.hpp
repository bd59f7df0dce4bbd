#pragma once

#include "app/command_context.hpp"

#include <string>

namespace sluice::app {

struct retry_options {
  std::string rule;
  std::string source_id; ///< one record; empty: by the filter
  std::string error_class;
  std::string from; ///< RFC 3339
  std::string until;
  bool all = false;
  bool yes = false;
};

/// `sluice retry`: records that ended exhausted or gone are offered again.
[[nodiscard]] int retry(const command_context& context, const retry_options& options);

/// `sluice ambiguous list|link|resend`.
[[nodiscard]] int list_ambiguous(const command_context& context, const std::string& rule);
[[nodiscard]] int link_record(const command_context& context, const std::string& rule,
                              const std::string& source_id, const std::string& remote_id);
[[nodiscard]] int resend_record(const command_context& context, const std::string& rule,
                                const std::string& source_id);

} // namespace sluice::app
