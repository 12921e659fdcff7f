// Generators are found by lab folder, without anybody naming them.
#include "catch.h"
#include "datasets/dataset.h"

using namespace cudalabs::datasets;

namespace {

Case empty_case(const CaseSpec&, std::uint64_t) {
  return {};
}

}  // namespace

TEST_CASE("a generator is found by its lab's folder, and only by that") {
  CHECK(generator_for("lab3_naive_matmul") != nullptr);
  CHECK(generator_for("lab4_tiled_matmul") != nullptr);
  CHECK(generator_for("lab3") == nullptr);
  CHECK(generator_for("") == nullptr);
  CHECK(generator_for("lab0_nothing") == nullptr);
}

TEST_CASE("a second generator for a folder is refused") {
  const RegisterGenerator first("test_only", empty_case);
  CHECK(generator_for("test_only") == empty_case);
  CHECK_THROWS_AS(RegisterGenerator("test_only", empty_case), std::logic_error);
}
