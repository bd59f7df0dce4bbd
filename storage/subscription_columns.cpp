#include "storage/subscription_columns.hpp"

#include "crypto/seal.hpp"
#include "storage/seal_places.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace sluice::storage {
namespace {

using nlohmann::json;

std::string sealed(const std::string& plain, const std::string& place, const crypto::key_ring& keys) {
  auto text = crypto::seal(keys, plain, place);
  if (!text)
    throw abandoned{{error::sealed, "What a subscription keeps secret cannot be sealed: "
                                        + std::string(crypto::to_string(text.error())) + "."}};
  return std::move(*text);
}

std::string opened(const std::string& text, const std::string& place, const crypto::key_ring& keys) {
  auto plain = crypto::open(keys, text, place);
  if (!plain)
    throw abandoned{{error::sealed, "What a subscription keeps secret cannot be opened: "
                                        + std::string(crypto::to_string(plain.error())) + "."}};
  return std::move(*plain);
}

std::vector<core::custom_header> open_headers(const core::subscription& of, const std::string& stored,
                                              const crypto::key_ring& keys) {
  std::vector<core::custom_header> headers;
  if (stored.empty())
    return headers;
  for (const auto& one : json::parse(opened(stored, headers_place(of.public_id), keys)))
    headers.push_back({one.at("name"), one.at("value"), one.at("secret")});
  return headers;
}

} // namespace

void subscription_target::bind(query& rows) {
  rows.into(row_.id).into(row_.public_id).into(row_.tenant).into(row_.name).into(mode_).into(row_.url);
  rows.into(event_types_).into(row_.filter).into(row_.ordered_by).into(headers_).into(row_.access_accepted);
  rows.into(status_).into(cause_).into(row_.status_reason).into(row_.stopped);
  rows.into(row_.consecutive_dead);
  rows.into(row_.starts_after).into(row_.cursor).into(row_.offered).into(row_.revision);
  rows.into(row_.created_at).into(row_.updated_at);
}

core::subscription subscription_target::take(const crypto::key_ring& keys) {
  auto taken = row_;
  taken.mode = known(core::parse_subscription_mode(mode_), "subscriptions.mode");
  taken.status = known(core::parse_subscription_status(status_), "subscriptions.status");
  taken.cause.reset();
  if (cause_)
    taken.cause = known(core::parse_disable_cause(*cause_), "subscriptions.status_cause");
  taken.event_types = read_text_list(event_types_, "subscriptions.event_types");
  taken.headers = open_headers(taken, headers_, keys);
  return taken;
}

std::string text_list(const std::vector<std::string>& texts) {
  return json(texts).dump();
}

std::vector<std::string> read_text_list(const std::string& stored, std::string_view column) {
  const auto list = json::parse(stored, nullptr, false);
  std::vector<std::string> texts;
  const bool whole = list.is_array() && std::ranges::all_of(list, [&](const json& one) {
                       if (one.is_string())
                         texts.push_back(one);
                       return one.is_string();
                     });
  return known(whole ? std::optional(std::move(texts)) : std::nullopt, column);
}

std::string seal_headers(const core::subscription& of, const crypto::key_ring& keys) {
  if (of.headers.empty())
    return {};
  auto list = json::array();
  for (const auto& one : of.headers)
    list.push_back({{"name", one.name}, {"value", one.value}, {"secret", one.secret}});
  return sealed(list.dump(), headers_place(of.public_id), keys);
}

std::string seal_secret(const std::string& public_id, const std::string& secret,
                        const crypto::key_ring& keys) {
  return sealed(secret, secret_place(public_id), keys);
}

std::string open_secret(const std::string& public_id, const std::string& sealed_text,
                        const crypto::key_ring& keys) {
  return opened(sealed_text, secret_place(public_id), keys);
}

} // namespace sluice::storage
