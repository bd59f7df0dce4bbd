#include "rest_fixture.hpp"

#include <atomic>
#include <thread>

using namespace sluice;
using namespace sluice::providers::testing;

TEST_CASE("rules on several threads share one writer") {
  const auto writer = writer_of();
  std::atomic<int> wrong = 0;
  const auto work = [&writer, &wrong](int from) {
    for (int i = from; i < from + 2000; ++i) {
      const auto id = std::to_string(i);
      const auto created =
          writer->read(order_of(core::operation::create), answer_of(201, "{\"id\":" + id + "}"));
      const auto request = writer->build(order_of(core::operation::update, id, id), "{}", "");
      wrong += created.remote_id == id && request.url.ends_with("/" + id) ? 0 : 1;
    }
  };
  {
    std::jthread first{work, 0};
    std::jthread second{work, 1'000'000};
    std::jthread third{work, 2'000'000};
  }
  CHECK(wrong == 0);
}
