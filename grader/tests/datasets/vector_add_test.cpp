// Two arrays and their sum: exact, distinct in every place, and all or nothing where a call is made to fail.
#include <cmath>
#include <set>
#include <vector>

#include "catch.h"
#include "datasets/array.h"
#include "datasets/dataset.h"
#include "tests/lab/message_of.h"

using namespace cudalabs::datasets;
using cudalabs::tests::contains;
using cudalabs::tests::message_of;

namespace {

Case make_vectors(std::map<std::string, std::int64_t> parameters, Faults faults = {}) {
  CaseSpec spec{"x", "x", std::move(parameters), {}};
  spec.faults = faults;
  return generator_for("vector_add")(spec, 1);
}

}  // namespace

TEST_CASE("the reference is the sum that single precision gives, to the last bit") {
  const Case test = make_vectors({{"n", 10007}});
  const auto a = values_of<float>(test.inputs.at(0)), b = values_of<float>(test.inputs.at(1));
  for (std::size_t i = 0; i < a.size(); ++i) {
    const volatile float sum = a[i] + b[i];
    REQUIRE(test.expected.at(0).value[i] == sum);
    REQUIRE(test.expected.at(0).bound[i] == 0);
  }
}

TEST_CASE("no place holds what another does, so that a wrong index is a wrong value") {
  const Case test = make_vectors({{"n", 10007}});
  const std::vector<double>& c = test.expected.at(0).value;
  CHECK(std::set(c.begin(), c.end()).size() > c.size() - c.size() / 100);
  std::size_t same = 0;
  for (std::size_t i = 0; i + 1 < c.size(); ++i) same += c[i] == c[i + 1] ? 1 : 0;
  CHECK(same == 0);
  CHECK(values_of<float>(test.inputs.at(0)) != values_of<float>(test.inputs.at(1)));
}

TEST_CASE("the arrays have signs and outliers") {
  const auto a = values_of<float>(make_vectors({{"n", 10007}}).inputs.at(0));
  std::size_t negative = 0, outliers = 0;
  for (const float value : a) {
    negative += value < 0 ? 1 : 0;
    outliers += std::abs(value) > 3 ? 1 : 0;
  }
  CHECK(negative > a.size() / 5);
  CHECK(negative < a.size() / 2);
  CHECK(outliers > a.size() / 122);
  CHECK(outliers < a.size() / 30);
}

TEST_CASE("arrays of no elements are arrays") {
  const Case test = make_vectors({{"n", 0}});
  CHECK(test.inputs.at(0).elements() == 0);
  CHECK(test.expected.at(0).elements() == 0);
}

TEST_CASE("where a call is made to fail the output is all right or untouched") {
  CHECK(make_vectors({{"n", 5}}).expected.at(0).demand == Demand::value);
  CHECK(make_vectors({{"n", 5}}, {.allocation = 2, .launch = 0}).expected.at(0).demand == Demand::all_or_nothing);
  CHECK(make_vectors({{"n", 5}}, {.allocation = 0, .launch = 1}).expected.at(0).demand == Demand::all_or_nothing);
}

TEST_CASE("parameters that make no two arrays are refused by name") {
  CHECK(contains(message_of([] { make_vectors({}); }), "`n` is missing"));
  CHECK(contains(message_of([] { make_vectors({{"n", -1}}); }), "`n` is -1"));
  CHECK(contains(message_of([] { make_vectors({{"n", (1 << 24) + 1}}); }), "`n` is 16777217"));
  CHECK(contains(message_of([] { make_vectors({{"n", 5}, {"m", 1}}); }), "no parameter `m`"));
}
