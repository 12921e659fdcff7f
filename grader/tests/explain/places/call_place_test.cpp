// Calls that stand in a later line of their statement.
#include "explain/places/call_place.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

MergedFinding placed(const std::string& source, const std::string& failed_call = "cudaMemcpy") {
  MergedFinding finding;
  finding.id = finding_ids::kRuntimeError;
  finding.failed_call = failed_call;
  finding.where = {"k.cu", 1, 0};
  place_at_call(finding, source);
  return finding;
}

}  // namespace

TEST_CASE("a call in a later line of the statement is the place, if it is the only one") {
  CHECK(placed("if (good(a) &&\n    ok(cudaMemcpy(d, a, n, to))) {\n  cudaMemcpy(x);\n").where ==
        SourcePlace{"k.cu", 2, 8});
  const MergedFinding several = placed("if (good(a) &&\n    ok(cudaMemcpy(d)) &&\n    ok(cudaMemcpy(e))) {\n");
  CHECK(several.where.line == 1);
  CHECK(several.note == "the call is in the statement that begins here, line 2 or after\n");
}

TEST_CASE("a call in the line itself, in another statement or of another name stays where it is") {
  for (const std::string source : {"cudaMemcpy(d, a,\n  n);\n", "x = 1;\ncudaMemcpy(d);\n",
                                   "f(a,\n  cudaMemcpyAsync(b));\n", "f(a,  // cudaMemcpy\n  b);\n", ""}) {
    CHECK(placed(source).where.line == 1);
    CHECK(placed(source).note.empty());
  }
  CHECK(placed("f(a,\n  cudaMemcpy(b));\n", "").where.line == 1);
}

}  // namespace cudalabs::test
