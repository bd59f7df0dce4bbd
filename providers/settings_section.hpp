#pragma once

#include "core/time.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers {

/// Faults of a connection's settings, each "place: sentence", none twice.
class fault_list {
public:
  void add(std::string_view place, std::string_view what);
  [[nodiscard]] bool empty() const noexcept { return faults_.empty(); }
  [[nodiscard]] std::vector<std::string> take() && { return std::move(faults_); }

private:
  std::vector<std::string> faults_;
};

/// A value of the settings and where it stands.
struct placed_value {
  const nlohmann::ordered_json* value = nullptr;
  std::string place;
};

/// One object of the settings while it is read: typed members with defaults, faults that name their place,
/// and a refusal of members nobody asked for. An overlay's members win over the base's. A fault never quotes
/// a value but one out of a closed choice, so credentials may be read with it too.
class settings_section {
public:
  settings_section(placed_value base, fault_list& faults, placed_value overlay = {});

  /// The member, if it is there and not null.
  [[nodiscard]] std::optional<placed_value> find(std::string_view key);
  [[nodiscard]] bool has(std::string_view key) { return find(key).has_value(); }

  [[nodiscard]] std::string text(std::string_view key, std::string_view fallback = {});
  [[nodiscard]] std::string required_text(std::string_view key, std::string_view why);
  [[nodiscard]] std::string choice(std::string_view key, std::initializer_list<std::string_view> allowed,
                                   std::string_view fallback);
  [[nodiscard]] bool flag(std::string_view key, bool fallback);
  [[nodiscard]] std::int64_t number(std::string_view key, std::int64_t least, std::int64_t most,
                                    std::int64_t fallback);
  [[nodiscard]] core::duration duration(std::string_view key, core::duration fallback);
  [[nodiscard]] std::string pointer(std::string_view key, std::string_view fallback);
  /// The member's object, or an empty section where there is none.
  [[nodiscard]] settings_section section(std::string_view key);

  [[nodiscard]] std::vector<std::string> keys() const;
  [[nodiscard]] std::string place_of(std::string_view key) const;
  [[nodiscard]] const std::string& place() const noexcept { return base_.place; }
  [[nodiscard]] bool present() const noexcept { return base_.value || overlay_.value; }
  void fault(std::string_view key, std::string_view what);
  [[nodiscard]] fault_list& faults() noexcept { return *faults_; }

  /// Reports the members no call above asked for, with those that are known.
  void refuse_unknown();

private:
  placed_value base_;
  placed_value overlay_;
  fault_list* faults_;
  std::vector<std::string> known_;
};

/// Reads a profile's or a connection's JSON text as a whole; the empty object where it is empty, or cannot be
/// read, which is a fault of `place`.
[[nodiscard]] nlohmann::ordered_json read_settings_document(std::string_view text, std::string_view place,
                                                            fault_list& faults);

/// RFC 6901: empty, or "/" and members in which "~" is written "~0" and "/" "~1".
[[nodiscard]] bool is_json_pointer(std::string_view text) noexcept;

} // namespace sluice::providers
