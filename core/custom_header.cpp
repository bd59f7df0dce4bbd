#include "core/custom_header.hpp"

#include "core/error_text.hpp"
#include "core/header_field.hpp"

#include <algorithm>
#include <array>

namespace sluice::core {

namespace {

constexpr std::array<std::string_view, 9> credential_names{
    "authorization", "proxy-authorization", "cookie",   "x-api-key",     "api-key",
    "apikey",        "x-auth-token",        "x-secret", "x-access-token"};

constexpr std::size_t name_bytes_max = 128;

std::string quoted(std::string_view text) {
  return '"' + error_text(std::string{text}, name_bytes_max) + '"';
}

/// Headers of which the push itself has one.
bool is_of_the_push(std::string_view name) noexcept {
  constexpr std::string_view prefix = "webhook-";
  return equal_header_names(name.substr(0, prefix.size()), prefix) || equal_header_names(name, "content-type")
         || equal_header_names(name, "content-encoding");
}

std::string fault_of(const custom_header& header) {
  if (!is_header_name(header.name) || header.name.size() > name_bytes_max)
    return quoted(header.name) + " is no header name; allowed are 1 to " + std::to_string(name_bytes_max)
           + " letters, digits and signs of !#$%&'*+-.^_`|~";
  if (is_transport_header(header.name) || is_of_the_push(header.name))
    return quoted(header.name) + " is a header the push sets itself";
  if (!is_header_value(header.value) || header.value.size() > custom_header_bytes_max)
    return "the value of " + quoted(header.name) + " is no header value; allowed are at most "
           + std::to_string(custom_header_bytes_max) + " printable ASCII characters";
  return {};
}

} // namespace

bool is_secret(const custom_header& header) noexcept {
  return header.secret || std::ranges::any_of(credential_names, [&](std::string_view name) {
           return equal_header_names(name, header.name);
         });
}

std::vector<custom_header> masked(std::vector<custom_header> headers) {
  for (auto& header : headers) {
    header.secret = is_secret(header);
    if (header.secret)
      header.value = masked_value;
  }
  return headers;
}

std::vector<std::string> custom_header_faults(const std::vector<custom_header>& headers) {
  if (headers.size() > custom_headers_max)
    return {std::to_string(headers.size()) + " headers are named, allowed are "
            + std::to_string(custom_headers_max)};
  std::vector<std::string> faults;
  for (auto header = headers.begin(); header != headers.end(); ++header) {
    const bool again = std::any_of(headers.begin(), header, [&](const custom_header& before) {
      return equal_header_names(before.name, header->name);
    });
    if (auto fault = again ? quoted(header->name) + " is named twice" : fault_of(*header); !fault.empty())
      faults.push_back(std::move(fault));
  }
  return faults;
}

} // namespace sluice::core
