#include "app/deliveries_command.hpp"

#include "api/url_text.hpp"
#include "app/subscription_lookup.hpp"

namespace sluice::app {
namespace {

using document = node_client::document;

int print_table(const command_context& context, const document& answer, const text_table& table,
                const std::string& none) {
  if (context.style.json) {
    print_json(answer);
  } else if (table.empty()) {
    print_line(none);
  } else {
    table.print(context.style);
  }
  return exit_ok;
}

std::string due_text(const document& delivery) {
  return delivery.at("in_flight") == true ? "on its way" : cell(delivery, "due_at");
}

int print_deliveries(const command_context& context, const document& answer) {
  text_table table{{"event", "type", "position", "state", "attempts", "next", "error"}, {2, 4}};
  for (const auto& one : answer.at("deliveries")) {
    table.add({cell(one, "event"), cell(one, "type"), cell(one, "position"), cell(one, "state"),
               cell(one, "attempts"), due_text(one), printable(cell(one, "error"))});
  }
  return print_table(context, answer, table, "no delivery");
}

int print_attempts(const command_context& context, const document& answer) {
  text_table table{{"number", "started", "took ms", "ending", "status", "error", "answer"}, {0, 2, 4}};
  for (const auto& one : answer.at("attempts")) {
    const auto ending = cell(one, "ending");
    table.add({cell(one, "number"), cell(one, "started_at"),
               std::to_string(one.at("took_us").get<std::int64_t>() / 1000),
               ending.empty() ? "on its way" : ending, cell(one, "status"), printable(cell(one, "error")),
               printable(cell(one, "answer"))});
  }
  return print_table(context, answer, table, "it was not pushed yet");
}

std::string delivery_path(const std::string& id, const std::string& event, std::string_view rest) {
  return subscription_path(id, "/deliveries/" + api::percent_encode(event) + std::string{rest});
}

} // namespace

int list_deliveries(const command_context& context, const delivery_list_options& options) {
  return with_subscription(
      context, options.subscription, [&](const node_client& node, const std::string& id) {
        const auto state = options.state.empty() ? "" : "&state=" + api::percent_encode(options.state);
        const auto answer =
            node.get(subscription_path(id, "/deliveries?limit=" + std::to_string(options.limit) + state));
        return answer ? print_deliveries(context, *answer) : answer.error();
      });
}

int list_attempts(const command_context& context, const std::string& subscription, const std::string& event) {
  return with_subscription(context, subscription, [&](const node_client& node, const std::string& id) {
    const auto answer = node.get(delivery_path(id, event, "/attempts?limit=1000"));
    return answer ? print_attempts(context, *answer) : answer.error();
  });
}

int retry_delivery(const command_context& context, const std::string& subscription,
                   const std::string& event) {
  return with_subscription(context, subscription, [&](const node_client& node, const std::string& id) {
    const auto answer = node.post(delivery_path(id, event, "/retry"), {{"by", current_user()}});
    if (!answer) {
      return answer.error();
    }
    if (context.style.json) {
      print_json(*answer);
    } else {
      print_line("event " + cell(*answer, "event") + " is " + cell(*answer, "state") + " again");
    }
    return exit_ok;
  });
}

} // namespace sluice::app
