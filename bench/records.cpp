#include "bench/records.hpp"

#include <array>
#include <cstdio>

namespace sluice::bench {
namespace {

constexpr std::array<std::string_view, 16> first_names{
    "Amelia", "Bruno", "Chiara", "Dmitri", "Elif",  "Farid", "Greta", "Hana",
    "Ivar",   "Jonas", "Katya",  "Liam",   "Marta", "Nadia", "Oskar", "Pilar"};
constexpr std::array<std::string_view, 16> last_names{
    "Andersson", "Bianchi", "Castillo", "Dubois", "Eriksen", "Fischer", "Gruber", "Horvat",
    "Ivanova",   "Jensen",  "Kowalska", "Lindt",  "Moreau",  "Novak",   "Okafor", "Petrov"};
constexpr std::array<std::string_view, 8> cities{"Antwerp",   "Bergen",   "Coimbra", "Dresden",
                                                 "Eindhoven", "Florence", "Graz",    "Helsinki"};
constexpr std::array<std::string_view, 4> segments{"retail", "wholesale", "partner", "trial"};

/// The finaliser of SplitMix64: neighbours get unlike values, no state is kept.
std::uint64_t scramble(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31U);
}

/// Takes the next `bits` bits of a scrambled value.
std::uint64_t take(std::uint64_t& value, unsigned bits) {
  const std::uint64_t taken = value & ((1ULL << bits) - 1);
  value >>= bits;
  return taken;
}

} // namespace

std::string make_source_id(std::uint64_t number) {
  std::array<char, 24> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "c%08llu", static_cast<unsigned long long>(number));
  return {text.data(), static_cast<std::size_t>(length)};
}

customer_record make_record(std::uint64_t number) {
  std::uint64_t bits = scramble(number);
  const auto first = first_names[take(bits, 4)];
  const auto last = last_names[take(bits, 4)];
  const auto city = cities[take(bits, 3)];
  const auto segment = segments[take(bits, 2)];
  const auto phone = take(bits, 20);
  const auto postal_code = 10000 + take(bits, 16);
  const bool subscribed = take(bits, 1) != 0;
  const auto cents = take(bits, 14);

  customer_record record;
  record.source_id = make_source_id(number);
  std::array<char, 512> text{};
  const int length = std::snprintf(
      text.data(), text.size(),
      R"({"id":"%s","email":"%.*s.%.*s.%llu@example.com","first_name":"%.*s","last_name":"%.*s",)"
      R"("phone":"+49301%07llu","street":"%.*s street %llu","postal_code":"%llu","city":"%.*s","country":"EU",)"
      R"("segment":"%.*s","subscribed":%s,"balance":%llu.%02llu,"note":"customer of the benchmark, made from its number"})",
      record.source_id.c_str(), static_cast<int>(first.size()), first.data(), static_cast<int>(last.size()),
      last.data(), static_cast<unsigned long long>(number), static_cast<int>(first.size()), first.data(),
      static_cast<int>(last.size()), last.data(), static_cast<unsigned long long>(phone),
      static_cast<int>(last.size()), last.data(), static_cast<unsigned long long>(1 + number % 200),
      static_cast<unsigned long long>(postal_code), static_cast<int>(city.size()), city.data(),
      static_cast<int>(segment.size()), segment.data(), subscribed ? "true" : "false",
      static_cast<unsigned long long>(cents / 100), static_cast<unsigned long long>(cents % 100));
  record.json.assign(text.data(), static_cast<std::size_t>(length));
  return record;
}

} // namespace sluice::bench
