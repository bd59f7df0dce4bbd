#include "storage/audit.hpp"
#include "tests/storage/delivery_world.hpp"

using namespace sluice;
using namespace sluice::tests;

namespace {

struct audit_world : delivery_world {
  using delivery_world::delivery_world;

  storage::result<void> add(const std::string& act, const std::string& tenant, double seconds) {
    core::audit_entry entry;
    entry.at = at(seconds);
    entry.by = "ada";
    entry.act = act;
    entry.subject = "s-" + act;
    entry.tenant = tenant;
    entry.details = R"({"from":"a"})";
    entry.count = 3;
    return storage::transact(db(), [&](storage::session& in) { return storage::add_audit(in, entry); });
  }

  std::vector<std::string> acts(const core::audit_page& page) {
    std::vector<std::string> found;
    for (const auto& one : must(storage::list_audit(db(), page)))
      found.push_back(one.act);
    return found;
  }
};

using words = std::vector<std::string>;

} // namespace

TEST_CASE("what somebody did is kept, and read newest first by whoever may see it") {
  audit_world w(GENERATE(from_range(engines())));
  must(w.add("pause", "acme", 1));
  must(w.add("migrate", "", 2));
  must(w.add("resume", "acme", 3));
  CHECK(w.add("pause", "nobody", 4).error().code == storage::error::not_found);
  core::audit_page page;
  CHECK(w.acts(page) == words{"resume", "migrate", "pause"});
  const auto kept = must(storage::list_audit(w.db(), page))[0];
  CHECK(kept.at == at(3));
  CHECK(kept.by == "ada");
  CHECK(kept.subject == "s-resume");
  CHECK(kept.tenant == "acme");
  CHECK(kept.details == R"({"from":"a"})");
  CHECK(kept.count == 3);
  page.before_id = kept.id;
  page.limit = 1;
  CHECK(w.acts(page) == words{"migrate"});
  page = {};
  page.tenants.names = {"acme"};
  CHECK(w.acts(page) == words{"resume", "pause"});
  page.act = "pause";
  CHECK(w.acts(page) == words{"pause"});
  page = {};
  page.subject = "s-migrate";
  CHECK(w.acts(page) == words{"migrate"});
  page = {};
  page.from = at(2);
  page.until = at(3);
  CHECK(w.acts(page) == words{"migrate"});
}

TEST_CASE("the audit is pruned oldest first, so many at a time") {
  audit_world w(GENERATE(from_range(engines())));
  for (int n = 0; n < 5; ++n)
    must(w.add("a" + std::to_string(n), "", n));
  const auto prune = [&](double until) {
    return committed(w.db(), [&](storage::session& in) { return storage::prune_audit(in, at(until), 2); });
  };
  CHECK(prune(3) == 2);
  CHECK(prune(3) == 1);
  CHECK(prune(3) == 0);
  CHECK(w.acts({}) == words{"a4", "a3"});
}
