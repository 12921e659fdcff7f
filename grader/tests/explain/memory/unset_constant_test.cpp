// `__constant__` variables that nothing is copied to, and those that get their values.
#include "explain/memory/unset_constant.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

/// With this declaration in line 1, and this line 7 in the host's function.
std::string source_with(const std::string& declaration, const std::string& host) {
  return declaration +
         "\n__global__ void gray(int* out) {\n  int sum = w[0];\n  out[0] = sum;\n}\nvoid run(int* d) {\n  " + host +
         "\n  gray<<<1, 1>>>(d);\n}\n__global__ void other(int* out) {\n  out[0] = 1;\n}\n";
}

std::optional<UnsetConstant> unset(const std::string& declaration, const std::string& host, std::uint32_t line = 4) {
  return unset_constant(source_with(declaration, host), line);
}

}  // namespace

TEST_CASE("a constant without a value that the host never copies to is 0") {
  const auto assigned = unset("__constant__ int w[3];", "w[0] = 77;");
  REQUIRE(assigned);
  CHECK(*assigned == UnsetConstant{{{"w"}, 1, 18}, Setting{{"w"}, 7, 3}, 3});
  CHECK_FALSE(unset("__constant__ int w[3];", "prepare();")->assigned);
  CHECK(unset("__constant__ int v[3], n = 2;\n__constant__ int w[3];", "cudaMemcpyToSymbol(v, x, 12);", 5));
}

TEST_CASE("nothing is said of a constant that may have its value") {
  const std::string bare = "__constant__ int w[3];";
  CHECK_FALSE(unset(bare, "cudaMemcpyToSymbol(w, x, 12);"));
  CHECK_FALSE(unset(bare, "cudaGetSymbolAddress((void**)&p, w);"));
  CHECK_FALSE(unset(bare, "COPY_TO(w, x);"));
  CHECK_FALSE(unset(bare, "auto& there = w; fill(&w);"));
  CHECK_FALSE(unset(bare, "cuModuleGetGlobal(&p, &n, m, name);"));
  CHECK_FALSE(unset("#define SET() cudaMemcpyToSymbol(w, x, 12)\n" + bare, "SET();", 5));
  CHECK_FALSE(unset("__constant__ int w[3] = {77, 150, 29};", "prepare();"));
  CHECK_FALSE(unset("__constant__ int w[3]{77, 150, 29};", "prepare();"));
  CHECK_FALSE(unset("__device__ int w[3];", "prepare();"));
  CHECK_FALSE(unset(bare, "prepare();", 11));  // the kernel does not read it
}

TEST_CASE("the host's assignment is blamed, and the line that reads the constant is beside it") {
  const auto shown = [](std::string_view id, const std::string& host) {
    std::vector<MergedFinding> findings(1);
    findings[0].id = id;
    findings[0].where = {"folder/k.cu", 4, 10};
    findings[0].help = "as before";
    show_unset_constants(findings, source_with("__constant__ int w[3];", host), "k.cu");
    return findings[0];
  };
  const MergedFinding assigned = shown(finding_ids::kResultMismatch, "w[0] = 77;");
  CHECK(assigned.where.line == 7);
  REQUIRE(assigned.other);
  CHECK(assigned.other->place.line == 3);
  CHECK(assigned.other->label == "`w` is 0 here");
  CHECK_THAT(assigned.help, contains_text("cudaMemcpyToSymbol(w, ...)"));
  CHECK(shown(finding_ids::kResultMismatch, "prepare();").where.line == 1);
  CHECK(shown(finding_ids::kSharedRace, "w[0] = 77;").help == "as before");
}

}  // namespace cudalabs::test
