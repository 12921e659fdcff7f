// Which races are told as one.
#include "sanitizer/joined_races.h"

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::sanitizer;

namespace {

Finding race_of(std::uint32_t line, std::uint32_t other_line) {
  Finding race;
  race.id = "shared-race";
  race.message = "this read races";
  race.where.file = "histogram.cu";
  race.where.line = line;
  race.kernel = "histogram<int>";
  race.count = 3;
  race.note = "element 0";
  race.other.emplace();
  race.other->place.file = "histogram.cu";
  race.other->place.line = other_line;
  race.access.shared_array = "bins";
  return race;
}

}  // namespace

TEST_CASE("races that one statement causes are told once") {
  Finding second = race_of(8, 8), third = race_of(8, 8);
  second.message = "this write races";
  second.count = 40;
  third.kernel = "histogram<long>";
  const std::vector<Finding> joined = join_races({race_of(8, 8), second, third});
  REQUIRE(joined.size() == 1);
  CHECK(joined[0].message == "this read races");
  CHECK(joined[0].count == 46);
  CHECK(joined[0].note == "element 0\n2 more pairs of accesses of these lines race, for the same cause");
  CHECK(join_races({race_of(8, 8), second})[0].note ==
        "element 0\n1 more pair of accesses of these lines races, for the same cause");
}

TEST_CASE("races of other lines, arrays, kernels or kinds are told apart, and so is everything else") {
  Finding array = race_of(8, 8), kernel = race_of(8, 8), kind = race_of(8, 8), lineless = race_of(0, 8);
  array.access.shared_array = "sums";
  kernel.kernel = "other";
  kind.id = "global-race";
  Finding leak = race_of(8, 8);
  leak.id = "memory-leak";
  const std::vector<Finding> all{race_of(8, 8), race_of(8, 9), race_of(9, 8), array, kernel,
                                 kind,          lineless,      lineless,      leak,  leak};
  CHECK(join_races(all) == all);
  CHECK(join_races({}).empty());
}
