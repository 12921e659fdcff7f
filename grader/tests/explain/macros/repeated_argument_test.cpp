// Macros that call the runtime once more than they seem to.
#include "explain/macros/repeated_argument.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_repeated_argument {
namespace {

const std::string kSource =
    "#define FAILED(call) ((call) != cudaSuccess && complain((call), #call))\n"
    "#define ONCE(call) complain((call), #call)\n"
    "#define CHECK(call) \\\n  if ((call) != cudaSuccess) \\\n    print(call);\n"
    "void f() {\n"
    "  if (FAILED(cudaGetLastError())) return;\n"
    "  if (ONCE(cudaGetLastError())) return;\n"
    "  CHECK(cudaMemcpy(a, b, 4, kind));\n"
    "  if (FAILED(status)) return;\n"
    "}\n";

MergedFinding shown(std::uint32_t line, const std::string& failed_call) {
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"k.cu", line, 0};
  finding.failed_call = failed_call;
  std::vector<MergedFinding> findings{finding};
  show_repeated_arguments(findings, kSource, "k.cu");
  return findings.front();
}

}  // namespace

TEST_CASE("a macro that has its argument twice is shown beside the call") {
  const MergedFinding made = shown(7, "cudaGetLastError");
  REQUIRE(made.other);
  CHECK(made.other->place.line == 1);
  CHECK(made.other->label == "the macro `FAILED` has `call` 2 times");
  CHECK(made.help.find("the second call returns `cudaSuccess`") != std::string::npos);
}

TEST_CASE("a macro of several lines is read to its end") {
  const MergedFinding made = shown(9, "cudaMemcpy");
  REQUIRE(made.other);
  CHECK(made.other->place.line == 3);
  CHECK(made.help.find("cudaSuccess") == std::string::npos);
}

TEST_CASE("a macro that calls once, an argument that is no call, and other findings show nothing") {
  CHECK_FALSE(shown(8, "cudaGetLastError").other);
  CHECK_FALSE(shown(10, "cudaGetLastError").other);
  CHECK_FALSE(shown(7, "cudaMemcpy").other);
  CHECK_FALSE(shown(7, "").other);
  CHECK_FALSE(shown(0, "cudaGetLastError").other);
}

}  // namespace cudalabs::test::of_repeated_argument
