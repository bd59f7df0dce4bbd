#pragma once

#include "core/call.hpp"
#include "core/http.hpp"
#include "core/ids.hpp"
#include "core/time.hpp"
#include "harness/reaction.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice::harness {

/// A call as a target saw it.
struct seen_call {
  std::string method;
  std::string path; ///< with the query, percent-encoded as it came
  std::string body;
  std::string key;            ///< of the Idempotency-Key header
  std::string authorization;  ///< of that header
  core::header_lines headers; ///< "Name: value", those of this call alone
  core::rule_id rule{};
  core::timestamp at{};
  std::shared_ptr<const core::mail_envelope> mail; ///< of an e-mail, which has no body
};

/// A call, what became of it at the target, and what comes back. One that never arrives is told as well, as
/// call_error::not_connected.
struct exchange {
  seen_call call;
  std::optional<core::http_answer> did;  ///< the truth; absent: it did nothing, or has not yet
  std::optional<core::http_answer> told; ///< absent: nothing comes back
  core::duration takes{};
  bool late = false; ///< a word about what a call of long ago came to; nothing comes back of it
};

/// What a target holds of one record.
struct held_object {
  std::string id;
  std::string external_id;
  std::string body; ///< of its last create or update
  bool active = true;
  int writes = 0;
};

/// What a target offers.
struct target_options {
  std::int64_t requests_per_minute = 0; ///< of its connection's settings; 0: no limit
  bool lookup = true;
  bool idempotency_key = true;
  bool oauth2 = false;
  std::string nested_domain = {}; ///< its objects are deleted at /customers/PARENT/DOMAIN/ID
};

/// A target system: by itself a small well-behaved API, told otherwise a call at a time.
///
///   POST   /DOMAIN                     makes an object, 201 {"id": …}; a known Idempotency-Key gets its
///   first
///                                      object again
///   PATCH  /DOMAIN/ID                  updates it; a body with "active" switches it
///   DELETE /DOMAIN/ID                  removes it, 204
///   GET    /DOMAIN?external_id=SOURCE  {"items": […]}
///   POST   /token                      {"access_token": "token-1", "expires_in": 3600}
///
/// The body's "external_id" says which source record an object is of. `settings_text()` are the connection's
/// settings that speak this API.
class scripted_target {
public:
  scripted_target(std::string name, target_options options)
      : name_(std::move(name)), options_(std::move(options)) {}

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// What its URLs begin with: "https://NAME.example.com".
  [[nodiscard]] std::string address() const { return "https://" + name_ + ".example.com"; }
  [[nodiscard]] std::string settings_text() const;
  [[nodiscard]] std::string credentials_text() const;

  // what it does

  /// The next calls, whatever they are.
  void next(const reaction& what, int times = 1) {
    next_.insert(next_.end(), static_cast<std::size_t>(times), what);
  }
  /// Every call of a method from here on, until told otherwise; calls of `next` come first.
  void on(const std::string& method, reaction what) { standing_[method] = std::move(what); }
  /// Decides about every call that `next` says nothing of; nothing returned: as if it were not set.
  void decide(std::function<std::optional<reaction>(const seen_call&)> decide) {
    decide_ = std::move(decide);
  }
  /// Is told of every call, and again when a late one is done.
  void watch(std::function<void(const exchange&)> sees) { watch_ = std::move(sees); }
  /// Serves again, whatever was said.
  void behave();
  /// How long every answer takes that was not given a time of its own.
  void take(core::duration latency) { latency_ = latency; }

  // what it saw and holds

  [[nodiscard]] const std::vector<seen_call>& calls() const noexcept { return calls_; }
  [[nodiscard]] std::size_t count(std::string_view method) const;
  /// The most calls that arrived within any span of this length, both ends included.
  [[nodiscard]] std::size_t most_calls_within(core::duration span) const;
  [[nodiscard]] const std::map<std::string, held_object>& objects() const noexcept { return objects_; }
  /// Of one source record; more than one is a duplicate.
  [[nodiscard]] std::vector<held_object> objects_of(std::string_view external_id) const;
  /// The one object of a source record; null where there is not exactly one.
  [[nodiscard]] const held_object* object_of(std::string_view external_id) const;
  /// A create under this key was carried out, or is being.
  [[nodiscard]] bool knows_key(const std::string& key) const;
  /// Puts an object there that no rule made; returns its id.
  std::string hold(std::string external_id, std::string body = "{}");
  void forget(const std::string& id) { objects_.erase(id); }
  /// Does what it was still working on at this time.
  void finish_work(core::timestamp now);
  [[nodiscard]] bool works() const noexcept { return !works_.empty(); }
  /// The access tokens given out so far stop counting.
  void revoke_tokens() { tokens_valid_from_ = tokens_given_ + 1; }

  // the transport's side

  struct response {
    std::optional<core::http_answer> told; ///< absent: it hangs
    core::duration takes{};
  };
  [[nodiscard]] response receive(const core::outbound_call& call, core::timestamp now);

private:
  struct late_work {
    core::timestamp done_at{};
    seen_call call;
  };

  void finish(const late_work& work);
  void finish_work_under(const std::string& key);
  [[nodiscard]] reaction reaction_to(const seen_call& call);
  [[nodiscard]] core::http_answer carry_out(const seen_call& call);
  [[nodiscard]] core::http_answer carry_out_authorized(const seen_call& call);
  [[nodiscard]] core::http_answer create(const seen_call& call);
  [[nodiscard]] core::http_answer change(const seen_call& call, held_object& object);
  [[nodiscard]] core::http_answer look_up(const seen_call& call) const;
  [[nodiscard]] core::http_answer give_token();
  [[nodiscard]] bool authorized(const seen_call& call) const;

  std::string name_;
  target_options options_;
  std::deque<reaction> next_;
  std::map<std::string, reaction> standing_;
  std::function<std::optional<reaction>(const seen_call&)> decide_;
  std::function<void(const exchange&)> watch_;
  core::duration latency_{};
  std::vector<late_work> works_;
  std::vector<seen_call> calls_;
  std::map<std::string, held_object> objects_;
  std::map<std::string, std::string> object_of_key_;
  int objects_made_ = 0;
  int tokens_given_ = 0;
  int tokens_valid_from_ = 1;
};

} // namespace sluice::harness
