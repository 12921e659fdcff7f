// Functions of the device that take or return whole numbers, and are given others.
#include "explain/values/cut_in_call.h"

#include <string>

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_cut_in_call {
namespace {

std::string kernel_with(const std::string& helper, const std::string& call) {
  return helper +
         "\ntemplate <typename T>\n__global__ void k(const T* in, const int* at, T* out, int n, float x) {\n"
         "  T v = in[threadIdx.x];\n  const int i = n / 2;\n  " +
         call + "\n  out[0] = v;\n}\n";
}

std::vector<CutInCall> cuts(const std::string& helper, const std::string& call, bool floats = true) {
  return cuts_in_calls(kernel_with(helper, call), floats);
}

const std::string kSum =
    "__device__ int warp_sum(int v) {\n"
    "  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(~0u, v, o);\n"
    "  return v;\n}";

MergedFinding shown(const std::string& source, const std::string& kernel = "k<float>") {
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"k.cu", 9, 3};
  finding.kernel = kernel;
  finding.values = ValueKind::whole_numbers;
  finding.help = "as before";
  std::vector<MergedFinding> findings{finding};
  show_cuts_in_calls(findings, source, "k.cu");
  return findings.front();
}

}  // namespace

TEST_CASE("a function that takes and returns `int` is shown, with the call that gives it a `float`") {
  const MergedFinding made = shown(kernel_with(kSum, "v = warp_sum(v);"));
  CHECK(made.where == SourcePlace{"k.cu", 1, 12});
  REQUIRE(made.other);
  CHECK(made.other->place.line == 9);
  CHECK(made.other->label == "it is given a `T` here");
  CHECK(made.help ==
        "`warp_sum` takes and returns `int`, and drops the digits after the decimal point of a `float`: make it a "
        "template, `template <typename T>`, with `T` in place of `int` for `v` and the result");
}

TEST_CASE("parameters and results are told apart") {
  const auto taken = cuts("__device__ float twice(const int a, float b) {\n  return a * b;\n}", "v = twice(in[i], x);");
  REQUIRE(taken.size() == 1);
  CHECK(taken.front().parameters == std::vector<std::string>{"a"});
  CHECK_FALSE(taken.front().returns);
  CHECK(taken.front().given == "T");
  const auto returned =
      cuts("__device__ int dot(const float* a, int n) {\n  float sum = 0;\n  return sum;\n}", "v = dot(in, n);");
  REQUIRE(returned.size() == 1);
  CHECK(returned.front().parameters.empty());
  CHECK(returned.front().returns);
  CHECK(returned.front().call == 0);
  CHECK(shown(kernel_with("__device__ int third(int a) {\n  return a / 3;\n}", "v = third(x);"))
            .help.ends_with("write "
                            "`float` in place of `int` for `a` and the result"));
}

TEST_CASE("whole numbers that are meant are left alone") {
  CHECK(cuts("__device__ int half(int a) {\n  return a / 2;\n}", "v = half(i);").empty());
  CHECK(cuts("__device__ int half(int a) {\n  return a / 2;\n}", "v = half(at[i]);").empty());
  CHECK(cuts("__device__ float one(int a) {\n  return a;\n}", "v = one(v > 0);").empty());
  CHECK(cuts("__device__ float one(int a) {\n  return a;\n}", "v = one((int)v);").empty());
  CHECK(cuts("__device__ float one(int a) {\n  return a;\n}", "v = one(__float2int_rn(x));").empty());
  CHECK(cuts("__device__ int bin(float a) {\n  return static_cast<int>(a);\n}", "v = bin(v);").empty());
  CHECK(cuts("__device__ bool big(float a) {\n  return a > 4;\n}", "v = big(v);").empty());
  CHECK(cuts("__device__ void add(int* a, int b) {\n  *a += b;\n}", "add(p, i);").empty());
  CHECK(cuts("template <typename T> __device__ T same(T a) {\n  return a;\n}", "v = same(v);").empty());
  // An instance for `int`, a function of the host, and two of one name.
  CHECK(cuts(kSum, "v = warp_sum(v);", false).empty());
  CHECK(cuts("int up(int a) {\n  return a;\n}", "v = up(v);").empty());
  CHECK(cuts(kSum + "\n__device__ float warp_sum(float v) {\n  return v;\n}", "v = warp_sum(v);").empty());
}

TEST_CASE("nothing is said of other values, or where there are several such functions") {
  CHECK(shown(kernel_with(kSum, "v = warp_sum(v);"), "k<int>").help == "as before");
  CHECK(
      shown(kernel_with(kSum + "\n__device__ float one(int a) {\n  return a;\n}", "v = warp_sum(v) + one(v);")).help ==
      "as before");
  CHECK(shown(kernel_with("", "v = v + 1;")).help == "as before");
}

TEST_CASE("a long text of functions and calls is read all the same") {
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "__device__ int f" + std::to_string(i) + "(int a) { return a; }\n";
  CHECK(cuts(many, "v = f1(v);").empty());
  std::string calls;
  for (int i = 0; i < 60'000; ++i) calls += "v = warp_sum(v);";
  CHECK(cuts(kSum, calls).size() == 1);
  cuts(kSum, std::string(1 << 20, '['));
  std::string open;
  for (int i = 0; i < 60'000; ++i) open += "warp_sum(v[";
  cuts(kSum, open);
}

}  // namespace cudalabs::test::of_cut_in_call
