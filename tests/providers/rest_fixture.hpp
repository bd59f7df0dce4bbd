#pragma once

#include "providers/writer.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace sluice::providers::testing {

/// Settings every operation of which works; tests patch what they are about.
inline const std::string plain_settings = R"({
  "base_url": "https://crm.example.com/v1/",
  "requests_per_minute": 600,
  "auth": {"type": "bearer"},
  "idempotency": {"key_lifetime": "12h"},
  "operations": {
    "create": {"path": "/{domain}"},
    "update": {"path": "/{domain}/{remote_id}"},
    "delete": {"path": "/{domain}/{remote_id}"},
    "deactivate": {"path": "/{domain}/{remote_id}", "body": {"active": false}},
    "reactivate": {"path": "/{domain}/{remote_id}", "body": {"active": true}},
    "lookup": {"path": "/{domain}?external_id={source_id}", "matches": "/items",
               "match": {"/external_id": "{source_id}"}}
  }
})";

inline const std::string plain_credentials = R"({"token": "s3cret-token"})";

inline core::connection connection_of(std::string settings, std::string credentials = plain_credentials) {
  core::connection made;
  made.driver = "rest";
  made.settings = std::move(settings);
  made.credentials = std::move(credentials);
  return made;
}

inline std::shared_ptr<const writer> writer_of(std::string settings = plain_settings,
                                               std::string credentials = plain_credentials,
                                               std::string_view domain = "customers") {
  auto made = make_writer(connection_of(std::move(settings), std::move(credentials)), domain);
  if (!made) {
    for (const auto& fault : made.error()) {
      UNSCOPED_INFO(fault);
    }
  }
  REQUIRE(made);
  return *made;
}

inline core::http_answer answer_of(int status, std::string body = {}) {
  core::http_answer made;
  made.status = status;
  made.body = std::move(body);
  made.ended_at = core::from_us(1'000'000'000'000'000);
  return made;
}

inline core::http_answer failed_call(core::call_error error, int status = 0) {
  core::http_answer made;
  made.error = error;
  made.status = status;
  return made;
}

inline write_order order_of(core::operation op, std::string_view source_id = "c-1",
                            std::string_view remote_id = "77", std::string_view anchor_id = {}) {
  return {op, source_id, remote_id, {}, anchor_id};
}

} // namespace sluice::providers::testing
