#include "storage/record_links.hpp"

#include "storage/dialect.hpp"
#include "storage/intents.hpp"
#include "storage/record_columns.hpp"
#include "storage/soci_session.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <limits>
#include <unordered_map>

namespace sluice::storage {
namespace {

std::string facts_sql(engine kind) {
  std::string text =
      "SELECT i.ord, m.id, m.source_id, m.content_changed_at, m.deleted_at, m.deletion_reason, '', ";
  text += ledger_columns;
  text += " FROM " + dialect::json_rows(kind, "links", {{"source_id"}}, "i") + " LEFT JOIN ";
  text += kind == engine::postgresql ? mirror_lookup("i.source_id") : std::string{"mirror_records"};
  text += " AS m ON m.source_connection_id = :source AND m.domain = :domain AND m.source_id = i.source_id ";
  text += kind == engine::postgresql
              ? "LEFT JOIN LATERAL (SELECT * FROM outbound_deliveries WHERE rule_id = :rule "
                "AND source_id = i.source_id LIMIT 1) AS r ON TRUE"
              : "LEFT JOIN outbound_deliveries AS r ON r.rule_id = :rule AND r.source_id = i.source_id";
  return text + " ORDER BY i.ord";
}

std::unordered_map<std::string, core::record_id> records_with_intents(session& db, core::rule_id rule,
                                                                      const crypto::key_ring& keys) {
  std::unordered_map<std::string, core::record_id> found;
  for (const auto& made :
       needed(read_intents(db, rule, std::nullopt, std::numeric_limits<std::int32_t>::max(), keys)))
    found.emplace(made.source_id, made.record);
  return found;
}

} // namespace

result<std::vector<core::link_facts>> read_link_facts(session& db, const core::sync_rule& rule,
                                                      std::span<const core::record_link> links,
                                                      const crypto::key_ring& keys) {
  return guarded(db, "Reading the records of links", [&] {
    const auto intents = records_with_intents(db, rule.id, keys);
    auto names = nlohmann::json::array();
    for (const auto& link : links)
      names.push_back(nlohmann::json::array({link.source_id}));
    std::vector<core::link_facts> facts(links.size());
    query rows(db, facts_sql(db.kind()));
    rows.use("links", names.dump()).use("source", rule.source).use("domain", rule.domain);
    rows.use("rule", rule.id);
    std::int64_t place = 0;
    mirror_target record;
    ledger_target row;
    rows.into(place);
    record.bind(rows);
    row.bind(rows);
    while (rows.next()) {
      const auto at = static_cast<std::size_t>(place - 1);
      facts.at(at).about = {record.take(), row.take()};
      if (const auto made = intents.find(links[at].source_id); made != intents.end())
        facts[at].intent = made->second;
    }
    return facts;
  });
}

result<std::multimap<std::string, std::string>>
read_remote_id_holders(session& db, core::rule_id rule, std::span<const core::record_link> links) {
  return guarded(db, "Reading who holds remote ids", [&] {
    auto ids = nlohmann::json::array();
    for (const auto& link : links)
      ids.push_back(link.remote_id);
    query rows(db, "SELECT remote_id, source_id FROM outbound_deliveries WHERE rule_id = :rule "
                   "AND target_state <> 'absent' AND deleted_at IS NULL AND remote_id IN ("
                       + dialect::json_values(db.kind(), "ids", dialect::column_type::text) + ")");
    std::string remote_id;
    std::string source_id;
    rows.use("rule", rule).use("ids", ids.dump()).into(remote_id).into(source_id);
    std::multimap<std::string, std::string> holders;
    while (rows.next())
      holders.emplace(remote_id, source_id);
    return holders;
  });
}

} // namespace sluice::storage
