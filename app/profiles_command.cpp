#include "app/profiles_command.hpp"

#include "api/url_text.hpp"
#include "app/confirmation.hpp"
#include "app/file_text.hpp"
#include "app/node_things.hpp"
#include "app/subscription_lookup.hpp"

#include <optional>

namespace sluice::app {
namespace {

using document = node_client::document;

constexpr std::size_t file_bytes_max = 256 << 10;

named_kind route_kind() {
  return {"route", "/v1/routes", "routes", "routes"};
}

std::string path_of(const named_kind& kind, const std::string& id) {
  return kind.path + "/" + api::percent_encode(id);
}

/// The id of the tenant's one of the name; empty where there is none.
std::expected<std::string, int> known_id(const node_client& node, const named_kind& kind,
                                         const std::string& tenant, const std::string& name) {
  std::string after = "0";
  while (!after.empty()) {
    const auto page = node.get(kind.path + "?limit=1000&after=" + after + query_part("tenant", tenant));
    if (!page) {
      return std::unexpected{page.error()};
    }
    for (const auto& one : page->at(kind.member)) {
      if (cell(one, "name") == name) {
        return cell(one, "id");
      }
    }
    after = cell(*page, "next_after");
  }
  return std::string{};
}

/// Makes it, or changes the one of its tenant and name. `text` is the body of its making, which is sent as it
/// is; `changed` that of its change.
int set_thing(const command_context& context, const named_kind& kind, const document& wanted,
              const std::string& text, const std::string& changed) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto name = cell(wanted, "name");
  const auto id = known_id(*node, kind, cell(wanted, "tenant"), name);
  if (!id) {
    return id.error();
  }
  const auto answer =
      id->empty() ? node->post_text(kind.path, text, "") : node->patch_text(path_of(kind, *id), changed);
  return answer ? print_done(context, *answer,
                             kind.name + " " + name + (id->empty() ? " is made" : " is changed"))
                : answer.error();
}

int remove_thing(const command_context& context, const named_kind& kind, const std::string& named, bool yes) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto id = id_of(*node, kind, named);
  if (!id) {
    return id.error();
  }
  if (!yes
      && !confirmed(context, printable("Remove " + kind.name + " " + named + " for good?"),
                    "nothing was removed", "remove it with --yes")) {
    return exit_refused;
  }
  const auto answer = node->remove(path_of(kind, *id));
  return answer ? print_done(context, *answer, kind.name + " " + named + " is removed") : answer.error();
}

/// The members a change has: all but those that stay what they are.
std::string without_fixed(document wanted) {
  wanted.erase("tenant");
  wanted.erase("provider");
  return wanted.dump(-1, ' ', false, document::error_handler_t::replace);
}

} // namespace
int list_profiles(const command_context& context, const std::string& tenant) {
  return show_all(context, {"/v1/profiles?" + query_part("tenant", tenant),
                            "profiles",
                            {{"name", "name"}, {"tenant", "tenant"}, {"provider", "provider"}, {"id", "id"}},
                            "no profile; `sluice profiles set` makes one"});
}

int list_routes(const command_context& context, const std::string& tenant) {
  return show_all(context, {"/v1/routes?" + query_part("tenant", tenant),
                            "routes",
                            {{"name", "name"}, {"tenant", "tenant"}, {"profiles", "profiles"}, {"id", "id"}},
                            "no route; `sluice routes set` makes one"});
}

int show_profile(const command_context& context, const std::string& named) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto id = id_of(*node, profile_kind(), named);
  if (!id) {
    return id.error();
  }
  const auto one = node->get(path_of(profile_kind(), *id));
  return one ? print_thing(context, *one) : one.error();
}

int set_profile(const command_context& context, const std::string& file) {
  const auto text = read_file_text(file, file_bytes_max, "no profile is set");
  if (!text) {
    return exit_usage;
  }
  const auto wanted = document::parse(*text, nullptr, false);
  if (!wanted.is_object() || cell(wanted, "name").empty()) {
    print_error("no profile is set", printable(file) + " is no JSON object with a name",
                "write {\"tenant\":…, \"name\":…, \"provider\":…, \"settings\":{…}, \"credentials\":{…}}");
    return exit_usage;
  }
  return set_thing(context, profile_kind(), wanted, *text, without_fixed(wanted));
}

int set_route(const command_context& context, const route_options& options) {
  document wanted{{"name", options.name}, {"profiles", options.profiles}, {"by", current_user()}};
  if (!options.tenant.empty()) {
    wanted["tenant"] = options.tenant;
  }
  return set_thing(context, route_kind(), wanted, wanted.dump(), without_fixed(wanted));
}

int remove_profile(const command_context& context, const std::string& named, bool yes) {
  return remove_thing(context, profile_kind(), named, yes);
}

int remove_route(const command_context& context, const std::string& named, bool yes) {
  return remove_thing(context, route_kind(), named, yes);
}

} // namespace sluice::app
