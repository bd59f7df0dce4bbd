#pragma once

#include "providers/dial_guard.hpp"
#include "providers/transport.hpp"

#include <string>

namespace sluice::providers {

/// What every exchange has in common, whatever its protocol: waits, proxy, TLS. `easy` is a CURL*.
void set_shared_options(void* easy, const transport_settings& settings);

/// Whether the guard refuses the URL's host as it is written, which libcurl's own reading of it decides.
/// Asked where a proxy dials: no address of the target passes the guard there.
[[nodiscard]] bool refused_behind_proxy(const dial_guard& guard, const std::string& url);

} // namespace sluice::providers
