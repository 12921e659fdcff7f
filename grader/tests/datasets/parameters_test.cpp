// A case's parameters: what a generator takes and what it refuses, by name.
#include "datasets/parameters.h"

#include "catch.h"
#include "tests/lab/message_of.h"

using namespace cudalabs::datasets;
using cudalabs::tests::contains;
using cudalabs::tests::message_of;

namespace {

const CaseSpec kSpec{"small", "a small one", {{"n", 5}, {"whole", 1}}, {}};

}  // namespace

TEST_CASE("a parameter in range is given, its limits included") {
  CHECK(parameter(kSpec, "n", 0, 10) == 5);
  CHECK(parameter(kSpec, "n", 5, 5) == 5);
}

TEST_CASE("a parameter that is missing or out of range is refused by name") {
  CHECK(message_of([] { parameter(kSpec, "m", 0, 10); }) == "case `small`: parameter `m` is missing");
  CHECK(message_of([] { parameter(kSpec, "n", 6, 10); }) == "case `small`: parameter `n` is 5, not 6 to 10");
  CHECK(message_of([] { parameter(kSpec, "n", 0, 4); }) == "case `small`: parameter `n` is 5, not 0 to 4");
}

TEST_CASE("a parameter nobody knows is refused") {
  CHECK_NOTHROW(only_parameters(kSpec, {"whole", "n", "m"}));
  CHECK(contains(message_of([] { only_parameters(kSpec, {"n"}); }), "no parameter `whole`"));
}
