#include "core/certificate_cache.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sluice::core {

const certificate_cache::entry* certificate_cache::living(std::string_view url, duration now) const {
  const auto found = entries_.find(url);
  return found == entries_.end() || found->second.until <= now ? nullptr : &found->second;
}

certificate_cache::standing certificate_cache::find(std::string_view url, duration now) const {
  const auto* found = living(url, now);
  return found ? found->what : standing::unknown;
}

std::optional<std::string> certificate_cache::text(std::string_view url, duration now) const {
  const auto* found = living(url, now);
  return found && found->what == standing::held ? std::optional{found->text} : std::nullopt;
}

void certificate_cache::keep(std::string url, std::string text, duration now) {
  put(std::move(url), {standing::held, std::move(text), now + limits_.held_for, std::nullopt}, now);
}

void certificate_cache::fail(std::string url, standing as, duration now) {
  put(std::move(url), {as, {}, now + limits_.failed_for, std::nullopt}, now);
}

void certificate_cache::prove(std::string_view url, duration now) {
  if (const auto found = entries_.find(url); found != entries_.end())
    found->second.proven_at = now;
}

/// Whatever was never proven goes first, and of these the one whose time ends first.
void certificate_cache::put(std::string url, entry made, duration now) {
  std::erase_if(entries_, [&](const auto& each) { return each.second.until <= now; });
  if (entries_.size() >= std::max<std::size_t>(limits_.entries_max, 1) && !entries_.contains(url)) {
    const auto worth = [](const auto& each) {
      const auto& [proven_at, until] = std::tie(each.second.proven_at, each.second.until);
      return std::tuple{proven_at.has_value(), proven_at.value_or(duration{}), until};
    };
    entries_.erase(std::ranges::min_element(entries_, {}, worth));
  }
  entries_.insert_or_assign(std::move(url), std::move(made));
}

} // namespace sluice::core
