// An array that is kept from an earlier call.
#include "explain/kept/kept_array.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

std::uint32_t line_in(const std::string& before, const std::string& inside) {
  const std::string source = "int f(int* other) {\n" + inside + "\n}\n" + before + "\n";
  const auto found = kept_pointer_of(source, 2);
  return found ? found->line : 0;
}

}  // namespace

TEST_CASE("a pointer that outlives the function is found by the call that sets it") {
  CHECK(line_in("float* d_a = nullptr;", "cudaMalloc(&d_a, n);") == 4);
  CHECK(line_in("static float *d_b, *d_a{};", "if (cudaMalloc((void**)&d_a, f(n)) != 0) return 1;") == 4);
  CHECK(line_in("namespace {\nfloat* d_a;\n}", "cudaMallocManaged(&d_a, n);") == 5);
  CHECK(line_in("", "static float* d_a = nullptr; cudaMalloc(&d_a, n);") == 2);
  // That one begins anew in each call, or it is not clear which is meant.
  CHECK(line_in("", "float* d_a = nullptr; cudaMalloc(&d_a, n);") == 0);
  CHECK(line_in("float* d_a;", "float* d_a = nullptr; cudaMalloc(&d_a, n);") == 0);
  CHECK(line_in("float* d_a;", "cudaMalloc(&all.d_a, n);") == 0);
  CHECK(line_in("float* d_a;", "cudaMalloc(d_a, &n);") == 0);
  CHECK(line_in("void g(float* d_a, int n);", "cudaMalloc(&d_a, n);") == 0);
  CHECK(line_in("float* d_a;", "return 0;") == 0);
}

TEST_CASE("what is kept is shown in place of the call that allocated it") {
  const std::string source = "static float* d_a;\nint f() {\n  cudaMalloc(&d_a, n);\n  cudaMemcpy(d_a, a, n, up);\n}\n";
  MergedFinding made{finding(std::string(finding_ids::kRuntimeError), 4), {}};
  made.where.file = "k.cu";
  made.other = OtherPlace{"the allocation", {"k.cu", 3, 0}, {}, {}};
  made.help = "allocate as many bytes as are used";
  const MergedFinding own = made;
  show_kept_array(made, source);
  CHECK(made == own);  // of this call
  made.access.kept = true;
  MergedFinding elsewhere = made;
  show_kept_array(made, source);
  CHECK(made.where == own.where);
  CHECK(made.other->place == SourcePlace{"k.cu", 1, 15});
  CHECK(made.other->label == "`d_a` is kept from an earlier call, with the size of that call");
  CHECK(made.note.starts_with("line 3 allocated it in an earlier call\n"));
  CHECK(made.help.starts_with("an array has the size of the call"));
  elsewhere.other->place.file = "other.cu";
  show_kept_array(elsewhere, source);
  CHECK(elsewhere.other->place.line == 3);
  CHECK(elsewhere.other->label == "allocated here, in an earlier call");
}
