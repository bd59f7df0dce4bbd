#pragma once

#include "api/views.hpp"

namespace sluice::api {

/// How far an act on many rows has come, who began it and how it ended: the members every such job shows.
template <class Job>
void add_course(json& view, const Job& job) {
  view["counted"] = job.counted;
  view["done"] = job.done;
  view["started_at"] = time_view(job.started_at);
  view["started_by"] = job.started_by;
  view["ended_at"] = time_view(job.ended_at);
  view["ended_by"] = job.ended_by.empty() ? json(nullptr) : json(job.ended_by);
  view["ending"] = job.ending ? json(core::to_string(*job.ending)) : json(nullptr);
}

} // namespace sluice::api
