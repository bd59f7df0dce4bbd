#pragma once

#include "api/access.hpp"
#include "api/streams.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// What handlers see of HTTP: a request that arrived whole, and the one answer to it.
namespace sluice::api {

/// Text by name.
using named_texts = std::map<std::string, std::string, std::less<>>;

/// A request as it came, where a route needs its bytes.
struct raw_request {
  std::string target;
  std::vector<std::pair<std::string, std::string>> headers; ///< names in lower case
  std::string source; ///< the address of the other end, "192.0.2.1"; over the machine's own socket "local"
};

/// A request that was read whole, whose sender may ask, and that matches a route.
struct request {
  std::string method;
  std::vector<std::string> segments; ///< of the path, decoded
  named_texts parameters;            ///< what the route's pattern names
  named_texts query;                 ///< a name's last value
  std::string body;
  caller who;       ///< nobody in particular where the route takes anyone
  std::string csrf; ///< of the sign-in that asks; empty for a token
  std::string idempotency_key;
  std::string if_match;
  std::string if_none_match;
  std::shared_ptr<const raw_request> raw; ///< where the route wants it
  std::shared_ptr<body_source> stream;    ///< the body instead, where the route takes it piece by piece
};

struct response {
  int status = 200;
  std::string body;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;
  std::shared_ptr<answer_queue> stream = nullptr; ///< the rest of the body, where it comes piece by piece
};

/// Takes the one answer to a request, from any thread; later ones are dropped. Whoever holds copies of it and
/// lets the last one go without an answer has the client told that the node cannot answer.
class responder {
public:
  using sink = std::function<void(response)>;

  explicit responder(sink to);

  void operator()(response answer) const;

private:
  struct state;
  std::shared_ptr<state> state_;
};

} // namespace sluice::api
