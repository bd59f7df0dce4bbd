#pragma once

#include "core/ids.hpp"
#include "core/time.hpp"
#include "storage/session.hpp"

#include <memory>
#include <string>

namespace sluice::sim {

/// A team that writes the mirror itself (docs/mirror.md), and whose transaction was open for long: what it
/// commits has a change signal of when it began. SQLite lets one writer in at a time, so the commit that
/// comes late is a write whose signal lies back.
class late_writer {
public:
  explicit late_writer(const storage::database& where);
  ~late_writer();
  late_writer(const late_writer&) = delete;
  late_writer& operator=(const late_writer&) = delete;

  /// False: the record's own last change is not older than `changed_at`, so no transaction can have begun
  /// then.
  bool change(core::connection_id source, const std::string& domain, const std::string& source_id,
              const std::string& payload, core::timestamp changed_at);

private:
  struct connection;
  std::unique_ptr<connection> connection_;
};

} // namespace sluice::sim
