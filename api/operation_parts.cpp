#include "api/operation_parts.hpp"

#include <unordered_map>

namespace sluice::api {

names names_of(messages::names_listed listed) {
  auto rules = std::make_shared<std::unordered_map<core::rule_id, std::string>>();
  for (auto& [id, name] : listed.rules)
    rules->emplace(id, std::move(name));
  auto connections = std::make_shared<std::unordered_map<core::connection_id, std::string>>();
  for (auto& connection : listed.connections)
    connections->emplace(connection.id, std::move(connection.name));
  return {[rules](core::rule_id id) {
            const auto found = rules->find(id);
            return found == rules->end() ? std::to_string(id.value) : found->second;
          },
          [connections](core::connection_id id) {
            const auto found = connections->find(id);
            return found == connections->end() ? std::to_string(id.value) : found->second;
          }};
}

void with_names(desk& at, const responder& answer, std::function<void(const names&)> then) {
  at.ask<messages::names_listed>(
      at.links().overview, messages::list_names{}, answer,
      [then = std::move(then)](messages::names_listed& listed) { then(names_of(std::move(listed))); });
}

} // namespace sluice::api
