#include "app/connections_command.hpp"

#include "api/views.hpp"
#include "app/progress.hpp"
#include "storage/lifecycle.hpp"

#include <algorithm>
#include <functional>

namespace sluice::app {
namespace {

constexpr std::int64_t purge_rows = 10'000; ///< a transaction

std::string time_text(const std::optional<core::timestamp>& at) {
  return at ? core::to_rfc3339(*at) : "";
}

/// Steps until nothing is left; the number of rows removed.
storage::result<std::int64_t>
purge_all(storage::session& db, const std::function<storage::result<std::int64_t>(storage::session&)>& step) {
  std::int64_t removed = 0;
  progress bar{"rows removed", 0};
  while (true) {
    const auto done = storage::transact(db, step);
    if (!done) {
      return done;
    }
    if (*done == 0) {
      return removed;
    }
    removed += *done;
    bar.show(removed);
  }
}

storage::result<std::int64_t> purge_named(storage::session& db, const std::string& name) {
  return purge_all(db, [&](storage::session& within) {
    return storage::purge_connection(within, name, purge_rows, wall_now());
  });
}

int purged(const command_context& context, std::int64_t rows) {
  if (context.style.json) {
    print_json({{"purged_rows", rows}});
  } else {
    print_line(rows == 0 ? "nothing to purge" : "purged " + grouped(rows) + " rows");
  }
  return exit_ok;
}

/// Nothing when it exists, else the exit code.
std::optional<int> missing(storage::session& db, const std::string& name) {
  const auto lives = storage::list_connection_lives(db);
  if (!lives) {
    return report("the connection cannot be looked up", lives.error());
  }
  if (std::ranges::none_of(*lives, [&](const auto& one) { return one.connection.name == name; })) {
    return report_missing("connection", name, "`sluice connections list` shows those there are");
  }
  return std::nullopt;
}

void show(const command_context& context, const std::string& what, const std::string& name,
          const storage::lifecycle_report& report, const std::string& note) {
  if (context.style.json) {
    print_json({{"connection", name},
                {"disconnected_at", core::to_rfc3339(report.disconnected_at)},
                {"rules", report.rules},
                {"records", report.records}});
    return;
  }
  print_line(what + " " + name + ": " + grouped(report.rules) + " rules, " + grouped(report.records)
             + " records" + note);
}

} // namespace

int list_connections(const command_context& context) {
  auto db = open_session(context, storage::access::read);
  if (!db) {
    return db.error();
  }
  const auto connections = storage::list_connection_lives(*db);
  if (!connections) {
    return report("the connections cannot be read", connections.error());
  }
  auto document = nlohmann::ordered_json::array();
  text_table table{{"name", "tenant", "driver", "state", "reason", "disconnected", "purged from"}};
  for (const auto& one : *connections) {
    const auto& connection = one.connection;
    const auto view = api::connection_view(one, context.settings.lifecycle.grace_period);
    const auto& purged_from = view.at("purged_from");
    document.push_back(view);
    table.add({connection.name, connection.tenant, connection.driver, api::state_text(one),
               printable(connection.status_reason), time_text(one.disconnected_at),
               purged_from.is_null() ? "" : purged_from.get<std::string>()});
  }
  if (context.style.json) {
    print_json({{"connections", document}});
  } else if (table.empty()) {
    print_line("no connection yet; `sluice apply` makes them");
  } else {
    table.print(context.style);
  }
  return exit_ok;
}

int disconnect(const command_context& context, const connection_options& options) {
  auto db = open_session(context, storage::access::write);
  if (!db) {
    return db.error();
  }
  const auto done = storage::disconnect_connection(*db, options.name, wall_now());
  if (!done) {
    return report("connection " + options.name + " was not disconnected", done.error());
  }
  const auto until = done->disconnected_at + context.settings.lifecycle.grace_period;
  show(context, "disconnected", options.name, *done,
       "; until " + core::to_rfc3339(until) + " `sluice connections reconnect` brings them back");
  return exit_ok;
}

int reconnect(const command_context& context, const connection_options& options) {
  auto db = open_session(context, storage::access::write);
  if (!db) {
    return db.error();
  }
  const auto done =
      storage::reconnect_connection(*db, options.name, context.settings.lifecycle.grace_period, wall_now());
  if (!done) {
    return report("connection " + options.name + " was not reconnected", done.error());
  }
  show(context, "reconnected", options.name, *done, "");
  return exit_ok;
}

int clear_error(const command_context& context, const connection_options& options) {
  auto db = open_session(context, storage::access::write);
  if (!db) {
    return db.error();
  }
  const auto done = storage::transact(*db, [&](storage::session& within) {
    return storage::clear_connection_error(within, options.name, wall_now());
  });
  if (!done) {
    return report("connection " + options.name + " is as it was", done.error());
  }
  if (context.style.json) {
    print_json({{"connection", options.name}, {"state", "active"}});
  } else {
    print_line("connection " + options.name + " is active again");
  }
  return exit_ok;
}

int purge(const command_context& context, const connection_options& options) {
  if (options.name.empty() == options.now) {
    print_error("nothing was purged", "--now and the name of a connection belong together",
                "name one with --now, or give neither to purge what is over its grace period");
    return exit_usage;
  }
  auto db = open_session(context, storage::access::write);
  if (!db) {
    return db.error();
  }
  if (options.now) {
    if (const auto code = missing(*db, options.name)) {
      return *code;
    }
  }
  const auto rows =
      options.now ? purge_named(*db, options.name) : purge_all(*db, [&](storage::session& within) {
        const auto now = wall_now();
        return storage::purge_expired(within, now - context.settings.lifecycle.grace_period, purge_rows, now);
      });
  if (!rows) {
    return report("the purge stopped", rows.error());
  }
  return purged(context, *rows);
}

int uninstall(const command_context& context, const connection_options& options) {
  if (!options.yes) {
    print_error("connection " + options.name + " was not uninstalled",
                "its rules, its records and what was delivered of them would be gone for good",
                "give --yes when that is meant; `sluice connections disconnect` can be undone");
    return exit_refused;
  }
  auto db = open_session(context, storage::access::write);
  if (!db) {
    return db.error();
  }
  const auto rows = storage::uninstall_connection(*db, options.name, wall_now());
  if (!rows) {
    return report("connection " + options.name + " is not uninstalled to its end", rows.error());
  }
  return purged(context, *rows);
}

} // namespace sluice::app
