#include "core/subscription_wish.hpp"

#include <algorithm>
#include <utility>

namespace sluice::core {

namespace {

bool same_headers(const std::vector<custom_header>& left, const std::vector<custom_header>& right) {
  return std::ranges::equal(left, right, [](const custom_header& one, const custom_header& other) {
    return one.name == other.name && one.value == other.value && is_secret(one) == is_secret(other);
  });
}

} // namespace

subscription wished_subscription(subscription there, const subscription_wish& wish) {
  const auto& written = wish.written;
  there.tenant = written.tenant;
  there.name = written.name;
  there.mode = written.mode;
  there.url = written.url;
  there.event_types = written.event_types;
  there.filter = written.filter;
  there.ordered_by = written.ordered_by;
  if (wish.headers)
    there.headers = *wish.headers;
  there.access_accepted = wish.access_accepted.value_or(there.access_accepted);
  if (wish.paused && there.status != subscription_status::disabled)
    there.status = *wish.paused ? subscription_status::paused : subscription_status::active;
  return there;
}

std::vector<std::string> changed_members(const subscription& there, const subscription& wished) {
  std::vector<std::string> changed;
  const auto note = [&](const char* member, bool differs) {
    if (differs)
      changed.emplace_back(member);
  };
  note("mode", there.mode != wished.mode);
  note("url", there.url != wished.url);
  note("event_types", there.event_types != wished.event_types);
  note("filter", there.filter != wished.filter);
  note("ordered_by", there.ordered_by != wished.ordered_by);
  note("headers", !same_headers(there.headers, wished.headers));
  note("access_accepted", there.access_accepted != wished.access_accepted);
  note("paused", there.status != wished.status);
  return changed;
}

} // namespace sluice::core
