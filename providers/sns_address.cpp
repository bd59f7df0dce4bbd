#include "providers/sns_address.hpp"

#include "core/outside_address.hpp"
#include "providers/text_encoding.hpp"

#include <algorithm>
#include <array>

namespace sluice::providers {

namespace {

constexpr std::size_t region_bytes_max = 32;
constexpr std::size_t topic_name_bytes_max = 256; // CreateTopic, SNS API
constexpr std::size_t fingerprint_bytes_max = 128;

bool is_lower_or_digit(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool take(std::string_view& text, std::string_view prefix) noexcept {
  if (!text.starts_with(prefix)) {
    return false;
  }
  text.remove_prefix(prefix.size());
  return true;
}

/// What AWS's names end in where the region is.
std::string_view suffix_of(std::string_view region) noexcept {
  return region.starts_with("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com";
}

struct sns_url {
  std::string_view region; ///< empty: the URL is not at SNS
  std::string_view rest;   ///< from the path's slash on
};

sns_url split(std::string_view url) noexcept {
  if (url.size() > core::outside_url_bytes_max || !take(url, "https://sns.")) {
    return {};
  }
  const auto region = url.substr(0, url.find('.'));
  url.remove_prefix(region.size());
  if (!is_region(region) || !take(url, suffix_of(region)) || !url.starts_with('/')) {
    return {};
  }
  return {region, url};
}

/// Whether the field is there exactly once, with this value.
bool has_once(const form_fields& fields, std::string_view name, std::string_view value) {
  const auto is_it = [&](const auto& field) { return field.first == name; };
  const auto found = std::ranges::find_if(fields, is_it);
  return std::ranges::count_if(fields, is_it) == 1 && found->second == value;
}

} // namespace

bool is_region(std::string_view text) noexcept {
  return text.size() <= region_bytes_max && !text.empty() && text.front() >= 'a' && text.front() <= 'z'
         && text.back() >= '0' && text.back() <= '9' && text.find('-') != std::string_view::npos
         && text.find("--") == std::string_view::npos
         && std::ranges::all_of(text, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

bool is_topic_arn(std::string_view text) noexcept {
  std::array<std::string_view, 6> parts;
  for (std::size_t index = 0; index < parts.size(); ++index) {
    const auto end = index + 1 < parts.size() ? text.find(':') : text.size();
    if (end == std::string_view::npos) {
      return false;
    }
    parts.at(index) = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  const auto& [arn, partition, service, region, account, name] = parts;
  const bool named =
      !name.empty() && name.size() <= topic_name_bytes_max && std::ranges::all_of(name, [](char c) {
        return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
      });
  return arn == "arn" && partition.starts_with("aws") && service == "sns" && is_region(region)
         && account.size() == 12 && std::ranges::all_of(account, [](char c) { return c >= '0' && c <= '9'; })
         && named;
}

bool is_certificate_address(std::string_view url) noexcept {
  auto [region, rest] = split(url);
  if (region.empty() || !take(rest, "/SimpleNotificationService-") || !rest.ends_with(".pem")) {
    return false;
  }
  rest.remove_suffix(4);
  return !rest.empty() && rest.size() <= fingerprint_bytes_max && std::ranges::all_of(rest, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
}

bool is_confirmation_address(std::string_view url, std::string_view topic, std::string_view token) {
  auto [region, rest] = split(url);
  if (region.empty() || token.empty() || !take(rest, "/?") || !core::is_url_text(rest)) {
    return false;
  }
  const auto fields = parse_form(rest);
  return has_once(fields, "Action", "ConfirmSubscription") && has_once(fields, "TopicArn", topic)
         && has_once(fields, "Token", token);
}

std::vector<std::string> certificate_names(std::string_view url) {
  const std::string region{split(url).region};
  const std::string suffix{suffix_of(region)};
  std::vector<std::string> names{"sns" + suffix, "sns." + region + suffix, "sns-signing." + region + suffix,
                                 "sns-" + region + suffix};
  if (region == "us-gov-east-1") {
    names.push_back("sns-us-gov-west-1" + suffix); // both of GovCloud's regions sign with the same one
  }
  return names;
}

} // namespace sluice::providers
