#include "storage/rule_context.hpp"

#include "storage/connections.hpp"
#include "storage/cursor.hpp"
#include "storage/stored_rule.hpp"

#include <utility>

namespace sluice::storage {

namespace {

result<core::connection> opened_connection(session& db, core::connection_id id,
                                           const crypto::key_ring& keys) {
  auto found = read_connection(db, id);
  if (!found)
    return std::unexpected{found.error()};
  if (!*found)
    return std::unexpected{failure{error::not_found, "A connection of the rule does not exist any more."}};
  auto connection = std::move((*found)->connection);
  if (auto opened = open_credentials(connection, keys); !opened)
    return std::unexpected{opened.error()};
  return connection;
}

} // namespace

result<rule_context> read_rule_context(session& db, core::rule_id rule, const crypto::key_ring& keys,
                                       core::timestamp now) {
  auto row = read_rule(db, rule);
  if (!row)
    return std::unexpected{row.error()};
  if (!*row || (*row)->deleted())
    return std::unexpected{failure{error::not_found, "The rule does not exist any more."}};
  rule_context context;
  context.rule = std::move((*row)->rule);
  auto source = opened_connection(db, context.rule.source, keys);
  if (!source)
    return std::unexpected{source.error()};
  auto target = opened_connection(db, context.rule.target, keys);
  if (!target)
    return std::unexpected{target.error()};
  auto cursor = find_cursor(db, rule);
  if (!cursor)
    return std::unexpected{cursor.error()};
  context.source = std::move(*source);
  context.target = std::move(*target);
  context.cursor = cursor->value_or(core::open_cursor(context.rule, now));
  return context;
}

} // namespace sluice::storage
