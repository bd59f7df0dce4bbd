#pragma once

#include "core/http.hpp"
#include "core/notification.hpp"
#include "core/provider_event.hpp"
#include "core/submission.hpp"
#include "core/time.hpp"
#include "providers/writer.hpp"

#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sluice::providers {

/// What a provider can do; fixed for its kind.
struct adapter_traits {
  std::vector<core::contact_kind> contacts; ///< the kinds of address it reaches
  bool has_callback = false;
  bool has_status_query = false;
  bool needs_token = false; ///< `build` wants an access token, by local_token or else by token_request
  /// Its addresses lead to services that know nothing of each other: what one asks for is not all's.
  bool many_services = false;
};

/// A genuine callback.
struct verified_callback {
  std::vector<core::provider_event> events;
  std::string confirm_url; ///< to be fetched once: the provider wants its subscription confirmed; empty: none
};

/// The signature is by a certificate this node has not fetched yet. The URL was judged: it is the provider's
/// own.
struct certificate_wanted {
  std::string url;
};

using callback_verdict = std::variant<verified_callback, certificate_wanted, core::callback_refusal>;

/// PEM texts by the URL they were fetched from.
using known_certificates = std::function<std::optional<std::string>(std::string_view url)>;

/// What is known of an attempt whose outcome, or whose fate, is asked for.
struct status_question {
  std::string attempt_id;
  std::string provider_message_id; ///< empty after an ambiguous submission
  core::contact_address contact;
  core::timestamp submitted_at{};
  // To tell two messages apart, where the provider's id is not known:
  std::string text{};                   ///< the plain text that was submitted; empty: not known
  std::vector<std::string> other_ids{}; ///< of other messages of ours, none of which this one is
  bool alike = false;                   ///< another of the same text left, and which is which nobody knows
};

/// What a provider says of an attempt it was asked about.
struct status_answer {
  enum class verdict : std::uint8_t {
    known,   ///< `provider_message_id` and `events` say what it knows: it was taken
    unknown, ///< it has no such message
    several, ///< more than one message fits: a person has to settle it
    unread,  ///< no answer that says anything; ask again later
  };
  verdict kind = verdict::unread;
  std::string provider_message_id;
  std::vector<core::provider_event> events;
  std::string error; ///< a sentence for people
};

/// A provider. Pure: builds requests, reads answers, verifies callbacks; no I/O, no clock, no state but what
/// it signed and uses again. Whatever text it makes for people quotes no address, secret or content.
class notification_adapter {
public:
  using access_token = writer::access_token;

  virtual ~notification_adapter() = default;

  [[nodiscard]] virtual const adapter_traits& traits() const noexcept = 0;

  /// Why this could never be sent, when the notification is made: content that lacks what the channel needs
  /// or is over the provider's limits. Sentences with the field and what is allowed; empty: it can.
  [[nodiscard]] virtual std::vector<std::string> faults_of(const core::submission_order& order) const = 0;

  /// The request of one attempt; a submission where there is none to make (an address it cannot read:
  /// rejected).
  [[nodiscard]] virtual std::expected<core::http_request, core::submission>
  build(const core::submission_order& order, core::timestamp now, std::string_view access_token) const = 0;

  [[nodiscard]] virtual core::submission read(const core::submission_order& order,
                                              const core::http_answer& answer, core::timestamp now) const = 0;

  /// The same order once more, at once, where the answer shows that only our clock was wrong. Asked at most
  /// once an attempt.
  [[nodiscard]] virtual std::optional<core::timestamp> corrected_time(const core::http_answer&) const {
    return std::nullopt;
  }

  /// `public_url` is the address this profile's callbacks are sent to, as the settings have it.
  [[nodiscard]] virtual callback_verdict verify(const core::callback_request& callback,
                                                const known_certificates& certificates,
                                                core::timestamp now) const = 0;

  /// A report that comes by other ways than a callback and shows by nothing that it is the provider's:
  /// whoever asks knows where it is from. `unexpected_sender`: this provider's come by callbacks alone.
  [[nodiscard]] virtual std::expected<std::vector<core::provider_event>, core::callback_refusal>
  read_report(std::string_view) const {
    return std::unexpected{core::callback_refusal{core::callback_refusal_kind::unexpected_sender,
                                                  "this provider's reports come by callbacks alone"}};
  }

  /// Nothing: this provider cannot be asked. Nothing is inferred from that.
  [[nodiscard]] virtual std::optional<core::http_request>
  status_query(const status_question& question) const = 0;
  [[nodiscard]] virtual status_answer read_status(const status_question& question,
                                                  const core::http_answer& answer) const = 0;

  /// An access token made here, where the provider takes one that is signed with the profile's own key: no
  /// request is made for it. Held and shared like one that was asked for, until it has lived its lifetime.
  [[nodiscard]] virtual std::optional<access_token> local_token(core::timestamp) const {
    return std::nullopt;
  }

  /// Whether the answer refuses the access token itself, so that another is to be got before the next
  /// request.
  [[nodiscard]] virtual bool refuses_token(const core::http_answer&, std::string_view /*access_token*/,
                                           core::timestamp) const {
    return false;
  }

  /// Nothing where a token is made here, and where none is needed.
  [[nodiscard]] virtual std::optional<core::http_request> token_request(core::timestamp now) const = 0;
  [[nodiscard]] virtual std::expected<access_token, core::submission>
  read_token(const core::http_answer& answer) const = 0;
};

/// What surrounds a profile.
struct adapter_surroundings {
  std::string callback_url; ///< the public address of this profile's callbacks; empty: it gets none
};

/// Makes the adapter of a profile. The error lists every fault of the settings or the credentials, each a
/// sentence with its key and what is allowed.
[[nodiscard]] std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_notification_adapter(const core::provider_profile& profile, const adapter_surroundings& around);

} // namespace sluice::providers
