#include "storage/soci_session.hpp"

#include <exception>
#include <string>

namespace sluice::storage {
namespace {

error from_sqlstate(std::string_view state) {
  const auto group = state.substr(0, 2);
  if (state == "40001" || state == "40P01" || state == "55P03" || state == "57014")
    return error::busy;
  if (state == "53100")
    return error::full;
  if (state == "23505")
    return error::duplicate;
  if (group == "23" || group == "22") // a value the engine does not take is refused like a constraint
    return error::constraint;
  if (group == "42" || group == "3F")
    return error::schema;
  if (group == "XX")
    return error::corrupt;
  return error::unavailable;
}

error from_sqlite(int extended) {
  switch (extended) {
  case SQLITE_CONSTRAINT_UNIQUE:
  case SQLITE_CONSTRAINT_PRIMARYKEY:
  case SQLITE_CONSTRAINT_ROWID:
    return error::duplicate;
  default:
    break;
  }
  switch (extended & 0xff) {
  case SQLITE_BUSY:
  case SQLITE_LOCKED:
    return error::busy;
  case SQLITE_FULL:
    return error::full;
  case SQLITE_CONSTRAINT:
  case SQLITE_MISMATCH:
  case SQLITE_TOOBIG:
    return error::constraint;
  case SQLITE_ERROR:
  case SQLITE_SCHEMA:
    return error::schema;
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
    return error::corrupt;
  default:
    return error::unavailable;
  }
}

std::string sentence(std::string_view doing, std::string_view code) {
  return std::string(doing) + " failed (" + std::string(code) + ").";
}

bool is_sqlstate(std::string_view state) {
  return state.size() == 5 && state.find_first_not_of(" \0") != std::string_view::npos;
}

failure of_postgresql(const soci::postgresql_soci_error& thrown, std::string_view doing) {
  const auto state = thrown.sqlstate();
  if (!is_sqlstate(state))
    return {error::unavailable, sentence(doing, "connection to PostgreSQL lost or refused")};
  return {from_sqlstate(state), sentence(doing, "SQLSTATE " + state)};
}

failure of_sqlite(const soci::sqlite3_soci_error& thrown, sqlite_api::sqlite3* database,
                  std::string_view doing) {
  int code = thrown.result();
  if (database != nullptr) {
    // The exception carries the primary code; the handle still knows the extended one.
    const int extended = sqlite_api::sqlite3_extended_errcode(database);
    if ((extended & 0xff) == (code & 0xff))
      code = extended;
  }
  return {from_sqlite(code), sentence(doing, "SQLite code " + std::to_string(code))};
}

} // namespace

failure session::implementation::translate(std::string_view doing) {
  failure failed;
  try {
    throw;
  } catch (abandoned& own) {
    failed = std::move(own.why);
  } catch (const soci::postgresql_soci_error& thrown) {
    failed = of_postgresql(thrown, doing);
  } catch (const soci::sqlite3_soci_error& thrown) {
    failed = of_sqlite(thrown, sql ? sqlite() : nullptr, doing);
  } catch (const soci::soci_error&) {
    failed = {error::unavailable, sentence(doing, "database library error")};
  } catch (const std::bad_alloc&) {
    failed = {error::unavailable, sentence(doing, "out of memory")};
  } catch (const std::exception&) {
    failed = {error::corrupt, sentence(doing, "unexpected value")};
  }
  if (where.kind == engine::postgresql && sql && PQstatus(postgresql()) != CONNECTION_OK) {
    lost = true;
    failed.code = error::unavailable;
  }
  if (in_transaction && !broken)
    broken = failed;
  return failed;
}

std::optional<failure> session::implementation::refusal() const {
  if (lost || !sql)
    return failure{error::unavailable, "The connection to the database was lost."};
  if (broken)
    return failure{broken->code, "An earlier statement of this transaction failed: " + broken->detail};
  return std::nullopt;
}

} // namespace sluice::storage
