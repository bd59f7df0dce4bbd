#include "core/mirror_fault.hpp"
#include "storage/checkup.hpp"
#include "tests/repository_file.hpp"
#include "tests/storage/delivery_world.hpp"

// The SQL of docs/mirror.md does what the page says.

using namespace sluice;
using namespace sluice::tests;

namespace {

/// The blocks of SQL under a heading of docs/mirror.md, down to the next heading.
std::vector<std::string> blocks_under(const std::string& heading) {
  const auto page = repository_file("docs/mirror.md");
  const auto from = page.find("\n" + heading + "\n");
  REQUIRE(from != std::string::npos);
  const auto until = page.find("\n#", from + heading.size());
  const auto section = page.substr(from, until - from);
  std::vector<std::string> blocks;
  constexpr std::string_view open = "```sql\n";
  for (auto at = section.find(open); at != std::string::npos; at = section.find(open, at + 1)) {
    const auto begin = at + open.size();
    blocks.push_back(section.substr(begin, section.find("```", begin) - begin));
  }
  return blocks;
}

bool is_sqlite(const world& here) {
  return here.where().kind == storage::engine::sqlite;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

/// A source's own program, which writes with the page's statements.
struct page_world : delivery_world {
  explicit page_world(storage::engine kind) : delivery_world(kind) {}

  [[nodiscard]] std::string heading() const { return is_sqlite(*this) ? "## SQLite" : "## PostgreSQL"; }

  void write_record(const std::string& id, const std::string& payload) const {
    auto text = blocks_under(heading()).at(0);
    text = replaced(std::move(text), is_sqlite(*this) ? ":source_id" : "$1", "'" + id + "'");
    execute(replaced(std::move(text), is_sqlite(*this) ? ":payload" : "$2", "'" + payload + "'"));
  }
  void delete_record(const std::string& id) const {
    execute(replaced(blocks_under(heading()).at(1), is_sqlite(*this) ? ":source_id" : "$1", "'" + id + "'"));
  }
  void make_stamping_trigger() const { execute(blocks_under("## PostgreSQL").at(2)); }

  /// A table of the program's own, with what the page lays on it.
  void make_own_table() const {
    execute("CREATE TABLE customers (id BIGINT PRIMARY KEY, name TEXT, email TEXT)");
    execute("INSERT INTO customers VALUES (1, 'Ada', 'ada@example.test'), (2, 'Bob', NULL)");
    for (const auto& block : blocks_under(is_sqlite(*this) ? "### On SQLite" : "### On PostgreSQL"))
      execute(block);
  }

  [[nodiscard]] bool lives(const std::string& id) { return !record(id).is_tombstone(); }
  [[nodiscard]] core::timestamp signal(const std::string& id) { return record(id).content_changed_at; }
  [[nodiscard]] std::int64_t markers() const {
    return std::stoll(value("SELECT count(*) FROM change_markers"));
  }
  void check_sound() {
    CHECK(must(storage::read_mirror_faults(
                   db(), std::chrono::time_point_cast<core::duration>(std::chrono::system_clock::now())))
              .empty());
  }
};

} // namespace

TEST_CASE("the page's statements write a record, change it, leave it alone, delete it and bring it back") {
  page_world here(GENERATE(from_range(engines())));
  here.write_record("1", R"({"n":1})");
  const auto first = here.signal("1");
  CHECK(here.markers() == 1);
  here.write_record("1", R"({"n":1})");
  CHECK(here.signal("1") == first);
  here.write_record("1", R"({"n":2})");
  const auto changed = here.signal("1");
  CHECK(changed > first);
  CHECK(here.record("1").payload == R"({"n":2})");
  here.delete_record("1");
  CHECK_FALSE(here.lives("1"));
  CHECK(here.record("1").reason == core::deletion_reason::source_event);
  const auto deleted = here.signal("1");
  CHECK(deleted > changed);
  here.delete_record("1");
  CHECK(here.signal("1") == deleted);
  here.write_record("1", R"({"n":2})");
  CHECK(here.lives("1"));
  CHECK(here.signal("1") > deleted);
  here.check_sound();
}

TEST_CASE("the page's stamping trigger stamps for writers that do not") {
  if (engines().size() < 2)
    return;
  page_world here(storage::engine::postgresql);
  here.make_stamping_trigger();
  here.execute(
      "INSERT INTO mirror_records (source_connection_id, domain, source_id, payload, "
      "content_changed_at) SELECT id, 'customers', '1', '{}', 0 FROM connections WHERE name = 'shop'");
  const auto first = here.signal("1");
  CHECK(first > core::timestamp{std::chrono::seconds{946'684'800}});
  here.execute("UPDATE mirror_records SET payload = '{}', content_changed_at = 5");
  CHECK(here.signal("1") == first);
  here.execute(R"(UPDATE mirror_records SET payload = '{"a":1}')");
  CHECK(here.signal("1") > first);
  here.check_sound();
}

TEST_CASE("the page's triggers carry a table of one's own into the mirror, what it held before too") {
  page_world here(GENERATE(from_range(engines())));
  here.make_own_table();
  CHECK_THAT(here.record("1").payload, Catch::Contains("ada@example.test"));
  CHECK(here.lives("2"));
  const auto first = here.signal("1");
  const auto other = here.signal("2");
  here.execute("UPDATE customers SET email = 'ada@example.test'");
  CHECK(here.signal("1") == first); // its content is the same
  CHECK(here.signal("2") > other);
  here.execute("UPDATE customers SET name = 'Ada L.' WHERE id = 1");
  CHECK(here.signal("1") > first);
  here.execute("INSERT INTO customers VALUES (3, 'Cid', NULL)");
  CHECK(here.lives("3"));
  here.execute("DELETE FROM customers WHERE id = 3");
  CHECK_FALSE(here.lives("3"));
  CHECK(here.record("3").reason == core::deletion_reason::source_event);
  here.execute("INSERT INTO customers VALUES (3, 'Cid', NULL)");
  CHECK(here.lives("3"));
  here.check_sound();
}

TEST_CASE("the page's triggers follow a row whose key changes") {
  page_world here(GENERATE(from_range(engines())));
  here.make_own_table();
  here.execute("UPDATE customers SET id = 7 WHERE id = 2");
  CHECK(here.lives("7"));
  CHECK_FALSE(here.lives("2"));
  CHECK(here.lives("1"));
}
