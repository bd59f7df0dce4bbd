#pragma once

#include "app/byte_source.hpp"
#include "app/command_context.hpp"

#include <string>
#include <sysexits.h>

namespace sluice::app {

struct callback_delivery_options {
  std::string profile; ///< its name or id
  std::string tenant;  ///< whose; empty: of every one that may be seen
  std::string mailbox; ///< empty: one mail comes from standard input
};

/// What a mail server understands: it keeps the mail and comes again, whatever it is that a person has to
/// mend.
inline constexpr int exit_come_again = EX_TEMPFAIL;
inline constexpr int exit_never_read = EX_DATAERR; ///< the mail will never be understood

/// `sluice callbacks deliver`: hands bounce reports to the node, one mail or a mailbox of them. `exit_ok`:
/// all are recorded. The first that cannot be recorded ends it; what can never be read is passed over and
/// told.
[[nodiscard]] int deliver_callbacks(const command_context& context, const callback_delivery_options& options);

/// The same with one mail from elsewhere than standard input.
[[nodiscard]] int deliver_callback(const command_context& context, const callback_delivery_options& options,
                                   byte_source& mail);

} // namespace sluice::app
