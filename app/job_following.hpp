#pragma once

#include "app/command_context.hpp"
#include "app/node_client.hpp"

#include <cstdint>
#include <expected>
#include <string>

/// What commands share that have a node do something to many rows, as a job the node goes on with.
namespace sluice::app {

struct job_words {
  std::string bar;   ///< the progress bar's label: "records due"
  std::string doing; ///< behind how many are done: "records are due now"
};

/// Asks the path how many rows the body is about. The error is the exit code.
[[nodiscard]] std::expected<std::int64_t, int> count_rows(const node_client& node, const std::string& path,
                                                          node_client::document body);

/// What was counted, and the job, where one has begun.
int report_count(const command_context& context, std::int64_t counted, const node_client::document& job,
                 const std::string& sentence);

/// Shows the job at `path` until it has ended, and what it came to; the exit code. The node goes on with it
/// whatever becomes of who watches.
[[nodiscard]] int follow_job(const command_context& context, const node_client& node, const std::string& path,
                             std::int64_t counted, node_client::document job, const job_words& words);

/// "under way", "completed", "cancelled".
[[nodiscard]] std::string state_of_job(const node_client::document& job);

} // namespace sluice::app
