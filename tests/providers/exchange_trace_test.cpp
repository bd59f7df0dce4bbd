#include "providers/exchange_trace.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace sluice;
using core::call_error;
using providers::exchange_trace;

namespace {

// CURLcode values, part of libcurl's ABI.
constexpr int ok = 0;
constexpr int resolve = 6;
constexpr int connect = 7;
constexpr int partial = 18;
constexpr int write = 23;
constexpr int timeout = 28;
constexpr int tls = 35;
constexpr int aborted = 42;
constexpr int nothing = 52;
constexpr int send = 55;
constexpr int rewind_failed = 65;

constexpr exchange_trace before{};
constexpr exchange_trace held_back{.held_back = true, .address_dialled = true};
constexpr exchange_trace refused{.address_refused = true};
constexpr exchange_trace refused_and_dialled{.address_refused = true, .address_dialled = true};
constexpr exchange_trace begun{.request_begun = true, .address_dialled = true};
constexpr exchange_trace answered{.request_begun = true, .address_dialled = true, .header_whole = true};
constexpr exchange_trace reused{.request_begun = true};
constexpr exchange_trace begun_then_refused{.request_begun = true, .address_refused = true};
constexpr exchange_trace overflowed{.request_begun = true, .answer_overflowed = true};

struct row {
  int code;
  exchange_trace trace;
  call_error expected;
};

constexpr std::array table{
    row{ok, answered, call_error::none},
    row{ok, begun, call_error::cut}, // the header broke off
    row{partial, answered, call_error::cut},
    row{resolve, before, call_error::not_connected},
    row{connect, before, call_error::not_connected},
    row{tls, before, call_error::not_connected},
    row{timeout, before, call_error::not_connected},
    row{aborted, before, call_error::not_connected},
    row{connect, refused, call_error::address_refused},
    row{connect, refused_and_dialled, call_error::not_connected},
    row{aborted, held_back, call_error::unattempted},
    row{timeout, begun, call_error::timed_out},
    row{timeout, reused, call_error::timed_out},
    row{partial, begun, call_error::cut},
    row{nothing, reused, call_error::cut},
    row{send, reused, call_error::cut},
    row{rewind_failed, reused, call_error::cut},
    row{aborted, begun, call_error::cut},
    row{write, overflowed, call_error::answer_too_large},
    row{write, begun, call_error::cut},
    // A request that went out over a connection which then died, and could not be sent again.
    row{connect, reused, call_error::cut},
    row{resolve, reused, call_error::cut},
    row{connect, begun_then_refused, call_error::cut},
};

} // namespace

TEST_CASE("how an exchange ended follows from libcurl's code and how far it came, in doubt it arrived") {
  for (const auto& [code, trace, expected] : table) {
    INFO("code " << code << ", begun " << trace.request_begun << ", refused " << trace.address_refused);
    CHECK(providers::judge(code, trace) == expected);
    if (expected != call_error::none)
      CHECK_FALSE(providers::describe(expected, code).empty());
  }
}
