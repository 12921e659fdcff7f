// A variable that keeps its value from launch to launch.
#include "explain/kept/kept_value.h"

#include "catch.h"
#include "check/causes.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

std::uint32_t line_in(const std::string& source) {
  const auto found = device_variable_of(source, "count");
  return found ? found->line : 0;
}

const KeptValue kKept{{"count", 0, "sum<int>", "3", "0"}, {"k.cu", 9, 1}};

}  // namespace

TEST_CASE("the declaration of a variable of the device is found") {
  CHECK(line_in("\n__device__ unsigned int count = 0;\n") == 2);
  CHECK(line_in("static __device__ unsigned count;\n") == 1);
  CHECK(line_in("__managed__ int count{3};\n") == 1);
  CHECK(line_in("__device__ int first, count;\n") == 1);
  CHECK(line_in("namespace {\n__device__ int count;\n}\n") == 2);
  CHECK(line_in("__device__ unsigned count[2];\n") == 1);
  CHECK(line_in("int count = 0;\n") == 0);
  CHECK(line_in("__constant__ __device__ int count;\n") == 0);
  CHECK(line_in("// __device__ int count;\n") == 0);
  CHECK(line_in("__device__ void add(int count, int n) {\n}\n") == 0);
  CHECK(line_in("__device__ int count(int n);\n") == 0);
  CHECK(line_in("__global__ void k() {\n  atomicAdd(&count, 1);\n}\n") == 0);
  CHECK(line_in("#if 1\n__device__ int count;\n#else\n__device__ int count;\n#endif\n") == 0);
}

TEST_CASE("the declaration is blamed, and the launch is shown") {
  MergedFinding made{leftover_value(kKept), {}};
  CHECK(made.id == finding_ids::kLeftoverValue);
  CHECK(made.message == "`count` was 3, not 0, when a launch of `sum` began");
  CHECK(made.where.line == 9);
  CHECK(made.help.starts_with("set it back to 0"));
  MergedFinding undeclared = made;
  place_at_variable(made, "__device__ int count;\n");
  CHECK(made.where == SourcePlace{"k.cu", 1, 16});
  REQUIRE(made.other);
  CHECK(made.other->label == "it was 3 when this launch began");
  CHECK(made.other->place.line == 9);
  place_at_variable(undeclared, "int main() {}\n");
  CHECK(undeclared.where.line == 9);
  CHECK_FALSE(undeclared.other);
}

TEST_CASE("the only line of a kernel that changes the variable is shown, and how a counter wraps") {
  const std::string begin = "__device__ unsigned count;\n__global__ void sum() {\n", end = "\n}\n";
  const auto made = [&](const std::string& body, const KeptValue& kept = kKept) {
    MergedFinding finding{leftover_value(kept), {}};
    place_at_variable(finding, begin + body + end);
    return finding;
  };
  const MergedFinding wraps = made("  last = atomicInc(&count, gridDim.x) == gridDim.x - 1;");
  REQUIRE(wraps.other);
  CHECK(wraps.other->place.line == 3);
  CHECK(wraps.note.starts_with("it was 3 when the launch in line 9 began\n"));
  CHECK(wraps.help ==
        "`atomicInc` with the limit `gridDim.x` is back at 0 only after `gridDim.x` + 1 calls: for `gridDim.x` calls "
        "in each launch, the limit is `gridDim.x - 1`");
  const MergedFinding adds = made("  atomicAdd(&count, 1);");
  CHECK(adds.other->place.line == 3);
  CHECK(adds.help.starts_with("set it back to 0"));
  CHECK(made("  atomicInc(&count, gridDim.x - 1);").help.starts_with("set it back to 0"));
  CHECK(made("  atomicInc(&count, gridDim.x);", {{"count", 0, "sum", "3", "1"}, {"k.cu", 9, 1}})
            .help.starts_with("set it back to 1"));
  CHECK(made("  atomicAdd(&count, 1);\n  if (last) count = 0;").other->place.line == 9);
}

TEST_CASE("all that is wrong in such a case follows from the value, and nothing in others") {
  const Finding race = finding("global-race", 5), warning = finding("memory-leak", 6, Severity::warning);
  const std::vector<CaseFindings> left = causes({{race, leftover_value(kKept), warning}, {race}});
  REQUIRE(left.size() == 2);
  REQUIRE(left[0].size() == 2);
  CHECK(left[0][0].id == finding_ids::kLeftoverValue);
  CHECK(left[0][1].id == "memory-leak");
  CHECK(left[1].size() == 1);
  for (const Fault fault : {Fault::wrong, Fault::unwritten, Fault::nonfinite})
    CHECK(follows(fault, {leftover_value(kKept)}));
}
