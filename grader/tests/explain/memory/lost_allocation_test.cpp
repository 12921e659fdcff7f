// Allocations into a copy of a pointer, and those whose address gets to the caller.
#include "explain/memory/lost_allocation.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

/// Of a function with these parameters and this body.
std::optional<LostAllocation> lost_by(const std::string& parameters, const std::string& body) {
  return lost_allocation("// cudaMalloc(&d)\nstatic bool make(" + parameters + ") {\n  " + body + "\n}\n");
}

}  // namespace

TEST_CASE("a function that allocates into its copy of a pointer loses the address") {
  const LostAllocation expected{{{"d"}, 3, 25}, "make", "float* d"};
  CHECK(lost_by("float* d, int n", "return ok(cudaMalloc(&d, n));") == expected);
  CHECK(lost_by("float* d, int n", "return ok(cudaMalloc(&d, n)) && ok(cudaMemset(d, 0, n));") == expected);
  CHECK(lost_by("float *d", "cudaMalloc((void**)&d, 4);"));
  CHECK(lost_by("int n, float* d", "cudaMallocManaged(reinterpret_cast<void**>(&d), n);"));
}

TEST_CASE("an address that gets out of the function, or is used there, is not lost") {
  CHECK_FALSE(lost_by("float*& d", "cudaMalloc(&d, 4);"));
  CHECK_FALSE(lost_by("float** d", "cudaMalloc(d, 4);"));
  CHECK_FALSE(lost_by("float* d[3]", "cudaMalloc(&d[1], 4);"));
  CHECK_FALSE(lost_by("float** d", "cudaMalloc(&d[1], 4);"));
  CHECK_FALSE(lost_by("Buffers* d", "cudaMalloc(&d->in, 4);"));
  CHECK_FALSE(lost_by("float* d", "cudaMalloc(&d, 4);\n  return d;"));
  CHECK_FALSE(lost_by("float* d, float** out", "cudaMalloc(&d, 4);\n  *out = d;"));
  CHECK_FALSE(lost_by("float* d", "cudaMalloc(&d, 4);\n  k<<<1, 1>>>(d);"));
  CHECK_FALSE(lost_by("float* d", "cudaMalloc(&d, 4);\n  cudaFree(d);"));
  CHECK_FALSE(lost_by("float* d, Pointers& all", "cudaMalloc(&d, 4);\n  all.add(&d);"));
  CHECK_FALSE(lost_by("int n", "float* d;\n  cudaMalloc(&d, n);"));
  CHECK_FALSE(lost_allocation("struct S {\n  float* d;\n  void make() { cudaMalloc(&d, 4); }\n};\n"));
}

TEST_CASE("it is shown beside what is said of a pointer") {
  const std::string source = "bool make(float* d) {\n  return cudaMalloc(&d, 4) == 0;\n}\nvoid f() {\n  copy();\n}\n";
  const auto shown = [&](std::string_view id, bool wrong_pointer = false) {
    std::vector<MergedFinding> findings(1);
    findings[0].id = id;
    findings[0].wrong_pointer = wrong_pointer;
    findings[0].where = {"folder/k.cu", 5, 3};
    show_lost_allocation(findings, source, "k.cu");
    return findings[0].other;
  };
  const auto null = shown(finding_ids::kRuntimeError, true);
  REQUIRE(null);
  CHECK(null->place == SourcePlace{"folder/k.cu", 2, 22});
  CHECK(null->label == "the address is stored in `d`, a copy that ends with `make`");
  CHECK(shown(finding_ids::kNullPointerDereference));
  CHECK_FALSE(shown(finding_ids::kRuntimeError));
  CHECK_FALSE(shown(finding_ids::kResultMismatch));
}

}  // namespace cudalabs::test
