// The name of a variable that was never given a value.
#include "explain/places/unset_variable.h"

#include <algorithm>
#include <string>
#include <utility>

#include "catch.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;

namespace {

/// The name that is found for the last line of this body, and the line of its declaration: 2 is the body's first.
std::pair<std::string, std::uint32_t> unset_in(const std::string& body) {
  const std::string source = "__global__ void k(const float* a, float* c, int n) {\n" + body;
  const auto line = static_cast<std::uint32_t>(std::count(source.begin(), source.end(), '\n'));
  const auto found = unset_variable_in(source + "}\n", line);
  return found ? std::pair{found->names.at(0), found->line} : std::pair{std::string(), 0u};
}

using NameAndLine = std::pair<std::string, std::uint32_t>;

}  // namespace

TEST_CASE("the one variable of a line that was declared without a value is found") {
  CHECK(unset_in("  float sum;\n  for (int k = 0; k < n; ++k) sum += a[k];\n") == NameAndLine("sum", 2));
  CHECK(unset_in("  int i = 0;\n  float x, sum;\n  sum += a[i];\n") == NameAndLine("sum", 3));
  CHECK(unset_in("  float sum;\n  if (n > 3) sum = 0;\n  c[0] = sum;\n") == NameAndLine("sum", 2));
  CHECK(unset_in("  unsigned int i;\n  c[i] = 0;\n") == NameAndLine("i", 2));
  CHECK(unset_in("  int i;\n  float sum;\n  for (i = 0; i < n; ++i) {\n    sum += a[i];\n") == NameAndLine("sum", 3));
  CHECK(unset_in("  float sum = 1;\n  {\n  float sum;\n  sum += a[0];\n") == NameAndLine("sum", 4));
}

TEST_CASE("no variable is named where it is not known which one it is") {
  CHECK(unset_in("  float sum = 0;\n  sum += a[0];\n") == NameAndLine());
  CHECK(unset_in("  // float sum;\n  sum += a[0];\n") == NameAndLine());
  CHECK(unset_in("  float x;\n  float y;\n  c[0] = x + y;\n") == NameAndLine());
  CHECK(unset_in("  float v[4];\n  int i;\n  i = n;\n  c[i] = v[2];\n") == NameAndLine());
  CHECK(unset_in("  float v[2][2];\n  c[0] = v[n][1];\n") == NameAndLine());
  CHECK(unset_in("  f(n, sum);\n  sum += a[0];\n") == NameAndLine());
  CHECK(unset_in("  return sum;\n  sum += a[0];\n") == NameAndLine());
  CHECK(unset_in("  n, sum;\n  sum += a[0];\n") == NameAndLine());
  CHECK(unset_in("  __shared__ float sum;\n  sum += a[0];\n") == NameAndLine());
  CHECK(unset_in("}\n__global__ void l() {\n  sum += 1;\n") == NameAndLine());
  CHECK_FALSE(unset_variable_in("float x;\n", 0));
  CHECK_FALSE(unset_variable_in("float x;\n", 9));
}

TEST_CASE("a finding of an unset register names the variable, others stay as they are") {
  const std::string source = "__global__ void k(float* c) {\n  float sum;\n  sum += c[0];\n}\n";
  Finding finding;
  finding.id = finding_ids::kUninitializedRead;
  finding.kernel = "k";
  finding.message = "a variable is used";
  finding.where = {"k.cu", 3, 7};
  Finding named = finding;
  name_unset_variable(named, source);
  CHECK(named.message == "`sum` is used here and was not given a value before");
  REQUIRE(named.other);
  CHECK(named.other->place == SourcePlace{"k.cu", 2, 9});

  Finding memory = finding;
  memory.address = 4096;
  Finding other_id = finding;
  other_id.id = finding_ids::kSharedRace;
  Finding of_host = finding;
  of_host.kernel.clear();
  for (Finding kept : {memory, other_id, of_host}) {
    const Finding before = kept;
    name_unset_variable(kept, source);
    CHECK(kept == before);
  }
}
