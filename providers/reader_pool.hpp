#pragma once

#include "core/payload.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::providers {

/// Payload readers for one set of JSON pointers. A writer is shared by the rules of its connection and
/// domain, a payload_reader is not for two threads at once: each reading borrows one, and another is made
/// only while all others are borrowed.
class reader_pool {
  struct tool {
    explicit tool(core::payload_reader made) : reader{std::move(made)} {}
    core::payload_reader reader;
    std::vector<core::value> values;
  };

public:
  /// Borrowed values, one a pointer; given back when this goes.
  class reading {
  public:
    reading(reader_pool& pool, std::unique_ptr<tool> borrowed) noexcept
        : pool_{&pool}, borrowed_{std::move(borrowed)} {}
    reading(reading&&) noexcept = default;
    reading& operator=(reading&&) = delete;
    ~reading();

    [[nodiscard]] const core::value& operator[](std::size_t i) const noexcept { return borrowed_->values[i]; }

  private:
    friend class reader_pool;
    reader_pool* pool_;
    std::unique_ptr<tool> borrowed_;
  };

  /// The pointers must be valid (see is_json_pointer).
  explicit reader_pool(std::vector<std::string> pointers);

  /// Nothing when the text is not one JSON value of valid UTF-8 without NUL and within the limits on depth.
  [[nodiscard]] std::optional<reading> read(std::string_view text);

private:
  std::unique_ptr<tool> borrow();
  void give_back(std::unique_ptr<tool> borrowed) noexcept;

  std::vector<std::string> pointers_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<tool>> idle_; ///< guarded by mutex_
};

} // namespace sluice::providers
