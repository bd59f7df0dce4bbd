#pragma once

#include <string_view>

namespace sluice::app {

/// Tells whoever started the process how it stands, where it wants to know: "READY=1", "STOPPING=1". The
/// protocol is systemd's (sd_notify(3)): one datagram to the socket that $NOTIFY_SOCKET names. Best effort.
void tell_service_manager(std::string_view state);

} // namespace sluice::app
