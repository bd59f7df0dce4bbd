#pragma once

#include "app/node_client.hpp"

#include <expected>
#include <string>
#include <string_view>

namespace sluice::app {

/// What people name by a name or by an id.
struct named_kind {
  std::string name;     ///< "subscription"
  std::string path;     ///< of their list
  std::string member;   ///< of its answer
  std::string command;  ///< whose `list` shows them
  std::string tenant{}; ///< whose alone; empty: anybody's
};

/// The id of the thing a person names by it or by its name. Where none is called so, or several tenants have
/// one of the name, that has been printed: the error is the exit code.
[[nodiscard]] std::expected<std::string, int> id_of(const node_client& node, const named_kind& kind,
                                                    const std::string& named);

[[nodiscard]] named_kind profile_kind();

/// The id of the subscription a person names by it or by its name, likewise.
[[nodiscard]] std::expected<std::string, int> subscription_id_of(const node_client& node,
                                                                 const std::string& named);

/// Does `act` with the node and that id; the exit code.
template <class Act>
[[nodiscard]] int with_subscription(const command_context& context, const std::string& named, Act act) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto id = subscription_id_of(*node, named);
  return id ? act(*node, *id) : id.error();
}

/// "/v1/subscriptions/ID" and what follows it.
[[nodiscard]] std::string subscription_path(std::string_view id, std::string_view rest = "");

} // namespace sluice::app
