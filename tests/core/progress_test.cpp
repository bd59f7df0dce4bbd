#include "core/progress.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <rapidcheck.h>
#include <vector>

using namespace sluice::core;

namespace {

position place(std::int64_t number) {
  return {from_us(number / 3), record_id{number}}; // three records share each time
}

} // namespace

TEST_CASE("nothing passes before the first record is concluded") {
  progress stream;
  const auto first = stream.add(place(1));
  const auto second = stream.add(place(2));
  stream.conclude(second);
  CHECK_FALSE(stream.advance());
  CHECK(stream.pending());
  stream.conclude(first);
  CHECK(stream.advance() == place(2));
  CHECK_FALSE(stream.pending());
  CHECK_FALSE(stream.advance());
}

TEST_CASE("a stretch that was left out passes with what stands before it") {
  progress stream;
  const auto only = stream.add(place(1));
  stream.add_concluded(place(9));
  CHECK_FALSE(stream.advance());
  stream.conclude(only);
  CHECK(stream.advance() == place(9));
}

TEST_CASE("concluding twice counts once") {
  progress stream;
  const auto first = stream.add(place(1));
  const auto second = stream.add(place(2));
  stream.conclude(first);
  stream.conclude(first);
  CHECK(stream.pending());
  stream.conclude(second);
  CHECK_FALSE(stream.pending());
}

TEST_CASE("in whatever order records are concluded, the cursor never passes an open one") {
  CHECK(rc::check([] {
    const auto count = *rc::gen::inRange<std::size_t>(1, 60);
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    progress stream;
    std::vector<progress::ticket> order;
    for (std::size_t i = 0; i < count; ++i)
      order.push_back(stream.add(place(static_cast<std::int64_t>(i))));
    std::ranges::shuffle(order, std::mt19937{seed});
    std::vector<bool> concluded(count);
    std::size_t passed = 0;
    for (const auto ticket : order) {
      stream.conclude(ticket);
      concluded[ticket] = true;
      if (const auto to = stream.advance())
        passed = static_cast<std::size_t>(to->id.value) + 1;
      RC_ASSERT(std::all_of(concluded.begin(), concluded.begin() + static_cast<std::ptrdiff_t>(passed),
                            [](bool each) { return each; }));
      RC_ASSERT(passed == count || !concluded[passed]);
    }
    RC_ASSERT(passed == count);
  }));
}
