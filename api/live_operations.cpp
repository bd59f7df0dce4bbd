#include "api/desk.hpp"
#include "api/operations.hpp"

#include <caf/send.hpp>

namespace sluice::api {

namespace {

void live(desk& at, const request& asked, const responder& answer) {
  caf::anon_send(at.links().live, open_page{asked.who, answer});
}

} // namespace

void add_live_operations(router& to) {
  to.add("GET", "/v1/live", access::viewer, live);
}

} // namespace sluice::api
