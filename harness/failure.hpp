#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace sluice::harness {

/// What a world throws when a script is not followed. `what()` ends with the last messages.
class failure : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Told of a failed script before `failure` is thrown; a test framework's own way of failing goes here, and
/// may throw instead.
using failure_hook = std::function<void(const std::string&)>;

} // namespace sluice::harness
