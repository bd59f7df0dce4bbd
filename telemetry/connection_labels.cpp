#include "telemetry/connection_labels.hpp"

#include "telemetry/metric_family.hpp"

#include <set>

namespace sluice::telemetry {

namespace {

const std::string others = "other";

} // namespace

std::size_t connection_labels::place_of(core::connection_id connection) {
  const std::lock_guard guard{mutex_};
  if (const auto found = places_.find(connection); found != places_.end())
    return found->second;
  if (places_.size() == most_)
    return most_;
  const auto place = places_.size();
  places_.emplace(connection, place);
  names_.push_back(std::to_string(connection.value));
  return place;
}

std::vector<core::connection_id> connection_labels::known() const {
  const std::lock_guard guard{mutex_};
  std::vector<core::connection_id> ids;
  ids.reserve(places_.size());
  for (const auto& [id, place] : places_)
    ids.push_back(id);
  return ids;
}

/// A name may be another's number, or "other": Prometheus refuses all of an answer that says one thing twice.
void connection_labels::rename(const std::vector<std::pair<core::connection_id, std::string>>& names) {
  const std::map<core::connection_id, std::string> called{names.begin(), names.end()};
  const std::lock_guard guard{mutex_};
  std::set<std::string> taken{others};
  for (const auto& [id, place] : places_) {
    const auto number = std::to_string(id.value);
    const auto found = called.find(id);
    auto label = found == called.end() ? number : found->second;
    while (!taken.insert(label).second)
      label += " (" + number + ")";
    names_[place] = std::move(label);
  }
}

std::string connection_labels::name_at(std::size_t place) const {
  const std::lock_guard guard{mutex_};
  return place < names_.size() ? names_[place] : others;
}

label_description connection_labels::describe() {
  return {name, {}, "a target connection's name, of at most `metrics.connections_max` of them; then other"};
}

} // namespace sluice::telemetry
