#include "api/operation_parts.hpp"
#include "api/operations.hpp"

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::int64_t jobs_max = 1000;
constexpr std::size_t error_class_bytes_max = 100;

/// Which records an act is asked for.
struct wanted_rows {
  std::optional<std::string> source_id; ///< this one alone
  core::row_choice which;
  bool count_only = false;
};

std::optional<core::delivery_status> status_of(body_reader& body, core::row_act act) {
  const auto word = body.optional_text("status", 20);
  if (!word)
    return std::nullopt;
  const auto status = core::parse_delivery_status(*word);
  if (status && core::knows(act, *status))
    return status;
  body.refuse("status", act == core::row_act::retry ? "status must be failed: nothing else is retried"
                                                    : "status must be exhausted or remote_gone");
  return std::nullopt;
}

wanted_rows wanted_of(body_reader& body, core::row_act act) {
  wanted_rows wanted;
  wanted.source_id = body.optional_text("source_id", core::linked_id_bytes_max);
  const auto all = body.flag("all");
  wanted.which.status = status_of(body, act);
  wanted.which.error_class = body.optional_text("error_class", error_class_bytes_max).value_or("");
  wanted.which.from = body.optional_time("from");
  wanted.which.until = body.optional_time("until");
  wanted.count_only = body.flag("count_only");
  const auto filtered = wanted.which != core::row_choice{};
  if (!wanted.source_id && !filtered && !all)
    body.refuse("all", "name one source_id, or a status, error_class, from or until, or say all: true");
  if (wanted.source_id && (filtered || all || wanted.count_only))
    body.refuse("source_id", "source_id names one record: no filter and no count goes with it");
  return wanted;
}

void offer_one(desk& at, m::offer_record act, const responder& answer) {
  at.show<core::ledger_row>(at.links().dispatcher, std::move(act), answer,
                            [](const core::ledger_row& row) { return ledger_view(row); });
}

void count(desk& at, m::count_rows asked, const responder& answer) {
  at.show<m::rows_counted>(at.links().overview, std::move(asked), answer,
                           [](const m::rows_counted& counted) { return json{{"count", counted.rows}}; });
}

void start(desk& at, core::job_start wanted, const responder& answer) {
  at.ask<core::rule_job>(at.links().dispatcher, m::start_job{std::move(wanted)}, answer,
                         [answer](core::rule_job& job) { answer(json_response(job_view(job), 202)); });
}

/// One record is due now and its row is the answer; many are counted, or become a job.
void act_on_rows(desk& at, const request& asked, core::row_act act, const responder& answer) {
  body_reader body{asked};
  const auto wanted = wanted_of(body, act);
  auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  at.with_rule(asked, answer, [&at, answer, act, wanted, by](m::rule_found& found) {
    const auto rule = found.rule.id;
    if (wanted.source_id)
      offer_one(at, {rule, act, *wanted.source_id, by}, answer);
    else if (wanted.count_only)
      count(at, {rule, act, wanted.which}, answer);
    else
      start(at, {rule, act, wanted.which, by}, answer);
  });
}

/// Live and ended ones, newest first.
void list_jobs(desk& at, const request& asked, const responder& answer) {
  const auto before = query_number(asked, "before", 0, 0, std::numeric_limits<std::int64_t>::max());
  const auto limit = query_number(asked, "limit", 100, 1, jobs_max);
  if (!before || !limit) {
    answer(as_response(before ? limit.error() : before.error()));
    return;
  }
  at.with_rule(asked, answer, [&at, answer, before = *before, limit = *limit](m::rule_found& found) {
    at.show<m::jobs_listed>(at.links().overview, m::list_jobs{{found.rule.id, before, limit}}, answer,
                            [limit](const m::jobs_listed& listed) {
                              auto jobs = json::array();
                              for (const auto& job : listed.jobs)
                                jobs.push_back(job_view(job));
                              const auto more = std::cmp_equal(listed.jobs.size(), limit);
                              return json{
                                  {"jobs", std::move(jobs)},
                                  {"next_before", more ? json(listed.jobs.back().id) : json(nullptr)}};
                            });
  });
}

void show_job(desk& at, const request& asked, const responder& answer) {
  const auto id = asked.parameters.at("id");
  at.with_rule(asked, answer, [&at, answer, id](m::rule_found& found) {
    at.show<core::rule_job>(at.links().overview, m::find_job{found.rule.id, id}, answer, job_view);
  });
}

void cancel_job(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  const auto id = asked.parameters.at("id");
  at.with_rule(asked, answer, [&at, answer, id, by](m::rule_found& found) {
    at.show<core::rule_job>(at.links().dispatcher, m::cancel_job{found.rule.id, id, by}, answer, job_view);
  });
}

} // namespace

void add_job_operations(router& to) {
  to.add("POST", "/v1/rules/{rule}/retry", access::operate,
         [](desk& at, const request& asked, const responder& answer) {
           act_on_rows(at, asked, core::row_act::retry, answer);
         });
  to.add("POST", "/v1/rules/{rule}/reopen", access::operate,
         [](desk& at, const request& asked, const responder& answer) {
           act_on_rows(at, asked, core::row_act::reopen, answer);
         });
  to.add("GET", "/v1/rules/{rule}/jobs", access::viewer, list_jobs);
  to.add("GET", "/v1/rules/{rule}/jobs/{id}", access::viewer, show_job);
  to.add("POST", "/v1/rules/{rule}/jobs/{id}/cancel", access::operate, cancel_job);
}

} // namespace sluice::api
