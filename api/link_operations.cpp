#include "api/operation_parts.hpp"
#include "api/operations.hpp"

namespace sluice::api {

namespace m = messages;

namespace {

constexpr std::size_t links_max = 10'000; ///< one transaction

std::vector<core::record_link> links_of(body_reader& body) {
  std::vector<core::record_link> links;
  for (auto& [source_id, remote_id] : body.text_pairs("links", "source_id", "remote_id", links_max))
    links.push_back({std::move(source_id), std::move(remote_id)});
  return links;
}

/// As a post of records reports its lines; a line is a link's place in the list.
json report_of(const core::links_recorded& done) {
  auto refused = json::array();
  for (const auto& each : done.refused)
    refused.push_back({{"line", each.line}, {"reason", each.reason}});
  return {{"linked", done.linked},
          {"unchanged", done.unchanged},
          {"refused", done.refused.size()},
          {"refused_lines", std::move(refused)}};
}

problem links_refused(const core::links_recorded& done) {
  const auto count = done.refused.size();
  return {422,
          "links_refused",
          "Records cannot be linked.",
          std::to_string(count) + (count == 1 ? " link" : " links")
              + " cannot be made, so none of them is; skip_invalid: true leaves such links out",
          report_of(done),
          {}};
}

void answer_links(const core::links_recorded& done, const responder& answer) {
  if (done.stored)
    answer(json_response(report_of(done)));
  else
    answer(as_response(links_refused(done)));
}

void link_many(desk& at, const request& asked, const responder& answer) {
  body_reader body{asked};
  auto links = links_of(body);
  const auto skip_invalid = body.flag("skip_invalid");
  auto by = actor_of(asked, body);
  if (refused(body.finish(), answer))
    return;
  at.with_rule(asked, answer, [&at, answer, links, skip_invalid, by](m::rule_found& found) {
    at.ask<core::links_recorded>(at.links().dispatcher,
                                 m::link_records{found.rule.id, links, skip_invalid, by}, answer,
                                 [answer](core::links_recorded& done) { answer_links(done, answer); });
  });
}

} // namespace

void add_link_operations(router& to) {
  to.add("POST", "/v1/rules/{rule}/links", access::operate, link_many);
}

} // namespace sluice::api
