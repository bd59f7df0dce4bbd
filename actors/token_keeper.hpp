#pragma once

#include "actors/rule_links.hpp"
#include "core/ids.hpp"
#include "core/time.hpp"
#include "messages/throttle.hpp"
#include "messages/token_keeper.hpp"
#include "providers/writer.hpp"

#include <caf/result.hpp>
#include <caf/typed_event_based_actor.hpp>
#include <caf/typed_response_promise.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The token keeper of one target connection: its OAuth2 access token, fetched once for all rules into it.
///
///   none --ask_token--> fetching (load, budget, call) --answer--> held until shortly before it expires
///    ^---------------------- refused by the target -----------------+
///
/// Rules ask it before calls that need a token, and again naming the token the target refused. The token call
/// takes its slot of the connection's budget like any other. The token is kept in memory alone.
namespace sluice::actors {

struct token_keeper_resources {
  core::connection_id connection{};
  std::shared_ptr<const node_links> node;
  messages::throttle throttle;
};

class token_keeper_state {
public:
  static constexpr const char* name = "token_keeper";

  explicit token_keeper_state(messages::token_keeper::pointer self) : self_(self), fetching_(false) {}

  messages::token_keeper::behavior_type behavior(token_keeper_resources resources);

private:
  using token_promise = caf::typed_response_promise<messages::token_told>;

  caf::result<messages::token_told> on_ask_token(const messages::ask_token& ask);
  void on_calls_answered(const messages::calls_answered& told);

  void load(core::rule_id rule);
  void ask_for_budget();
  void wait_for_budget(const messages::budget_granted& answer);
  void block_connection(core::outcome refused);
  void call();
  void answer_all(const messages::token_told& answer);
  void give_up(core::outcome_kind kind, std::string why);
  [[nodiscard]] core::rule_id caller() const;

  messages::token_keeper::pointer self_;
  token_keeper_resources resources_;
  std::shared_ptr<const providers::writer> writer_; ///< of the fetch in progress
  std::string token_;
  core::timestamp good_until_{};
  std::vector<token_promise> waiting_;
  bool fetching_;
};

[[nodiscard]] messages::token_keeper::behavior_type
token_keeper(messages::token_keeper::stateful_pointer<token_keeper_state> self,
             token_keeper_resources resources);

} // namespace sluice::actors
