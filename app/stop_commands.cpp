#include "app/stop_commands.hpp"

#include "api/url_text.hpp"
#include "app/node_client.hpp"
#include "app/subscription_lookup.hpp"

namespace sluice::app {
namespace {

using document = node_client::document;

/// The scope as a body names it; the exit code, where what it names is not found.
std::expected<document, int> body_of(const node_client& node, const scope_options& scope) {
  document body{{"scope", "global"}, {"by", current_user()}};
  if (!scope.connection.empty()) {
    body["scope"] = "connection";
    body["connection"] = scope.connection;
  } else if (!scope.rule.empty()) {
    body["scope"] = "rule";
    body["rule"] = scope.rule;
  } else if (!scope.subscription.empty()) {
    auto id = subscription_id_of(node, scope.subscription);
    if (!id) {
      return std::unexpected{id.error()};
    }
    body["scope"] = "subscription";
    body["subscription"] = std::move(*id);
  } else if (!scope.profile.empty()) {
    auto id = id_of(node, profile_kind(), scope.profile);
    if (!id) {
      return std::unexpected{id.error()};
    }
    body["scope"] = "profile";
    body["profile"] = std::move(*id);
  }
  return body;
}

/// "everything", "connection crm", "rule to-crm", "subscription hook", "profile mail"
std::string scope_text(const document& stop) {
  const auto scope = cell(stop, "scope");
  if (scope == "subscription" || scope == "profile") {
    const auto name = cell(stop, (scope + "_name").c_str());
    return name.empty() ? "a " + scope + " that is gone" : scope + " " + name;
  }
  return scope == "global" ? "everything" : scope + " " + cell(stop, scope.c_str());
}

std::string finding_text(const document& stop) {
  const auto& finding = stop.at("finding");
  return finding.is_null() ? ""
                           : finding.at("pending").dump() + " pending, " + finding.at("threshold").dump()
                                 + " allowed, " + finding.at("known").dump() + " known";
}

std::string ending_text(const document& stop) {
  const auto by = cell(stop, "ended_by");
  return stop.at("ended_at").is_null()
             ? ""
             : cell(stop, "ended_at") + " " + cell(stop, "resolution") + (by.empty() ? "" : " by " + by);
}

int print_stops(const command_context& context, const document& answer, const char* member,
                const std::string& none) {
  if (context.style.json) {
    print_json(answer);
    return exit_ok;
  }
  text_table table{{"id", "holds", "since", "by", "reason", "found", "ended"}};
  for (const auto& stop : answer.at(member)) {
    table.add({cell(stop, "id"), scope_text(stop), cell(stop, "set_at"), cell(stop, "set_by"),
               cell(stop, "reason"), finding_text(stop), ending_text(stop)});
  }
  if (table.empty()) {
    print_line(none);
  } else {
    table.print(context.style);
  }
  return exit_ok;
}

int print_done(const command_context& context, const document& stop, const std::string& sentence) {
  if (context.style.json) {
    print_json(stop);
  } else {
    print_line(printable(sentence));
  }
  return exit_ok;
}

int get_stops(const command_context& context, const std::string& target, const char* member,
              const std::string& none) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto answer = node->get(target);
  return answer ? print_stops(context, *answer, member, none) : answer.error();
}

/// Posts and says what came of it.
template <class Sentence>
int act(const command_context& context, const node_client& node, const std::string& target,
        const document& body, Sentence sentence) {
  const auto answer = node.post(target, body);
  return answer ? print_done(context, *answer, sentence(*answer)) : answer.error();
}

template <class Sentence>
int act(const command_context& context, const std::string& target, const document& body, Sentence sentence) {
  const auto node = node_client::of(context);
  return node ? act(context, *node, target, body, sentence) : node.error();
}

/// Likewise with the scope in the body, beside `more`.
template <class Sentence>
int act_on(const command_context& context, const std::string& target, const scope_options& scope,
           const document& more, Sentence sentence) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  auto body = body_of(*node, scope);
  if (!body) {
    return body.error();
  }
  body->update(more);
  return act(context, *node, target, *body, sentence);
}

} // namespace

int stop(const command_context& context, const scope_options& scope, const std::string& reason) {
  return act_on(context, "/v1/stops", scope, {{"reason", reason}}, [](const document& set) {
    return "stopped " + scope_text(set) + " since " + cell(set, "set_at") + " (" + cell(set, "id")
           + "): no call starts there until `sluice resume`";
  });
}

int resume(const command_context& context, const scope_options& scope, const std::string& id) {
  const auto ended = [](const document& stop) { return "resumed " + scope_text(stop); };
  if (!id.empty()) {
    return act(context, "/v1/stops/" + api::percent_encode(id) + "/end", {{"by", current_user()}}, ended);
  }
  return act_on(context, "/v1/stops/end", scope, document::object(), ended);
}

int list_stops(const command_context& context, bool history) {
  return history ? get_stops(context, "/v1/stops/history", "stops", "nothing was ever stopped or held")
                 : get_stops(context, "/v1/stops", "stops", "nothing is stopped");
}

int list_holds(const command_context& context) {
  return get_stops(context, "/v1/holds", "holds", "nothing is held");
}

int release_hold(const command_context& context, const std::string& id, std::int64_t allowed) {
  return act(context, "/v1/holds/" + api::percent_encode(id) + "/release",
             {{"allowed", allowed}, {"by", current_user()}}, [allowed](const document& released) {
               return "released: " + scope_text(released) + " may withdraw " + grouped(allowed)
                      + " more than its limit";
             });
}

int discard_hold(const command_context& context, const std::string& id) {
  return act(context, "/v1/holds/" + api::percent_encode(id) + "/discard", {{"by", current_user()}},
             [](const document& ended) {
               return "discarded: the next pass of " + scope_text(ended) + " counts its withdrawals anew";
             });
}

} // namespace sluice::app
