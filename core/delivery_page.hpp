#pragma once

#include "core/connection_life.hpp"
#include "core/rule_state.hpp"
#include "core/stop.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What an operator looks at first: what does not deliver normally, and why. Everything stands in exactly one
/// place:
///
///   a person's stop                            -> stopped; a hold of a rule it reaches is named there
///   a hold of a rule under no such stop        -> held
///   a rule that is failing, stale or throttled -> unwell
///   a rule that the global stop alone stops    -> counted, beside that stop
///
/// A search finds rules that are on none of these cards as well: they are the others.
namespace sluice::core {

struct delivery_facts {
  std::vector<rule_facts> rules; ///< of the whole installation: its state follows from all of them
  installation_facts installation;
  std::vector<delivery_stop> stops; ///< live
  /// Those that whoever it is made for may see, without the disconnected ones. A rule shows where both of its
  /// connections are among them, and a stop where its rule or connection does; the global one shows to
  /// everybody.
  std::vector<connection_life> connections;
};

struct page_rule {
  const rule_facts* facts = nullptr;
  rule_state state = rule_state::none;
  const connection_life* source = nullptr; ///< its tenant is the rule's
  const connection_life* target = nullptr;
  const delivery_stop* hold = nullptr;
  bool sought = true; ///< the search finds it
};

struct page_card {
  const connection_life* whose = nullptr;      ///< the card stands under its tenant
  const delivery_stop* stop = nullptr;         ///< a stop or hold
  const connection_life* connection = nullptr; ///< of a connection's stop
  std::vector<const page_rule*> rules;         ///< the rule; of a connection's stop, those it stops, by name
};

/// Cards by tenant name; stops and holds then oldest first, rules by state, most severe first, then by name.
struct page_group {
  std::vector<page_card> cards; ///< the first of them
  std::int64_t count = 0;       ///< how many there are
};

enum class page_notice : std::uint8_t {
  none,
  all_well,        ///< every rule delivers normally
  nothing_matches, ///< the search finds nothing
};

/// Points into the facts it was made of.
struct delivery_page {
  global_state global = global_state::ok;
  const delivery_stop* global_stop = nullptr;
  std::int64_t also_stopped = 0; ///< rules only the global stop stops, that no card names
  page_group stopped;
  page_group held;
  page_group unwell;
  std::int64_t stale = 0; ///< of `unwell`, told by one line: the whole installation is what does not run
  page_group backfills;   ///< in progress, of active rules; cards by tenant, then rule name
  page_group others;      ///< what else a search finds; cards by tenant, then rule name
  std::int64_t badge = 0; ///< rules with an open route that do not deliver normally, whatever is searched for
  page_notice notice = page_notice::none;
  std::vector<page_rule> rules; ///< those the cards point to
};

struct page_wish {
  /// A part of a tenant's, connection's or rule's name, or 8 or more hex digits and dashes of one of their
  /// ids; in any case of letters. Empty: everything.
  std::string search;
  std::size_t cards_max = 500; ///< a group
};

[[nodiscard]] delivery_page make_delivery_page(const delivery_facts& facts, const page_wish& wish,
                                               const health_settings& settings, timestamp now);

[[nodiscard]] std::string_view to_string(page_notice notice) noexcept;

} // namespace sluice::core
