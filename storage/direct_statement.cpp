#include "storage/soci_session.hpp"

namespace sluice::storage {
namespace {

using namespace sqlite_api;

/// SOCI's own exception, so that one translation serves both ways; the text is never shown.
void require(int code) {
  if (code != SQLITE_OK)
    throw soci::sqlite3_soci_error("", code);
}

} // namespace

direct_statement::direct_statement(session& db, std::string_view text) : database_(db.raw().sqlite()) {
  auto& cache = db.raw().direct_statements;
  if (auto found = cache.find(text); found != cache.end()) {
    statement_ = found->second;
    return;
  }
  require(sqlite3_prepare_v3(database_, text.data(), static_cast<int>(text.size()), SQLITE_PREPARE_PERSISTENT,
                             &statement_, nullptr));
  cache.emplace(std::string(text), statement_);
}

direct_statement::~direct_statement() {
  reset();
  sqlite3_clear_bindings(statement_);
}

int direct_statement::place(const char* name) const {
  return sqlite3_bind_parameter_index(statement_, name);
}

direct_statement& direct_statement::bind(int index, std::int64_t value) {
  require(sqlite3_bind_int64(statement_, index, value));
  return *this;
}

direct_statement& direct_statement::bind(int index, std::string_view value) {
  // A null pointer would bind NULL instead of an empty text.
  const char* data = value.data() == nullptr ? "" : value.data();
  require(sqlite3_bind_text(statement_, index, data, static_cast<int>(value.size()), nullptr));
  return *this;
}

direct_statement& direct_statement::bind_null(int index) {
  require(sqlite3_bind_null(statement_, index));
  return *this;
}

bool direct_statement::next() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW)
    return true;
  if (code != SQLITE_DONE)
    throw soci::sqlite3_soci_error("", code);
  return false;
}

bool direct_statement::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t direct_statement::number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string_view direct_statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  if (data == nullptr)
    return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
}

std::int64_t direct_statement::run() {
  while (next()) {
  }
  const auto written = sqlite3_changes64(database_);
  reset();
  return written;
}

void direct_statement::reset() noexcept {
  sqlite3_reset(statement_);
}

} // namespace sluice::storage
