// Lab 6: what a launch costs the host is in the case, and not to be known before.
#include <map>
#include <set>
#include <string>

#include "catch.h"
#include "datasets/dataset.h"
#include "tests/lab/message_of.h"

using namespace cudalabs::datasets;
using cudalabs::tests::contains;
using cudalabs::tests::message_of;

namespace {

Case make_timing(std::map<std::string, std::int64_t> parameters, std::uint64_t seed = 1) {
  return generator_for("timing")({"x", "x", std::move(parameters), {}}, seed);
}

std::int64_t host_us(std::int64_t least, std::uint64_t seed) {
  return make_timing({{"function", 1}, {"rounds", 10}, {"host_us", least}}, seed).spec.parameters.at("host_us");
}

}  // namespace

TEST_CASE("a launch costs the host what the case says, and up to half of that again by the seed") {
  std::set<std::int64_t> costs;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::int64_t cost = host_us(60000, seed);
    CHECK(cost >= 60000);
    CHECK(cost < 90000);
    CHECK(cost == host_us(60000, seed));
    costs.insert(cost);
  }
  CHECK(costs.size() > 40);
}

TEST_CASE("without a cost the runner is told that there is none") {
  CHECK(make_timing({{"function", 2}, {"rounds", 10}}).spec.parameters.at("host_us") == 0);
}

TEST_CASE("work that is older than the call is as long as the case says, and none by itself") {
  CHECK(make_timing({{"function", 1}, {"rounds", 10}}).spec.parameters.at("older_rounds") == 0);
  CHECK(make_timing({{"function", 1}, {"rounds", 10}, {"older_rounds", 99}}).spec.parameters.at("older_rounds") == 99);
  CHECK(contains(message_of([] {
                   make_timing({{"function", 1}, {"rounds", 10}, {"older_rounds", -1}});
                 }),
                 "`older_rounds`"));
}

TEST_CASE("a call that follows gives back a time of its own, and none does where the case does not say so") {
  const Case once = make_timing({{"function", 1}, {"rounds", 10}});
  CHECK(once.spec.parameters.at("later_rounds") == 0);
  CHECK(once.expected.back().name == "values");
  const Case twice = make_timing({{"function", 1}, {"rounds", 10}, {"later_rounds", 20}});
  CHECK(twice.expected.size() == once.expected.size() + 1);
  CHECK(twice.expected.back().name == "later_milliseconds");
  CHECK(contains(message_of([] {
                   make_timing({{"function", 1}, {"rounds", 10}, {"later_rounds", -1}});
                 }),
                 "`later_rounds`"));
}

TEST_CASE("a cost that is out of range is refused") {
  CHECK(contains(message_of([] { host_us(1, 1); }), "`host_us` is 1"));
  CHECK(contains(message_of([] { host_us(100'001, 1); }), "`host_us` is 100001"));
}
