#pragma once

#include "app/command_context.hpp"

#include <string>

namespace sluice::app {

struct contact_options {
  std::string tenant;
  std::string kind;
  std::string address;
};

/// `sluice contacts add`: the contact point of the address, made where there is none.
[[nodiscard]] int add_contact(const command_context& context, const contact_options& options);

struct contact_list_options {
  std::string tenant; ///< empty: every one
  std::string kind;   ///< empty: every one
  bool suppressed = false;
};

/// `sluice contacts list`: without addresses.
[[nodiscard]] int list_contacts(const command_context& context, const contact_list_options& options);

/// `sluice contacts show`; with `reveal` its address, and the audit has who asked.
[[nodiscard]] int show_contact(const command_context& context, const std::string& id, bool reveal);

/// `sluice contacts suppress|lift`
[[nodiscard]] int suppress_contact(const command_context& context, const std::string& id,
                                   const std::string& reason);
[[nodiscard]] int lift_contact(const command_context& context, const std::string& id,
                               const std::string& reason);

/// `sluice contacts remove`, which asks unless `yes`.
[[nodiscard]] int remove_contact(const command_context& context, const std::string& id, bool yes);

} // namespace sluice::app
