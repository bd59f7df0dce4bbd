#include "core/mirror_fault.hpp"

#include <catch2/catch.hpp>

using namespace sluice::core;
using namespace std::chrono_literals;

namespace {

constexpr timestamp now{1'800'000'000s};

mirror_record sound() {
  mirror_record record;
  record.source_id = "1";
  record.payload = R"({"name":"Ada"})";
  record.content_changed_at = now - 1s;
  return record;
}

std::vector<mirror_fault> found(auto change) {
  auto record = sound();
  change(record);
  return faults_of(record, now);
}

using only = std::vector<mirror_fault>;

} // namespace

TEST_CASE("a record written as it should be has no fault, alive or deleted") {
  CHECK(faults_of(sound(), now).empty());
  CHECK(found([](mirror_record& r) {
          r.deleted_at = now;
          r.reason = deletion_reason::source_event;
        }).empty());
}

TEST_CASE("a payload that is no JSON, no UTF-8 or holds a NUL is a fault, a large one is not") {
  for (const std::string payload : {"{", "", "{\"a\":\"\xff\"}", R"({"a":"\u0000"})"})
    CHECK(found([&](mirror_record& r) { r.payload = payload; }) == only{mirror_fault::payload});
  CHECK(found([](mirror_record& r) {
          r.payload = '"' + std::string(std::size_t{2} << 20, 'x') + '"';
        }).empty());
}

TEST_CASE("a source id has 1 to 512 bytes") {
  CHECK(found([](mirror_record& r) { r.source_id = ""; }) == only{mirror_fault::source_id});
  CHECK(found([](mirror_record& r) { r.source_id = std::string(513, 'x'); })
        == only{mirror_fault::source_id});
  CHECK(found([](mirror_record& r) { r.source_id = std::string(512, 'x'); }).empty());
}

TEST_CASE("a change signal in seconds or milliseconds is found by its size") {
  const auto seconds = now.time_since_epoch() / 1s;
  CHECK(found([&](mirror_record& r) { r.content_changed_at = timestamp{duration{seconds}}; })
        == only{mirror_fault::signal_unit});
  CHECK(found([&](mirror_record& r) { r.content_changed_at = timestamp{duration{seconds * 1000}}; })
        == only{mirror_fault::signal_unit});
}

TEST_CASE("a change signal may be ahead of the clock by a minute and no more") {
  CHECK(found([](mirror_record& r) { r.content_changed_at = now + signal_ahead_max; }).empty());
  CHECK(found([](mirror_record& r) { r.content_changed_at = now + signal_ahead_max + 1us; })
        == only{mirror_fault::signal_ahead});
}

TEST_CASE("a tombstone has a reason, a record that lives has none") {
  CHECK(found([](mirror_record& r) { r.deleted_at = now; }) == only{mirror_fault::tombstone_mute});
  CHECK(found([](mirror_record& r) { r.reason = deletion_reason::disconnect; })
        == only{mirror_fault::reason_on_live});
}

TEST_CASE("several faults of one record are all told") {
  CHECK(found([](mirror_record& r) {
          r.payload = "x";
          r.source_id = "";
        })
        == only{mirror_fault::payload, mirror_fault::source_id});
}
