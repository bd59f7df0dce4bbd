#include "api/operation_parts.hpp"
#include "api/operations.hpp"

namespace sluice::api {

namespace m = messages;

namespace {

json moved_view(const std::string& name, const m::connection_moved& done) {
  return {{"connection", name},
          {"disconnected_at", time_view(done.disconnected_at)},
          {"rules", done.rules},
          {"records", done.records}};
}

/// Asks the registrar for an act on the connection of the path, then tells the dispatcher.
template <class Answer, class Question, class View>
void act(desk& at, const request& asked, const responder& answer, View view) {
  body_reader body{asked};
  if (refused(body.finish(), answer))
    return;
  with_connection(at, asked, answer, [&at, answer, view](const core::connection_life& one) {
    const auto& name = one.connection.name;
    at.ask<Answer>(at.links().registrar, Question{name}, answer, [&at, answer, view, name](Answer& done) {
      caf::anon_send(at.links().dispatcher, m::changes_hinted{});
      answer(json_response(view(name, done)));
    });
  });
}

void disconnect(desk& at, const request& asked, const responder& answer) {
  act<m::connection_moved, m::disconnect_connection>(at, asked, answer, moved_view);
}

void reconnect(desk& at, const request& asked, const responder& answer) {
  act<m::connection_moved, m::reconnect_connection>(at, asked, answer, moved_view);
}

void uninstall(desk& at, const request& asked, const responder& answer) {
  act<m::connection_removed, m::uninstall_connection>(
      at, asked, answer, [](const std::string& name, const m::connection_removed& done) {
        return json{{"connection", name}, {"purged_rows", done.rows}};
      });
}

void clear_error(desk& at, const request& asked, const responder& answer) {
  act<m::connection_cleared, m::clear_connection_error>(
      at, asked, answer, [](const std::string& name, const m::connection_cleared&) {
        return json{{"connection", name}, {"state", core::to_string(core::connection_status::active)}};
      });
}

} // namespace

void add_connection_operations(router& to) {
  to.add("POST", "/v1/connections/{connection}/disconnect", access::administer, disconnect);
  to.add("POST", "/v1/connections/{connection}/reconnect", access::administer, reconnect);
  to.add("POST", "/v1/connections/{connection}/uninstall", access::administer, uninstall);
  to.add("POST", "/v1/connections/{connection}/clear-error", access::operate, clear_error);
}

} // namespace sluice::api
