// Generators are found by name, without a list of them.
#include <algorithm>

#include "catch.h"
#include "datasets/dataset.h"

using namespace cudalabs::datasets;

namespace {

Case empty_case(const CaseSpec&, std::uint64_t) {
  return {};
}

}  // namespace

TEST_CASE("a generator is found by its name, and only by that") {
  CHECK(generator_for("matrix_product") != nullptr);
  const std::vector<std::string> names = generator_names();
  CHECK(std::ranges::find(names, "matrix_product") != names.end());
  CHECK(std::ranges::is_sorted(names));
  CHECK(generator_for("lab3") == nullptr);
  CHECK(generator_for("") == nullptr);
  CHECK(generator_for("lab0_nothing") == nullptr);
}

TEST_CASE("a second generator of one name is refused") {
  const RegisterGenerator first("test_only", empty_case);
  CHECK(generator_for("test_only") == empty_case);
  CHECK_THROWS_AS(RegisterGenerator("test_only", empty_case), std::logic_error);
}
