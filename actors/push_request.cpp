#include "actors/push_request.hpp"

#include "core/change_event.hpp"
#include "core/header_field.hpp"
#include "providers/webhook_signature.hpp"

#include <utility>

namespace sluice::actors {

push_request_maker::push_request_maker(core::served_subscription subscription)
    : subscription_(std::move(subscription)) {
  core::header_lines lines{"Content-Type: application/json"};
  auto named_itself = false;
  for (const auto& header : subscription_.settings.headers) {
    named_itself = named_itself || core::equal_header_names(header.name, "User-Agent");
    lines.push_back(header.name + ": " + header.value);
  }
  if (!named_itself)
    lines.emplace_back("User-Agent: sluice/0.1");
  headers_ = std::make_shared<const core::header_lines>(std::move(lines));
}

std::expected<core::http_request, std::string> push_request_maker::make(const core::change_event& event,
                                                                        core::timestamp now) const {
  core::http_request request;
  request.method = "POST";
  request.url = subscription_.settings.url;
  request.common_headers = headers_;
  request.body = core::event_body(event);
  auto signature = providers::sign_webhook(event.public_id, request.body, subscription_.secrets, now);
  if (!signature)
    return std::unexpected{std::move(signature.error())};
  request.headers = std::move(*signature);
  return request;
}

bool push_request_maker::made_of(const core::served_subscription& found) const {
  return found.settings.revision == subscription_.settings.revision
         && found.settings.url == subscription_.settings.url && found.secrets == subscription_.secrets;
}

bool may_push(const core::subscription& to) noexcept {
  return to.mode == core::subscription_mode::push && to.status == core::subscription_status::active
         && to.access_accepted;
}

} // namespace sluice::actors
