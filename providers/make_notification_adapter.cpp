#include "providers/apns_adapter.hpp"
#include "providers/fcm_adapter.hpp"
#include "providers/notification_adapter.hpp"
#include "providers/ses_adapter.hpp"
#include "providers/smtp_adapter.hpp"
#include "providers/twilio_adapter.hpp"
#include "providers/web_push_adapter.hpp"
#include "providers/webhook_adapter.hpp"

namespace sluice::providers {

std::expected<std::shared_ptr<const notification_adapter>, std::vector<std::string>>
make_notification_adapter(const core::provider_profile& profile, const adapter_surroundings& around) {
  switch (profile.provider) {
  case core::provider_kind::ses:
    return make_ses_adapter(profile, around);
  case core::provider_kind::twilio:
    return make_twilio_adapter(profile, around);
  case core::provider_kind::fcm:
    return make_fcm_adapter(profile, around);
  case core::provider_kind::apns:
    return make_apns_adapter(profile, around);
  case core::provider_kind::web_push:
    return make_web_push_adapter(profile, around);
  case core::provider_kind::smtp:
    return make_smtp_adapter(profile, around);
  case core::provider_kind::webhook:
    return make_webhook_adapter(profile, around);
  }
  return std::unexpected{std::vector<std::string>{"the provider is none of those known"}};
}

} // namespace sluice::providers
