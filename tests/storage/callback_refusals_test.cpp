#include "storage/callback_refusals.hpp"
#include "tests/storage/provider_world.hpp"

using namespace sluice;
using namespace sluice::tests;
using std::string;

namespace {

struct refusal_world : provider_world {
  using provider_world::provider_world;

  void refuse(core::provider_profile_id profile, const string& tenant, const std::vector<string>& digests,
              const core::callback_audit_limits& limits = {}) {
    std::vector<core::refused_callback> batch;
    for (const auto& digest : digests) {
      core::refused_callback one;
      one.at = at(1);
      one.profile = profile;
      one.tenant = tenant;
      one.source = "192.0.2.1:443";
      one.kind = core::callback_refusal_kind::stale;
      one.reason = "It was signed for another time than now.";
      one.digest = digest;
      batch.push_back(one);
    }
    committed(db(), [&](storage::session& in) { return storage::add_callback_refusals(in, batch, limits); });
  }

  std::vector<string> digests(const core::callback_audit_page& page) {
    std::vector<string> found;
    for (const auto& one : must(storage::list_callback_refusals(db(), page)))
      found.push_back(one.digest);
    return found;
  }
};

} // namespace

TEST_CASE("a refused callback is written down, and nothing of it becomes an event") {
  refusal_world w(GENERATE(from_range(engines())));
  w.refuse(mailer, "acme", {"d"});
  const auto one = must(storage::list_callback_refusals(w.db(), {})).at(0);
  CHECK(one.id > 0);
  CHECK(one.at == at(1));
  CHECK(one.profile == mailer);
  CHECK(one.tenant == "acme");
  CHECK(one.source == "192.0.2.1:443");
  CHECK(one.kind == core::callback_refusal_kind::stale);
  CHECK(one.reason == "It was signed for another time than now.");
  CHECK(one.digest == "d");
  CHECK(w.count("provider_reports") == "0");
  CHECK(w.count("provider_events") == "0");
}

TEST_CASE("the audit keeps so many a profile and so many in all, the newest") {
  refusal_world w(GENERATE(from_range(engines())));
  const core::callback_audit_limits limits{.per_profile = 3, .total = 5};
  w.refuse(mailer, "acme", {"a1", "a2"}, limits);
  w.refuse(other_mailer, "globex", {"g1", "g2"}, limits);
  CHECK(w.digests({}) == std::vector<string>{"g2", "g1", "a2", "a1"});
  w.refuse(mailer, "acme", {"a3", "a4", "a5", "a6"}, limits);
  CHECK(w.digests({}) == std::vector<string>{"a6", "a5", "a4", "g2", "g1"});
  w.refuse({}, "", {"n1", "n2", "n3", "n4"}, limits);
  CHECK(w.digests({}) == std::vector<string>{"n4", "n3", "n2", "a6", "a5"});
  w.refuse(mailer, "acme", {}, limits);
  CHECK(w.count("callback_refusals") == "5");
}

TEST_CASE("refused callbacks are listed to whoever may see their tenant; those of no profile to all-seers") {
  refusal_world w(GENERATE(from_range(engines())));
  w.refuse(mailer, "acme", {"a1", "a2"});
  w.refuse(other_mailer, "globex", {"g1"});
  w.refuse({}, "", {"n1"});
  w.refuse(mailer, "gone", {"x1"});
  core::callback_audit_page page;
  CHECK(w.digests(page) == std::vector<string>{"x1", "n1", "g1", "a2", "a1"});
  page.tenants.names = {"acme"};
  CHECK(w.digests(page) == std::vector<string>{"a2", "a1"});
  page.limit = 1;
  CHECK(w.digests(page) == std::vector<string>{"a2"});
  page.before_id = must(storage::list_callback_refusals(w.db(), page)).back().id;
  CHECK(w.digests(page) == std::vector<string>{"a1"});
  page = {};
  page.profile = other_mailer;
  CHECK(w.digests(page) == std::vector<string>{"g1"});
}
