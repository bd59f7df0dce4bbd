#pragma once

#include "core/ids.hpp"
#include "core/rule_job.hpp"
#include "messages/inspection.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// The overview's part about what people ask of rows that wait.
namespace sluice::messages {

/// operator API, before an act on many: how many rows it is for now.
struct count_rows {
  core::rule_id rule{};
  core::row_act act = core::row_act::retry;
  core::row_choice which;
};

struct rows_counted {
  std::int64_t rows = 0;
};

/// operator API: a page of a rule's jobs.
struct list_jobs {
  core::job_page page;
};

struct jobs_listed {
  std::vector<core::rule_job> jobs;
};

/// operator API: how far one has come. `not_found` where the rule has no such job.
struct find_job {
  core::rule_id rule{};
  std::string public_id;
};

template <class Inspector>
auto inspect(Inspector& f, count_rows& x) {
  return f(x.rule, x.act, x.which);
}

template <class Inspector>
auto inspect(Inspector& f, rows_counted& x) {
  return f(x.rows);
}

template <class Inspector>
auto inspect(Inspector& f, list_jobs& x) {
  return f(x.page);
}

template <class Inspector>
auto inspect(Inspector& f, jobs_listed& x) {
  return f(x.jobs);
}

template <class Inspector>
auto inspect(Inspector& f, find_job& x) {
  return f(x.rule, x.public_id);
}

} // namespace sluice::messages
