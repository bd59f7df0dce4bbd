#include "core/record_link.hpp"

#include "core/booking.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace sluice::core {

namespace {

using verdict = std::expected<std::optional<ledger_row>, std::string>; ///< no row: it is so already

/// No call is booked here, so no retry schedule is asked.
booking booked_at(timestamp now) {
  booking with;
  with.now = now;
  return with;
}

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

std::string size_fault(std::string_view what, std::string_view text) {
  if (!text.empty() && text.size() <= linked_id_bytes_max)
    return {};
  return std::string(what) + " has 1 to " + std::to_string(linked_id_bytes_max) + " bytes, not "
         + std::to_string(text.size());
}

std::string fault_of_ids(const record_link& link) {
  auto fault = size_fault("a source_id", link.source_id);
  return fault.empty() ? size_fault("a remote_id", link.remote_id) : fault;
}

bool holds_so(const link_facts& found, const std::string& remote_id) {
  const auto& row = found.about.row;
  return row && !row->trashed && row->target != target_state::absent && row->remote_id == remote_id;
}

/// One batch, line by line: ids that came before are known.
class link_judge {
public:
  link_judge(const std::multimap<std::string, std::string>& holders, timestamp now)
      : holders_(holders), now_(now) {}

  verdict judge(const record_link& link, const link_facts& found) {
    if (auto fault = fault_of_ids(link); !fault.empty())
      return std::unexpected{std::move(fault)};
    if (!sources_.insert(link.source_id).second)
      return std::unexpected{"the source_id " + quoted(link.source_id) + " stands in the batch before"};
    if (!found.about.record.id && !found.about.row)
      return std::unexpected{"the rule's source has no record " + quoted(link.source_id)};
    if (holds_so(found, link.remote_id))
      return std::nullopt;
    auto row = link_row(found, link.remote_id, now_);
    if (!row)
      return std::unexpected{"record " + quoted(link.source_id) + ": " + row.error()};
    if (const auto holder = holder_of(link); !holder.empty())
      return std::unexpected{"the remote_id " + quoted(link.remote_id) + " is record " + quoted(holder)};
    taken_.emplace(link.remote_id, link.source_id);
    return std::move(*row);
  }

private:
  [[nodiscard]] std::string_view holder_of(const record_link& link) const {
    if (const auto before = taken_.find(link.remote_id); before != taken_.end())
      return before->second;
    const auto [from, to] = holders_.equal_range(link.remote_id);
    const auto other =
        std::find_if(from, to, [&](const auto& each) { return each.second != link.source_id; });
    return other == to ? std::string_view{} : std::string_view{other->second};
  }

  const std::multimap<std::string, std::string>& holders_;
  timestamp now_;
  std::set<std::string, std::less<>> sources_;
  std::map<std::string, std::string, std::less<>> taken_; ///< remote ids of the batch, with their records
};

} // namespace

std::expected<ledger_row, std::string> link_row(const link_facts& found, const std::string& remote_id,
                                                timestamp now) {
  const auto& row = found.about.row;
  if (remote_id.empty())
    return std::unexpected{std::string{"a link takes the id the target knows the record by"}};
  if (row && row->trashed)
    return std::unexpected{std::string{"its ledger row is trashed"}};
  if (row && row->target != target_state::absent)
    return std::unexpected{"the target holds it already, as " + row->remote_id};
  const auto unknown = row && row->status == delivery_status::ambiguous;
  if (found.intent && !unknown)
    return std::unexpected{std::string{"a create of it is on its way: look again once it is answered"}};
  return book_linked(found.about, remote_id, booked_at(now));
}

link_plan plan_links(std::span<const record_link> links, std::span<const link_facts> found,
                     const std::multimap<std::string, std::string>& holders, timestamp now) {
  link_plan plan;
  link_judge judge{holders, now};
  for (std::size_t at = 0; at < links.size(); ++at) {
    auto judged = judge.judge(links[at], found[at]);
    if (!judged) {
      plan.refused.push_back({static_cast<std::int64_t>(at) + 1, std::move(judged.error())});
    } else if (!*judged) {
      ++plan.unchanged;
    } else {
      plan.known_delta += known_delta(false, (*judged)->target);
      if (found[at].intent)
        plan.intents_done.push_back(*found[at].intent);
      plan.rows.push_back(std::move(**judged));
    }
  }
  return plan;
}

} // namespace sluice::core
