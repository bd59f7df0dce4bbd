#include "app/explain.hpp"

#include "api/client.hpp"
#include "api/url_text.hpp"
#include "api/views.hpp"
#include "app/node_client.hpp"
#include "storage/explanations.hpp"

namespace sluice::app {
namespace {

using document = nlohmann::ordered_json;

constexpr auto patience = std::chrono::seconds{5};

void show(const command_context& context, const document& explanation) {
  if (context.style.json) {
    print_json(explanation);
    return;
  }
  for (const auto& sentence : explanation.at("sentences")) {
    print_line(printable(sentence.get<std::string>()));
  }
}

/// What the node says; nothing where none answers with it, as the database knows nearly as much.
std::optional<document> asked_of_node(const command_context& context, const explain_options& options) {
  const auto client = api::client::of(context.settings.api);
  if (!client) {
    return std::nullopt;
  }
  auto answer =
      client->send("GET", rule_path(options.rule, "/records/" + api::percent_encode(options.source_id)),
                   nullptr, patience);
  return answer && answer->ok() ? std::optional{std::move(answer->document)} : std::nullopt;
}

int explain_from_database(const command_context& context, const explain_options& options) {
  const auto keys = open_keys(context.settings);
  if (!keys) {
    return keys.error();
  }
  auto db = open_session(context, storage::access::read);
  if (!db) {
    return db.error();
  }
  const auto facts = storage::transact(*db, [&](storage::session& snapshot) {
    return storage::read_explanation(snapshot, options.rule, options.source_id, *keys, wall_now());
  });
  if (!facts && facts.error().code == storage::error::not_found) {
    return report_missing("rule", options.rule, "name a rule that `sluice apply` has made");
  }
  if (!facts) {
    return report("the record cannot be looked up", facts.error());
  }
  if (!facts->record && !facts->row) {
    print_error("nothing is known of record \"" + options.source_id + "\"",
                "neither the mirror of " + facts->source.name + " nor the ledger of rule " + options.rule
                    + " has it",
                "check the id; `sluice ledger --rule " + options.rule + "` lists what is known");
    return exit_refused;
  }
  show(context, api::explanation_view(*facts));
  return exit_ok;
}

} // namespace

int explain(const command_context& context, const explain_options& options) {
  if (const auto said = asked_of_node(context, options)) {
    show(context, *said);
    return exit_ok;
  }
  return explain_from_database(context, options);
}

} // namespace sluice::app
