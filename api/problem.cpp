#include "api/problem.hpp"

#include "api/json_body.hpp"

namespace sluice::api {

response as_response(const problem& what) {
  nlohmann::ordered_json document{{"type", "urn:sluice:problem:" + what.kind},
                                  {"title", what.title},
                                  {"status", what.status},
                                  {"detail", what.detail}};
  for (const auto& [name, value] : what.members.items())
    document[name] = value;
  auto answer = json_response(document, what.status);
  answer.content_type = "application/problem+json";
  answer.headers = what.headers;
  return answer;
}

problem bad_request(std::string detail) {
  return {400, "bad_request", "The request cannot be read.", std::move(detail), {}, {}};
}

problem unauthorized(std::string detail) {
  return {401, "unauthorized", "A token is needed.", std::move(detail), {}, {{"WWW-Authenticate", "Bearer"}}};
}

problem forbidden(std::string detail) {
  return {403, "forbidden", "The token does not allow this.", std::move(detail), {}, {}};
}

problem not_found(std::string detail) {
  return {404, "not_found", "What was named does not exist.", std::move(detail), {}, {}};
}

problem conflict(std::string detail) {
  return {409, "conflict", "The state does not allow this.", std::move(detail), {}, {}};
}

problem invalid_member(std::string_view member, std::string detail) {
  problem made{422, "invalid", "A value is not allowed.", std::move(detail), {}, {}};
  made.members["member"] = member;
  return made;
}

problem unavailable(std::string detail) {
  return {503, "unavailable", "The node cannot do this now.", std::move(detail), {}, {{"Retry-After", "1"}}};
}

problem not_answered() {
  return unavailable("the part of the node that would have answered ended; try again");
}

} // namespace sluice::api
