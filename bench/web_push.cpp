// What a message of Web Push costs before it leaves: the whole request, encrypted (RFC 8291) and with its
// identification (RFC 8292), as the product's adapter builds it.

#include "core/notification.hpp"
#include "core/submission.hpp"
#include "crypto/encoding.hpp"
#include "crypto/p256.hpp"
#include "crypto/random.hpp"
#include "providers/notification_adapter.hpp"

#include <benchmark/benchmark.h>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::bench {
namespace {

constexpr std::size_t browsers = 1'000;
constexpr std::size_t secret_bytes = 16; // RFC 8291 section 3.2

template <class T>
T must(std::optional<T> made) {
  if (!made) {
    std::fprintf(stderr, "sluice_bench_web_push: OpenSSL refused to make a key\n");
    std::exit(1);
  }
  return *std::move(made);
}

std::string text_of_about_300_bytes() {
  std::string text = "Your order is on its way. ";
  while (text.size() < 300)
    text += "It arrives between nine and eleven. ";
  return text;
}

/// Each browser has a key of its own, and one of eight push services.
std::vector<core::submission_order> make_orders() {
  std::vector<core::submission_order> orders;
  for (std::size_t number = 0; number < browsers; ++number) {
    const auto key = must(crypto::p256_key::generate());
    core::submission_order order;
    order.notification_id = crypto::uuid_v7(std::chrono::sys_time<std::chrono::microseconds>{});
    order.attempt_id = order.notification_id;
    order.contact.kind = core::contact_kind::web_push;
    order.contact.text = R"({"endpoint":"https://push)" + std::to_string(number % 8) + R"(.example.com/p/)"
                         + std::to_string(number) + R"(","keys":{"p256dh":")"
                         + crypto::to_base64url(key.public_key()) + R"(","auth":")"
                         + crypto::to_base64url(crypto::random_bytes(secret_bytes)) + R"("}})";
    order.content.title = "Parcel";
    order.content.text = text_of_about_300_bytes();
    orders.push_back(std::move(order));
  }
  return orders;
}

const std::vector<core::submission_order>& orders() {
  static const auto made = make_orders();
  return made;
}

std::shared_ptr<const providers::notification_adapter> make_adapter() {
  core::provider_profile profile;
  profile.provider = core::provider_kind::web_push;
  profile.settings = R"({"subject": "mailto:push@example.com"})";
  profile.credentials = R"({"private_key": "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"})";
  auto made = providers::make_notification_adapter(profile, {});
  return must(made ? std::optional(*std::move(made)) : std::nullopt);
}

void whole_request(benchmark::State& state) {
  const auto adapter = make_adapter();
  const auto now = std::chrono::time_point_cast<core::duration>(std::chrono::system_clock::now());
  std::size_t number = 0;
  for (auto _ : state) {
    auto request = adapter->build(orders()[number++ % browsers], now, {});
    if (!request)
      state.SkipWithError("the adapter built no request");
    benchmark::DoNotOptimize(request);
  }
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(whole_request);

} // namespace
} // namespace sluice::bench

BENCHMARK_MAIN();
