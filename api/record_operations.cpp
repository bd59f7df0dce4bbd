#include "api/operation_parts.hpp"
#include "api/operations.hpp"

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::int64_t rows_max = 1000;
constexpr std::size_t id_bytes_max = 512;

/// A page's rows, and where the next one begins.
template <class Rows, class View, class Id>
json page_view(const Rows& rows, std::int64_t limit, View view, Id id) {
  auto shown = json::array();
  for (const auto& row : rows)
    shown.push_back(view(row));
  const auto more = std::cmp_equal(rows.size(), limit);
  return {{"rows", std::move(shown)}, {"next_after", more ? json(id(rows.back())) : json(nullptr)}};
}

void list_ledger(desk& at, const request& asked, const responder& answer) {
  const auto limit = query_number(asked, "limit", 100, 1, rows_max);
  const auto word = query_text(asked, "status");
  const auto status = core::parse_delivery_status(word);
  if (!limit || (!word.empty() && !status)) {
    answer(as_response(limit ? invalid_member("status", word + " is not a status of the ledger")
                             : limit.error()));
    return;
  }
  core::ledger_filter filter;
  filter.status = status;
  filter.error_class = query_text(asked, "error_class");
  filter.after_source_id = query_text(asked, "after");
  filter.limit = *limit;
  at.with_rule(asked, answer, [&at, answer, filter](m::rule_found& found) {
    auto question = m::list_ledger{filter};
    question.filter.rule = found.rule.id;
    at.show<m::ledger_listed>(at.links().overview, std::move(question), answer,
                              [limit = filter.limit](const m::ledger_listed& listed) {
                                return page_view(
                                    listed.rows, limit, [](const auto& row) { return ledger_view(row); },
                                    [](const auto& row) { return row.row.source_id; });
                              });
  });
}

json counts_view(const m::ledger_counted& counted) {
  auto counts = json::object();
  std::int64_t total = 0;
  for (const auto& [status, count] : counted.counts) {
    counts[std::string{core::to_string(status)}] = count;
    total += count;
  }
  return {
      {"counts", std::move(counts)}, {"total", total}, {"counted_at", core::to_rfc3339(counted.counted_at)}};
}

void count_ledger(desk& at, const request& asked, const responder& answer) {
  at.with_rule(asked, answer, [&at, answer](m::rule_found& found) {
    at.show<m::ledger_counted>(at.links().overview, m::count_ledger{found.rule.id}, answer, counts_view);
  });
}

void answer_explanation(const core::explanation_facts& facts, const responder& answer) {
  if (facts.record || facts.row)
    answer(json_response(explanation_view(facts)));
  else
    answer(as_response(not_found("neither the mirror of " + facts.source.name + " nor the ledger of rule "
                                 + facts.rule.name + " has a record \"" + facts.source_id + "\"")));
}

void explain(desk& at, const request& asked, const responder& answer) {
  const auto source_id = asked.parameters.at("source_id");
  at.with_rule(asked, answer, [&at, answer, source_id](m::rule_found& found) {
    at.ask<core::explanation_facts>(
        at.links().overview, m::explain_record{found.rule.name, source_id}, answer,
        [answer](core::explanation_facts& facts) { answer_explanation(facts, answer); });
  });
}

void list_ambiguous(desk& at, const request& asked, const responder& answer) {
  const auto limit = query_number(asked, "limit", 100, 1, rows_max);
  if (!limit) {
    answer(as_response(limit.error()));
    return;
  }
  at.with_rule(
      asked, answer, [&at, answer, limit = *limit, after = query_text(asked, "after")](m::rule_found& found) {
        at.show<m::ambiguous_listed>(at.links().reader, m::list_ambiguous{{found.rule.id, after, limit}},
                                     answer, [limit](const m::ambiguous_listed& listed) {
                                       return page_view(listed.rows, limit, ambiguous_view,
                                                        [](const auto& row) { return row.row.source_id; });
                                     });
      });
}

void link(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  auto remote_id = body.text("remote_id", 1, id_bytes_max);
  auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  const auto source_id = asked.parameters.at("source_id");
  at.with_rule(asked, answer, [&at, answer, source_id, remote_id, by](m::rule_found& found) {
    at.show<core::ledger_row>(at.links().dispatcher, m::link_record{found.rule.id, source_id, remote_id, by},
                              answer, [](const core::ledger_row& row) { return ledger_view(row); });
  });
}

void resend(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  const auto source_id = asked.parameters.at("source_id");
  at.with_rule(asked, answer, [&at, answer, source_id, by](m::rule_found& found) {
    at.show<core::ledger_row>(at.links().dispatcher, m::resend_record{found.rule.id, source_id, by}, answer,
                              [](const core::ledger_row& row) { return ledger_view(row); });
  });
}

} // namespace

void add_record_operations(router& to) {
  to.add("GET", "/v1/rules/{rule}/ledger", access::viewer, list_ledger);
  to.add("GET", "/v1/rules/{rule}/ledger/counts", access::viewer, count_ledger);
  to.add("GET", "/v1/rules/{rule}/records/{source_id}", access::viewer, explain);
  to.add("GET", "/v1/rules/{rule}/ambiguous", access::viewer, list_ambiguous);
  to.add("POST", "/v1/rules/{rule}/ambiguous/{source_id}/link", access::operate, link);
  to.add("POST", "/v1/rules/{rule}/ambiguous/{source_id}/resend", access::operate, resend);
}

} // namespace sluice::api
