#include "app/migrate.hpp"

#include "storage/schema.hpp"

namespace sluice::app {

int migrate(const command_context& context, const migrate_options& options) {
  auto db = open_session(context, storage::access::write, schema_check::skipped);
  if (!db) {
    return db.error();
  }
  const auto applied = storage::migrate(*db, wall_now(), options.to);
  if (!applied) {
    return report("the database was not migrated", applied.error());
  }
  if (context.style.json) {
    print_json({{"applied", *applied}});
    return exit_ok;
  }
  for (const auto& name : *applied) {
    print_line("applied " + name);
  }
  const auto versions = storage::read_schema_versions(*db);
  if (!versions) {
    return report("the schema's version cannot be read", versions.error());
  }
  if (versions->applied < versions->known) {
    print_line("the schema has version " + std::to_string(versions->applied) + " of "
               + std::to_string(versions->known));
  } else {
    print_line(applied->empty() ? "nothing to do: the schema is the current one"
                                : "the schema is the current one");
  }
  return exit_ok;
}

} // namespace sluice::app
