// Functions of `float` that a kernel for integers calls.
#include "explain/values/float_function.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_float_function {
namespace {

const std::string kKernel =
    "template <typename T>\n"
    "__global__ void sums(const T* in, T* out) {\n"
    "  T v = in(first);\n"
    "  v = total(v);\n"
    "  out[0] = v;\n"
    "}\n";

MergedFinding shown(const std::string& functions, const std::string& kernel = "sums<int>") {
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"k.cu", 1, 1};
  finding.kernel = kernel;
  finding.help = "as before";
  show_float_function(finding, functions + kKernel);
  return finding;
}

}  // namespace

TEST_CASE("the function of float that integers go through is shown with its call") {
  const MergedFinding made = shown("__device__ float total(float v) {\n  return v;\n}\n");
  CHECK(made.where == SourcePlace{"k.cu", 1, 18});
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 7, 7});
  CHECK(made.help ==
        "`total` takes and returns `float`, which holds every integer only up to 16777216: make it a template, so that "
        "its parameter and its result have the type of the elements");
  CHECK_THAT(shown("__device__ int total(const float v) { return v; }\n").help,
             contains_text("`total` takes a `float`"));
  CHECK_THAT(shown("__device__ float total(int v) { return v; }\n").help, contains_text("`total` returns a `float`"));
}

TEST_CASE("a function of float is found through others that the kernel calls") {
  const std::string block = "template <typename T> __device__ T total(T v) {\n  v = lanes(v);\n  return v;\n}\n";
  const MergedFinding made = shown("__device__ float lanes(float v) { return v; }\n" + block);
  CHECK(made.where.line == 1);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 3);
  CHECK(shown("template <typename T> __device__ T lanes(T v) { return v; }\n" + block).help == "as before");
  CHECK(shown("__device__ float other(float v) { return v; }\n" + block).help == "as before");
  const std::string overload = "__device__ int lanes(int v) { return v; }\n";
  CHECK(shown("__device__ float lanes(float v) { return v; }\n" + overload + block).help == "as before");
  const std::string itself = "template <typename T> __device__ T total(T v) { return total(v); }\n";
  CHECK(shown(itself).help == "as before");
}

TEST_CASE("functions that the integers may not go through are not blamed") {
  CHECK(shown("__device__ int total(int v) { return v; }\n").help == "as before");
  CHECK(shown("template <typename T> __device__ T total(T v) { return v; }\n").help == "as before");
  CHECK(shown("__device__ void total(float* v) {}\n").help == "as before");
  CHECK(shown("float total(float v) { return v; }\n").help == "as before");
  CHECK(shown("__device__ float total(float v) { return v; }\n", "sums").help == "as before");
  CHECK(shown("__device__ float other(float v) { return v; }\n").help == "as before");
  const std::string rounds = "__device__ float total(float v) { return v; }\n";
  CHECK(shown(rounds + "template <typename T> __device__ T in(T v) { float x = v; return x; }\n").help == "as before");
  const std::string overload = "__device__ int total(int v) { return v; }\n";
  CHECK(shown("__device__ float total(float v) { return v; }\n" + overload).help == "as before");
}

}  // namespace cudalabs::test::of_float_function
