#pragma once

#include "api/http_message.hpp"

#include <caf/allowed_unsafe_message_type.hpp>
#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

/// The conversation with the live view.
namespace sluice::api {

/// desk: a page opens. Goes nowhere else.
struct open_page {
  caller who;
  responder answer;
};

/// Internal: a pause is over.
struct look_again {};

template <class Inspector>
auto inspect(Inspector& f, look_again&) {
  return f();
}

using live_actor = caf::typed_actor<caf::reacts_to<open_page>, caf::reacts_to<look_again>>;

} // namespace sluice::api

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(sluice::api::open_page)
