#pragma once

#include "core/ids.hpp"

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::telemetry {

struct label_description;

/// What connections are called in metrics. The first `most` that are met have a label of their own, all
/// others share "other". Thread-safe; no two places are ever called the same.
class connection_labels {
public:
  static constexpr std::string_view name = "connection";

  explicit connection_labels(std::size_t most) : most_(most) {}

  /// The place of its figures; `most` for all that are one too many.
  [[nodiscard]] std::size_t place_of(core::connection_id connection);

  /// Those with a label of their own.
  [[nodiscard]] std::vector<core::connection_id> known() const;

  /// What they are called now. One that is not among them goes by its number.
  void rename(const std::vector<std::pair<core::connection_id, std::string>>& names);

  [[nodiscard]] std::string name_at(std::size_t place) const;

  [[nodiscard]] static label_description describe();

private:
  std::size_t most_;
  mutable std::mutex mutex_;
  std::map<core::connection_id, std::size_t> places_;
  std::vector<std::string> names_; ///< by place
};

} // namespace sluice::telemetry
