#pragma once

#include "app/node_client.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What commands share that show a node's things and act on them.
namespace sluice::app {

/// "&name=value", percent-encoded; nothing where the value is empty.
[[nodiscard]] std::string query_part(std::string_view name, const std::string& value);

/// A list as people see it.
struct shown_list {
  std::string path;                                         ///< with "?" and whatever of a query
  std::string member;                                       ///< of the answer
  std::vector<std::pair<std::string, std::string>> columns; ///< the head, and the member beneath it
  std::string empty;                                        ///< what is said where there is nothing
};

/// Every page of it, in the order of their making; the exit code.
[[nodiscard]] int show_all(const command_context& context, const shown_list& list);
/// The newest, as one page; the exit code.
[[nodiscard]] int show_newest(const command_context& context, const shown_list& list, std::int64_t limit);

/// The members of one thing, a line each; the exit code.
[[nodiscard]] int print_thing(const command_context& context, const node_client::document& one);
/// The answer as it is, or the sentence about it; the exit code.
[[nodiscard]] int print_done(const command_context& context, const node_client::document& answer,
                             const std::string& sentence);

/// Looks it up and prints it.
[[nodiscard]] int show_thing(const command_context& context, const std::string& path);
/// Posts the body, with who acts, and prints the answer or the sentence.
[[nodiscard]] int act_on_thing(const command_context& context, const std::string& path,
                               node_client::document body, const std::string& sentence);

} // namespace sluice::app
