#include "providers/answer_id.hpp"
#include "providers/writer.hpp"
#include "tests/fuzz/promises.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

using namespace sluice;
using tests::is_clean;
using tests::require;

namespace {

constexpr std::string_view settings = R"({
  "base_url": "https://crm.example.com",
  "auth": {"type": "oauth2_client_credentials", "token_url": "https://id.example.com/token"},
  "answers": {"exists": [{"status": ["4xx"], "body": {"/code": ["duplicate", 7]}}]},
  "operations": {
    "create": {"path": "/a", "id": "/data/id"},
    "update": {"path": "/a/{remote_id}"},
    "delete": {"path": "/a/{remote_id}"},
    "reactivate": {"path": "/a/{remote_id}"},
    "lookup": {"path": "/a?x={source_id}", "matches": "/items", "match": {"/ref": "{source_id}"}}
  },
  "domains": {"orders": {"operations": {"create": {"id": {"header": "Location"}},
                                        "lookup": {"matches": null, "match": null}}}}
})";

std::shared_ptr<const providers::writer> writer_for(std::string_view domain) {
  core::connection target;
  target.driver = "rest";
  target.settings = settings;
  target.credentials = R"({"client_id": "me", "client_secret": "s3cret"})";
  auto made = providers::make_writer(target, domain);
  return made ? *made : nullptr;
}

core::http_answer answer_from(const std::uint8_t* data, std::size_t size) {
  constexpr std::array statuses{0, 200, 201, 204, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503, 999};
  core::http_answer answer;
  answer.status = statuses[data[0] % statuses.size()];
  answer.error = static_cast<core::call_error>(data[1] % 7);
  const std::string_view rest{reinterpret_cast<const char*>(data + 2), size - 2};
  answer.body = rest;
  answer.location = rest.substr(0, 600);
  answer.retry_after = rest.substr(0, 64);
  answer.detail = rest.substr(0, 300);
  return answer;
}

void check(const core::outcome& outcome, core::operation op) {
  require(outcome.remote_id.empty() || providers::fault_of_remote_id(outcome.remote_id).empty());
  require(is_clean(outcome.error) && outcome.error.size() < 1024);
  require(outcome.error.find("s3cret") == std::string::npos);
  const bool needs_id = op == core::operation::create || op == core::operation::lookup;
  require(outcome.kind != core::outcome_kind::accepted || !needs_id || !outcome.remote_id.empty());
}

} // namespace

/// Any answer of a target is read without an exception, and what comes out obeys the outcome's promises.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::array writers{writer_for("customers"), writer_for("orders")};
  if (size < 2) {
    return 0;
  }
  const auto answer = answer_from(data, size);
  for (const auto& writer : writers) {
    require(writer != nullptr);
    for (const auto op :
         {core::operation::create, core::operation::update, core::operation::remove,
          core::operation::deactivate, core::operation::reactivate, core::operation::lookup}) {
      providers::write_order order;
      order.op = op;
      order.source_id = "c-1";
      check(writer->read(order, answer), op);
    }
    if (const auto token = writer->read_token(answer); !token) {
      require(is_clean(token.error().error));
    }
  }
  return 0;
}
