#include "app/keys_command.hpp"

#include "app/node_client.hpp"
#include "app/progress.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace sluice::app {
namespace {

using document = node_client::document;

/// The settings of both rings, which are what the API calls them.
constexpr std::array<const char*, 2> rings{"keys", "fingerprint_keys"};

/// What a key that is to go is still needed for.
struct old_use {
  std::string key;
  std::string thing;
  std::int64_t rows = 0;
};

std::vector<old_use> old_uses(const document& keys) {
  std::vector<old_use> found;
  for (const auto* ring : rings) {
    for (const auto& key : keys.at(ring)) {
      for (const auto& use : key.at("uses")) {
        if (key.at("first") == false && number(use, "live") > 0) {
          found.push_back({cell(key, "name"), cell(use, "thing"), number(use, "live")});
        }
      }
    }
  }
  return found;
}

std::string state_of(const document& key) {
  if (key.at("first") == true) {
    return "makes new ones";
  }
  return key.at("in_settings") == true ? "reads" : "not in the settings";
}

void add_key(text_table& table, const std::string& ring, const document& key) {
  const std::vector<std::string> head{"keys." + ring, printable(cell(key, "name")), state_of(key)};
  const auto& uses = key.at("uses");
  if (uses.empty()) {
    table.add({head[0], head[1], head[2], "", "0", "0"});
  }
  for (const auto& use : uses) {
    table.add({head[0], head[1], head[2], cell(use, "thing"), grouped(number(use, "live")),
               grouped(number(use, "removed"))});
  }
}

/// What every step of one thing and key came to together.
struct pass {
  std::int64_t renewed = 0;
  std::int64_t unopened = 0;
  std::int64_t taken = 0;
};

std::expected<pass, int> renew(const node_client& node, const old_use& use) {
  progress bar{use.thing + " of " + use.key, use.rows};
  pass made;
  document after = 0;
  while (!after.is_null()) {
    const auto step =
        node.post("/v1/keys/reseal",
                  {{"thing", use.thing}, {"key", use.key}, {"after", after}, {"by", current_user()}});
    if (!step) {
      return std::unexpected{step.error()};
    }
    made.renewed += number(*step, "renewed");
    made.unopened += number(*step, "unopened");
    made.taken += number(*step, "taken");
    after = step->at("next");
    bar.show(made.renewed);
  }
  return made;
}

int print_nothing_old(const command_context& context) {
  if (context.style.json) {
    print_json({{"rotated", document::array()}, {"left", document::array()}});
    return exit_ok;
  }
  print_line("everything is made with the first key of its ring");
  print_line("a new key goes behind the others in the settings of every node first, and then, once each was "
             "started again, before them; then this command makes everything anew with it");
  return exit_ok;
}

document left_view(const std::vector<old_use>& uses) {
  auto rows = document::array();
  for (const auto& use : uses) {
    rows.push_back({{"key", use.key}, {"thing", use.thing}, {"live", use.rows}});
  }
  return rows;
}

/// What is left with an old key is a refusal: it may not go yet.
int print_end(const command_context& context, const document& rotated, const std::vector<old_use>& left) {
  if (context.style.json) {
    print_json({{"rotated", rotated}, {"left", left_view(left)}});
    return left.empty() ? exit_ok : exit_refused;
  }
  for (const auto& one : rotated) {
    print_line(grouped(number(one, "renewed")) + " " + cell(one, "thing") + " of key "
               + printable(cell(one, "key")) + " are made anew");
  }
  for (const auto& use : left) {
    print_note(grouped(use.rows) + " " + use.thing + " still need key " + printable(use.key)
               + ": run this again; what stays cannot be opened, or has another row under the new key");
  }
  if (left.empty()) {
    print_line("no other key is needed for them any more");
  }
  return left.empty() ? exit_ok : exit_refused;
}

} // namespace

int list_keys(const command_context& context) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto keys = node->get("/v1/keys");
  if (!keys) {
    return keys.error();
  }
  if (context.style.json) {
    print_json(*keys);
    return exit_ok;
  }
  text_table table{{"ring", "key", "it", "for", "rows", "of removed ones"}, {4, 5}};
  for (const auto* ring : rings) {
    for (const auto& key : keys->at(ring)) {
      add_key(table, ring, key);
    }
  }
  if (table.empty()) {
    print_line("the settings have no key");
  } else {
    table.print(context.style);
  }
  return exit_ok;
}

int rotate_keys(const command_context& context) {
  const auto node = node_client::of(context);
  if (!node) {
    return node.error();
  }
  const auto before = node->get("/v1/keys");
  if (!before) {
    return before.error();
  }
  const auto uses = old_uses(*before);
  if (uses.empty()) {
    return print_nothing_old(context);
  }
  auto rotated = document::array();
  for (const auto& use : uses) {
    const auto made = renew(*node, use);
    if (!made) {
      return made.error();
    }
    rotated.push_back({{"key", use.key},
                       {"thing", use.thing},
                       {"renewed", made->renewed},
                       {"unopened", made->unopened},
                       {"taken", made->taken}});
  }
  const auto after = node->get("/v1/keys");
  return after ? print_end(context, rotated, old_uses(*after)) : after.error();
}

} // namespace sluice::app
