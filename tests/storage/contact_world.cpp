#include "tests/storage/contact_world.hpp"

namespace sluice::tests {
namespace {

// Each writes the question itself: every column of every table, as text.
constexpr const char* sqlite_question =
    "SELECT group_concat('SELECT count(*) AS n FROM \"' || m.name || '\" WHERE ' || (SELECT group_concat("
    "'instr(CAST(\"' || c.name || '\" AS TEXT), ''{text}'') > 0', ' OR ') FROM pragma_table_info(m.name) "
    "AS c), ' UNION ALL ') FROM sqlite_master AS m WHERE m.type = 'table'";
constexpr const char* postgresql_question =
    "SELECT string_agg(one, ' UNION ALL ') FROM (SELECT 'SELECT count(*) AS n FROM ' || "
    "quote_ident(table_name) || ' WHERE ' || string_agg('strpos(CAST(' || quote_ident(column_name) || "
    "' AS TEXT), ''{text}'') > 0', ' OR ') AS one FROM information_schema.columns "
    "WHERE table_schema = current_schema() GROUP BY table_name) AS each";

} // namespace

std::int64_t contact_world::rows_with(const std::string& text) const {
  std::string question = where().kind == storage::engine::sqlite ? sqlite_question : postgresql_question;
  question.replace(question.find("{text}"), 6, text);
  return std::stoll(value("SELECT sum(n) FROM (" + value(question) + ") AS counted"));
}

} // namespace sluice::tests
