#include "storage/migration_texts.hpp"

#include <string_view>

namespace sluice::storage {
namespace {

// A revoked token stays as history; its name may be given again.
constexpr std::string_view api_tokens = R"(
CREATE TABLE api_tokens (
  id {id},
  public_id {key} NOT NULL UNIQUE,
  name {key} NOT NULL,
  digest {key} NOT NULL UNIQUE,
  role {key} NOT NULL,
  every_tenant BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT,
  revoked_by TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX api_tokens_live ON api_tokens (name) WHERE revoked_at IS NULL;
CREATE TABLE api_token_tenants (
  token_id BIGINT NOT NULL REFERENCES api_tokens (id) ON DELETE RESTRICT,
  tenant_id BIGINT NOT NULL REFERENCES tenants (id) ON DELETE RESTRICT,
  PRIMARY KEY (token_id, tenant_id)
) {without_rowid};
)";

// What was answered to a request that named itself by a key, so that its repetition is answered alike.
constexpr std::string_view api_answers = R"(
CREATE TABLE api_answers (
  key_digest {key} NOT NULL PRIMARY KEY,
  request_digest {key} NOT NULL,
  answer TEXT NOT NULL DEFAULT '',
  begun_at BIGINT NOT NULL
);
CREATE INDEX api_answers_by_age ON api_answers (begun_at);
)";

constexpr auto common = joined_text<api_tokens, api_answers>;

} // namespace

const migration tokens{4, "who may ask, and what was answered", common, {}, {}};

} // namespace sluice::storage
