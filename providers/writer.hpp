#pragma once

#include "core/http.hpp"
#include "core/outcome.hpp"
#include "core/outside_address.hpp"
#include "core/rule.hpp"
#include "core/time.hpp"

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::providers {

/// What a writer can do and what its target asks for; fixed for a connection's settings.
struct writer_traits {
  std::int64_t requests_per_minute = 0; ///< 0: no limit of its own
  bool has_lookup = false;              ///< can find a record by its external (source) id
  bool honours_key = false;      ///< repeats with the same idempotency key are one creation at the target
  core::duration key_lifetime{}; ///< how long the key counts
  bool needs_token = false;      ///< OAuth2: `build` wants an access token
  bool create_repeatable = false;
  bool uses_anchor = false; ///< a path or body takes {anchor_id}: such a domain's rule has to be dependent
};

/// One write, ready but for its bytes.
struct write_order {
  core::operation op = core::operation::create;
  std::string_view source_id;
  std::string_view remote_id;       ///< empty for create and lookup
  std::string_view idempotency_key; ///< empty where none is sent
  std::string_view anchor_id;       ///< the parent's id in the target, of a dependent domain's record
};

/// The adapter that turns a write into a request and reads the answer. No I/O, no state that changes.
class writer {
public:
  virtual ~writer() = default;

  [[nodiscard]] virtual const writer_traits& traits() const noexcept = 0;
  [[nodiscard]] virtual bool supports(core::operation op) const noexcept = 0;
  [[nodiscard]] virtual bool repeatable(core::operation op) const noexcept = 0;
  [[nodiscard]] virtual bool uses_anchor(core::operation op) const noexcept = 0;

  /// The request's body for `projection` (the mapping's JSON object text; empty for operations without one).
  [[nodiscard]] virtual std::string render_body(const write_order& order, std::string projection) const = 0;

  /// The request around those very bytes. `access_token` is empty unless traits().needs_token.
  [[nodiscard]] virtual core::http_request build(const write_order& order, std::string body,
                                                 std::string_view access_token) const = 0;

  /// What the answer to this very order means. For creates and lookups `outcome.remote_id` carries the id; a
  /// lookup that found nothing is `gone`, one with more than one match `several`.
  [[nodiscard]] virtual core::outcome read(const write_order& order,
                                           const core::http_answer& answer) const = 0;

  /// OAuth2 client credentials (RFC 6749 section 4.4): the token request, and its answer.
  struct access_token {
    std::string value;
    core::duration lifetime{};
  };
  [[nodiscard]] virtual std::optional<core::http_request> token_request() const = 0;
  [[nodiscard]] virtual std::expected<access_token, core::outcome>
  read_token(const core::http_answer& answer) const = 0;
};

/// Makes the writer of a target connection for one domain. The error lists every fault of the settings or the
/// credentials, each a sentence with its key and what is allowed.
[[nodiscard]] std::expected<std::shared_ptr<const writer>, std::vector<std::string>>
make_writer(const core::connection& target, std::string_view domain);

/// The addresses in the settings of a connection that can never be called, each a sentence with its key. What
/// is no URL at all is make_writer's to refuse; a name shows only when it is dialled.
[[nodiscard]] std::vector<std::string> faults_of_addresses(const core::connection& target,
                                                           const core::outside_addresses& outside);

/// What the rule asks of its writer that the settings do not have, each a sentence with the key: operations
/// its delete policy needs, and a parent's id that only a dependent rule has.
[[nodiscard]] std::vector<std::string> faults_for_rule(const writer& target, const core::sync_rule& rule);

} // namespace sluice::providers
