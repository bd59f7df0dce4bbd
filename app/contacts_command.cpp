#include "app/contacts_command.hpp"

#include "api/url_text.hpp"
#include "app/confirmation.hpp"
#include "app/file_text.hpp"
#include "app/node_things.hpp"
#include "core/contact_normalisation.hpp"

namespace sluice::app {
namespace {

using document = node_client::document;

std::string path_of(const std::string& id, const std::string& rest = "") {
  return "/v1/contact-points/" + api::percent_encode(id) + rest;
}

/// What stands on the command line, or the one line of standard input.
std::string address_of(const contact_options& options) {
  if (options.address != "-") {
    return options.address;
  }
  auto line = read_file_text("-", core::contact_bytes_max, "nothing is made").value_or("");
  while (line.ends_with('\n') || line.ends_with('\r')) {
    line.pop_back();
  }
  return line;
}

} // namespace

int add_contact(const command_context& context, const contact_options& options) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  document body{{"kind", options.kind}, {"address", address_of(options)}, {"by", current_user()}};
  if (!options.tenant.empty()) {
    body["tenant"] = options.tenant;
  }
  const auto answer = node->post("/v1/contact-points", body);
  return answer ? print_done(context, *answer, cell(*answer, "id")) : answer.error();
}

int list_contacts(const command_context& context, const contact_list_options& options) {
  return show_all(context,
                  {"/v1/contact-points?" + query_part("tenant", options.tenant)
                       + query_part("kind", options.kind) + (options.suppressed ? "&suppressed=true" : ""),
                   "contact_points",
                   {{"created", "created_at"},
                    {"tenant", "tenant"},
                    {"kind", "kind"},
                    {"suppression", "suppression"},
                    {"id", "id"}},
                   "no contact point; `sluice contacts add` makes one"});
}

int show_contact(const command_context& context, const std::string& id, bool reveal) {
  if (!reveal) {
    return show_thing(context, path_of(id));
  }
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto one = node->post(path_of(id, "/reveal"), {{"by", current_user()}});
  return one ? print_thing(context, *one) : one.error();
}

int suppress_contact(const command_context& context, const std::string& id, const std::string& reason) {
  return act_on_thing(context, path_of(id, "/suppress"), {{"reason", reason}},
                      "nothing is sent to contact point " + id + " from now on");
}

int lift_contact(const command_context& context, const std::string& id, const std::string& reason) {
  return act_on_thing(context, path_of(id, "/lift"), {{"reason", reason}},
                      "contact point " + id + " may be sent to again");
}

int remove_contact(const command_context& context, const std::string& id, bool yes) {
  if (!yes
      && !confirmed(context, printable("Remove contact point " + id + " for good, its address at once?"),
                    "nothing was removed", "remove it with --yes")) {
    return exit_refused;
  }
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto answer = node->remove(path_of(id));
  return answer ? print_done(context, *answer, "contact point " + id + " is removed") : answer.error();
}

} // namespace sluice::app
