// The size of a pointer in the place of an element's.
#include "explain/memory/pointer_size.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_pointer_size {
namespace {

/// A function with that line as its second.
std::vector<PointerSize> sizes_in(const std::string& line,
                                  const std::string& parameters = "const float* a, float* c, int n",
                                  const std::string& before = "") {
  return pointer_sizes(before + "void f(" + parameters + ") {\n  " + line + "\n}\n");
}

const std::string kSource = R"(void f(const float* a, float* c, int n) {
  const size_t bytes = n * sizeof(c);
  float* d_c = nullptr;
  cudaMalloc(&d_c, bytes);
  cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(
      d_c, a, n * sizeof a, cudaMemcpyHostToDevice);
  cudaFree(d_c);
}
void g(const float4* x, int bytes) {
  use(x, bytes);
}
)";

MergedFinding past_the_end(std::uint32_t line) {
  MergedFinding finding;
  finding.id = finding_ids::kRunnerCrashed;
  finding.where = {"k.cu", line, 0};
  finding.message = "host code reads or writes past the end of `a`";
  finding.access.past_end = true;
  finding.note = "in all cases";
  finding.help = "as before";
  finding.count = 15;
  return finding;
}

MergedFinding shown(MergedFinding finding, const std::string& source = kSource) {
  std::vector<MergedFinding> findings{std::move(finding)};
  show_pointer_sizes(findings, source, "k.cu");
  return findings.front();
}

}  // namespace

TEST_CASE("a product with the size of a pointer is found") {
  CHECK(sizes_in("const size_t bytes = n * sizeof(c);") ==
        std::vector<PointerSize>{{{{"c"}, 2, 35}, "sizeof(c)", "float", 4, "bytes"}});
  CHECK(sizes_in("cudaMalloc(&d, n * sizeof c);") ==
        std::vector<PointerSize>{{{{"c"}, 2, 29}, "sizeof c", "float", 4, ""}});
  CHECK(sizes_in("bool ok = fine(cudaMalloc(&d, sizeof(a) * n));").at(0).set.empty());
  CHECK(sizes_in("bytes = static_cast<size_t>(n) * sizeof(a);").at(0).set == "bytes");
  CHECK(sizes_in("int m = n * sizeof(a);", "unsigned char a[], int n").at(0).bytes == 1);
  CHECK(sizes_in("int m = n * sizeof(a);", "const int a[64], int n").at(0).element == "int");
  CHECK(sizes_in("int m = n * sizeof(a);", "const std::uint8_t* __restrict__ a, int n").at(0).bytes == 1);
  CHECK(sizes_in("int m = n * sizeof(a);", "const T* a, int n", "template <typename T>\n").at(0).bytes == 0);
  CHECK(sizes_in("float* x = nullptr; int m = n * sizeof(x);").size() == 1);
  CHECK(sizes_in("float *w, *x = w; int m = n * sizeof(x);").size() == 1);
}

TEST_CASE("what is no pointer, or has elements of its size, is not") {
  for (const char* line :
       {"int m = n * sizeof(float);", "int m = n * sizeof(*c);", "int m = n * sizeof *c;", "int m = n * sizeof(c[0]);",
        "int m = n * sizeof c[0];", "int m = n * sizeof(n);", "int m = sizeof(c);", "use(c, sizeof c);",
        "float x[8]; int m = n * sizeof(x);", "double* x; int m = n * sizeof(x);", "Pair* x; int m = n * sizeof(x);",
        "float* x; { float x[4]; m = n * sizeof(x); }", "int m = n * sizeof(unknown);", "float** t; m = n * sizeof(c);",
        "for (float c : all) m = n * sizeof(c);", "int m = n * sizeof(c->x);"}) {
    CAPTURE(line);
    CHECK(sizes_in(line).empty());
  }
  for (const char* parameters : {"float** c, int n", "float (&c)[4], int n", "float c, int n", "float c[][4], int n",
                                 "double* c, int n", "float* c[4], int n", "std::vector<float*> c, int n"}) {
    CAPTURE(parameters);
    CHECK(sizes_in("int m = n * sizeof(c);", parameters).empty());
  }
  CHECK(pointer_sizes("float* c;\nint m = 5 * sizeof(c);\n").empty());
}

TEST_CASE("a call that goes past the end of an array is placed at the size that it takes") {
  const MergedFinding made = shown(past_the_end(5));
  CHECK(made.message ==
        "`c` is a pointer: `sizeof(c)` is the size of an address, 8 bytes, and not that of an element, 4");
  CHECK(made.where == SourcePlace{"k.cu", 2, 35});
  CHECK(made.note == "line 5: host code reads or writes past the end of `a`\nin all cases");
  REQUIRE(made.other);
  CHECK(made.other->place.line == 5);
  CHECK(made.other->label == "`bytes` is the number of bytes here");
  CHECK(made.help == "write `sizeof(float)` or `sizeof(*c)`");
  CHECK(made.count == 1);
  const MergedFinding within = shown(past_the_end(6));
  CHECK(within.where.line == 7);
  REQUIRE(within.other);
  CHECK(within.other->label == "this call takes the number of bytes");
  CHECK(within.message.starts_with("`a` is a pointer: `sizeof a` is"));
  MergedFinding refused = past_the_end(5);
  refused.id = finding_ids::kRuntimeError;
  CHECK(shown(refused) == refused);  // for another reason
  refused.access.past_end_of = 64;
  CHECK(shown(refused).where.line == 2);
}

TEST_CASE("the size of the pointer that a call fills or copies is found") {
  const auto one = [](const std::string& line, const std::string& parameters, const std::string& before = "") {
    const auto found = sizes_in(line, parameters, before);
    return found.size() == 1 && found.front().whole;
  };
  CHECK(one("report(\"memset\", cudaMemset(c, 0, sizeof(c)));", "float* c"));
  CHECK(one("cudaMemsetAsync(c, 0, sizeof c, stream);", "T* c", "template <typename T>\n"));
  CHECK(one("cudaMemcpy(d, c, sizeof(c), cudaMemcpyHostToDevice);", "const float* c"));
  CHECK(one("return cudaMemcpyToSymbol(all, c, sizeof(c));", "const int c[3]"));
  CHECK_FALSE(one("cudaMemcpyToSymbol(all, c, sizeof(c));", "const int c[2]"));  // 8 bytes
  CHECK_FALSE(one("cudaMemset(c, 0, sizeof(c));", "double* c"));
  CHECK_FALSE(one("cudaMemset(d, 0, sizeof(c));", "float* c"));
  CHECK_FALSE(one("cudaMemset(c, 0, sizeof(*c));", "float* c"));
  CHECK_FALSE(one("f(c, sizeof(c));", "float* c"));
  CHECK_FALSE(one("float c[4]; cudaMemset(c, 0, sizeof(c));", "int n"));
}

TEST_CASE("a fill past the end, and a copy of too little, lead to such a size") {
  const std::string fills = "template <typename T>\nvoid f(T* out) {\n  cudaMemset(out, 0, sizeof(out));\n}\n";
  MergedFinding refused = past_the_end(3);
  refused.id = finding_ids::kRuntimeError;
  refused.access.past_end_of = 4;
  const MergedFinding made = shown(refused, fills);
  CHECK(made.message ==
        "`out` is a pointer: `sizeof(out)` is the size of an address, 8 bytes, and not that of an element");
  CHECK(made.help == "write `sizeof(T)` or `sizeof(*out)`");
  CHECK(made.proposed == ProposedChange{3, 22, "sizeof(out)", "sizeof(*out)"});

  const std::string copies =
      "__constant__ int all[3];\nvoid f(const int size[3]) {\n  cudaMemcpyToSymbol(all, size, sizeof(size));\n}\n";
  MergedFinding missing = past_the_end(9);
  missing.id = finding_ids::kUnwrittenOutput;
  missing.message = "no element of `c` was ever written";
  const MergedFinding copied = shown(missing, copies);
  CHECK(copied.where == SourcePlace{"k.cu", 3, 40});
  CHECK(copied.message ==
        "`size` is a pointer: `sizeof(size)` is the size of an address, 8 bytes, and not that of the array");
  CHECK(copied.note.starts_with("line 9: no element of `c` was ever written\n"));
  CHECK(copied.help == "write `sizeof(all)`, the size of the variable itself");
  CHECK(copied.proposed == ProposedChange{3, 33, "sizeof(size)", "sizeof(all)"});
  // A fill of too little need not be why.
  CHECK(shown(missing, fills) == missing);
}

TEST_CASE("findings that take another number of bytes, or cannot follow from too many, stay as they are") {
  CHECK(shown(past_the_end(8)) == past_the_end(8));
  CHECK(shown(past_the_end(11)) == past_the_end(11));  // another `bytes`
  MergedFinding crash = past_the_end(5);
  crash.message = "the host code crashed";
  crash.access.past_end = false;
  CHECK(shown(crash) == crash);
  MergedFinding missing = past_the_end(5);
  missing.id = finding_ids::kUnwrittenOutput;
  CHECK(shown(missing) == missing);
  MergedFinding access = past_the_end(14);
  access.id = finding_ids::kGlobalOutOfBounds;
  access.kernel = "k";
  access.other = OtherPlace{"allocated here", {"k.cu", 4, 0}, {}, {}, PlaceRole::allocation};
  CHECK(shown(access) == access);  // the allocation is larger than needed
  std::string large = kSource;
  const std::string wide = large.replace(large.find("float* c"), 6, "float4*");
  const MergedFinding small = shown(access, wide);
  CHECK(small.where.line == 2);
  CHECK(small.other->place.line == 14);
  CHECK(small.other->label == "the access that misses the array");
  CHECK(small.note.starts_with("line 4 allocates this number of bytes\n"));
  CHECK(shown(past_the_end(5), wide) == past_the_end(5));
}

}  // namespace cudalabs::test::of_pointer_size
