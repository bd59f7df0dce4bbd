#include "storage/checkup.hpp"
#include "storage/migrations.hpp"
#include "storage/soci_session.hpp"

#include <map>
#include <optional>

namespace sluice::storage {
namespace {

/// What the migrations made, as the database should still have it.
struct expectations {
  std::map<std::string, std::string, std::less<>> triggers;  ///< name to its text, or to its function's name
  std::map<std::string, std::string, std::less<>> functions; ///< name to its body
};

std::string_view word_behind(std::string_view text, std::size_t at) {
  return text.substr(at, text.find_first_of(" (\n", at) - at);
}

/// The statements that begin with `opening` and end with `closing`, which each keeps but for a semicolon.
template <class Visitor>
void each_statement(std::string_view text, std::string_view opening, std::string_view closing,
                    Visitor visitor) {
  for (auto at = text.find(opening); at != std::string_view::npos; at = text.find(opening, at + 1)) {
    const auto end = text.find(closing, at) + closing.size() - 1;
    visitor(word_behind(text, at + opening.size()), text.substr(at, end - at));
  }
}

std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const auto begin = text.find(before) + before.size();
  return text.substr(begin, text.find(after, begin) - begin);
}

void read_sqlite_text(expectations& to, std::string_view text) {
  each_statement(text, "CREATE TRIGGER ", "\nEND;", [&](std::string_view name, std::string_view made) {
    to.triggers[std::string(name)] = made;
  });
}

void read_postgresql_text(expectations& to, std::string_view text) {
  each_statement(text, "CREATE FUNCTION ", "\n$body$;", [&](std::string_view name, std::string_view made) {
    to.functions[std::string(name)] = between(made, "$body$", "$body$");
  });
  each_statement(text, "CREATE TRIGGER ", ";", [&](std::string_view name, std::string_view made) {
    to.triggers[std::string(name)] = between(made, "EXECUTE FUNCTION ", "(");
  });
}

expectations expected(engine kind) {
  expectations made;
  for (const auto& one : migrations()) {
    if (kind == engine::sqlite)
      read_sqlite_text(made, one.sqlite);
    else
      read_postgresql_text(made, one.postgresql);
  }
  return made;
}

using deviations = std::vector<schema_deviation>;
using kind = schema_deviation::kind;

void compare_sqlite(session& db, const std::string& name, const std::string& text, deviations& found) {
  std::string stored;
  query row(db, "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = :name");
  if (!row.use("name", name).into(stored).next())
    found.push_back({name, kind::missing});
  else if (stored != text)
    found.push_back({name, kind::altered});
}

void compare_trigger(session& db, const std::string& name, const std::string& function, deviations& found) {
  std::string enabled;
  std::string runs;
  query row(db, "SELECT CAST(t.tgenabled AS TEXT), p.proname FROM pg_trigger AS t "
                "JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_proc AS p ON p.oid = t.tgfoid "
                "WHERE t.tgname = :name AND c.relnamespace = CAST(current_schema() AS regnamespace)");
  if (!row.use("name", name).into(enabled).into(runs).next())
    found.push_back({name, kind::missing});
  else if (enabled != "O" && enabled != "A")
    found.push_back({name, kind::disabled});
  else if (runs != function)
    found.push_back({name, kind::altered});
}

void compare_function(session& db, const std::string& name, const std::string& body, deviations& found) {
  std::string stored;
  query row(db, "SELECT prosrc FROM pg_proc WHERE proname = :name "
                "AND pronamespace = CAST(current_schema() AS regnamespace)");
  if (!row.use("name", name).into(stored).next())
    found.push_back({name, kind::missing});
  else if (stored != body)
    found.push_back({name, kind::altered});
}

} // namespace

result<std::vector<schema_deviation>> read_schema_deviations(session& db) {
  return guarded(db, "Comparing the schema's triggers", [&] {
    deviations found;
    const auto wanted = expected(db.kind());
    for (const auto& [name, text] : wanted.triggers) {
      if (db.kind() == engine::sqlite)
        compare_sqlite(db, name, text, found);
      else
        compare_trigger(db, name, text, found);
    }
    for (const auto& [name, body] : wanted.functions)
      compare_function(db, name, body, found);
    return found;
  });
}

} // namespace sluice::storage
