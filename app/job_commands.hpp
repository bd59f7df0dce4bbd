#pragma once

#include "app/command_context.hpp"
#include "core/rule_job.hpp"

#include <optional>
#include <string>

namespace sluice::app {

struct row_options {
  std::string rule;
  std::string source_id; ///< one record; empty: by the filter
  std::optional<core::delivery_status> status;
  std::string error_class;
  std::string from; ///< RFC 3339
  std::string until;
  bool all = false;
  bool yes = false;
  bool no_wait = false; ///< leave the job to the node once it has begun
};

/// `sluice retry`: failed records do not wait for their next attempt. `sluice reopen`: exhausted and gone
/// ones are offered again. Many are counted first, and done by the node as a job, which this follows.
[[nodiscard]] int offer_rows(const command_context& context, core::row_act act, const row_options& options);

/// `sluice jobs`: a rule's, newest first.
[[nodiscard]] int list_jobs(const command_context& context, const std::string& rule);
[[nodiscard]] int cancel_job(const command_context& context, const std::string& rule, const std::string& id);

} // namespace sluice::app
