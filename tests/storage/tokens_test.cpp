#include "storage/rules.hpp"
#include "storage/tokens.hpp"
#include "tests/storage/world.hpp"

using namespace sluice;
using namespace sluice::tests;
using core::token_role;

namespace {

core::token_request wanted(const std::string& name, const std::string& digest) {
  core::token_request made;
  made.name = name;
  made.digest = digest;
  made.role = token_role::operating;
  made.by = "ada";
  return made;
}

struct token_world : world {
  using world::world;

  storage::result<core::api_token> make(const core::token_request& request, core::timestamp now = at(1)) {
    return storage::transact(db(), [&](storage::session& w) { return storage::make_token(w, request, now); });
  }

  storage::result<core::api_token> revoke(const std::string& name, core::timestamp now = at(2)) {
    return storage::transact(db(),
                             [&](storage::session& w) { return storage::revoke_token(w, name, "bob", now); });
  }
};

} // namespace

TEST_CASE("a token is found by its digest as it was made") {
  token_world here(GENERATE(from_range(engines())));
  here.add_rule();
  auto request = wanted("pager", "d1");
  request.tenants.names = {"acme"};
  request.expires_at = at(60);
  must(here.make(request));
  const auto found = must(storage::find_token(here.db(), "d1"));
  REQUIRE(found);
  CHECK(found->name == "pager");
  CHECK(found->public_id.size() == 36);
  CHECK(found->role == token_role::operating);
  CHECK(found->tenants.names == std::vector<std::string>{"acme"});
  CHECK(found->created_by == "ada");
  CHECK(found->created_at == at(1));
  CHECK(found->expires_at == at(60));
  CHECK(found->live(at(59)));
  CHECK_FALSE(found->live(at(60)));
  CHECK_FALSE(must(storage::find_token(here.db(), "d2")));
}

TEST_CASE("a token without tenants sees every one, one limited to tenants those alone") {
  token_world here(GENERATE(from_range(engines())));
  here.add_rule();
  CHECK(must(here.make(wanted("all", "d1"))).tenants.everything());
  auto request = wanted("one", "d2");
  request.tenants.names = {"acme"};
  const auto limited = must(here.make(request)).tenants;
  CHECK(limited.contains("acme"));
  CHECK_FALSE(limited.contains("globex"));
  CHECK_FALSE(limited.everything());
}

TEST_CASE("a token of a tenant that does not exist is not made") {
  token_world here(GENERATE(from_range(engines())));
  auto request = wanted("pager", "d1");
  request.tenants.names = {"nobody"};
  const auto made = here.make(request);
  REQUIRE_FALSE(made);
  CHECK(made.error().code == storage::error::not_found);
  CHECK(must(storage::list_tokens(here.db())).empty());
}

TEST_CASE("a live token's name is taken, a revoked one's is free again") {
  token_world here(GENERATE(from_range(engines())));
  must(here.make(wanted("pager", "d1")));
  const auto second = here.make(wanted("pager", "d2"));
  REQUIRE_FALSE(second);
  CHECK(second.error().code == storage::error::refused);
  const auto revoked = must(here.revoke("pager"));
  CHECK(revoked.revoked_at == at(2));
  CHECK(revoked.revoked_by == "bob");
  CHECK_FALSE(must(storage::find_token(here.db(), "d1"))->live(at(3)));
  must(here.make(wanted("pager", "d2"), at(4)));
  CHECK(must(storage::list_tokens(here.db())).size() == 2);
  must(here.revoke("pager", at(5)));
  CHECK(must(storage::find_token(here.db(), "d1"))->revoked_at == at(2));
  const auto again = here.revoke("pager");
  REQUIRE_FALSE(again);
  CHECK(again.error().code == storage::error::not_found);
}

TEST_CASE("tokens are listed by name, each once however many tenants it has") {
  token_world here(GENERATE(from_range(engines())));
  here.add_rule();
  storage::configuration more;
  more.tenants = {"globex"};
  committed(here.db(), [&](storage::session& within) {
    return storage::apply_configuration(within, more, {}, at(), true);
  });
  auto request = wanted("b", "d1");
  request.tenants.names = {"acme", "globex"};
  must(here.make(request));
  must(here.make(wanted("a", "d2")));
  const auto listed = must(storage::list_tokens(here.db()));
  REQUIRE(listed.size() == 2);
  CHECK(listed[0].name == "a");
  CHECK(listed[1].tenants.names == std::vector<std::string>{"acme", "globex"});
}
