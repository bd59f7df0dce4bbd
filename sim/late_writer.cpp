#include "sim/late_writer.hpp"

#include "core/assertion.hpp"

#include <sqlite3.h>

namespace sluice::sim {

struct late_writer::connection {
  sqlite3* db = nullptr;
  sqlite3_stmt* change = nullptr;

  ~connection() {
    sqlite3_finalize(change);
    sqlite3_close(db);
  }
};

late_writer::late_writer(const storage::database& where) : connection_(std::make_unique<connection>()) {
  auto name = "/" + where.target.substr(where.target.find(':') + 1);
  auto opened = sqlite3_open_v2(name.c_str(), &connection_->db, SQLITE_OPEN_READWRITE, "memdb");
  core::assert_that(opened == SQLITE_OK, "the world's database is there");
  constexpr const char* text = "UPDATE mirror_records SET payload = ?1, content_changed_at = ?2 "
                               "WHERE source_connection_id = ?3 AND domain = ?4 AND source_id = ?5 "
                               "AND deleted_at IS NULL AND content_changed_at < ?2";
  auto prepared = sqlite3_prepare_v2(connection_->db, text, -1, &connection_->change, nullptr);
  core::assert_that(prepared == SQLITE_OK, "the mirror is as docs/mirror.md says");
}

late_writer::~late_writer() = default;

bool late_writer::change(core::connection_id source, const std::string& domain, const std::string& source_id,
                         const std::string& payload, core::timestamp changed_at) {
  auto* change = connection_->change;
  auto bind_text = [change](int place, const std::string& text) {
    sqlite3_bind_text(change, place, text.data(), static_cast<int>(text.size()), nullptr);
  };
  sqlite3_reset(change);
  bind_text(1, payload);
  sqlite3_bind_int64(change, 2, core::to_us(changed_at));
  sqlite3_bind_int64(change, 3, source.value);
  bind_text(4, domain);
  bind_text(5, source_id);
  auto done = sqlite3_step(change) == SQLITE_DONE;
  sqlite3_reset(change);
  return done && sqlite3_changes(connection_->db) == 1;
}

} // namespace sluice::sim
