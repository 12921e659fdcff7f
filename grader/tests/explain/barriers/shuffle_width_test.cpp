// Shuffles that give lanes their own values, and those that do what they say.
#include "explain/barriers/shuffle_width.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

std::string kernel_with(const std::string& body) {
  return "constexpr int HALF = 16;\n__global__ void k(float* c) {\n  float v = c[0];\n  " + body + "\n  c[1] = v;\n}\n";
}

std::optional<MisreadShuffle> found_in(const std::string& body) {
  return misread_shuffle(kernel_with(body), "k");
}

}  // namespace

TEST_CASE("a distance that is at least the width is found") {
  const auto loop = found_in("for (int d = HALF; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d, 16);");
  REQUIRE(loop);
  CHECK(*loop == MisreadShuffle{4, 42, "__shfl_down_sync", "16", "16", MisreadShuffle::Why::own});
  CHECK(found_in("v += __shfl_up_sync(~0u, v, 32);")->width == "32");
  CHECK(found_in("v += __shfl_down_sync(~0u, v, s, s);")->distance == "`s`");
  CHECK(found_in("v += __shfl_xor_sync(~0u, v, 16, 8);")->why == MisreadShuffle::Why::part);
  CHECK(found_in("for (int d = 32; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, d);")->distance == "32");
}

TEST_CASE("a width that is no power of two is found") {
  for (const std::string width : {"31", "33", "0", "64", "2 * 32"})
    CHECK(found_in("v += __shfl_down_sync(~0u, v, 1, " + width + ");")->why == MisreadShuffle::Why::width);
}

TEST_CASE("nothing is found where lanes read what the distance says, or that is not known") {
  for (const std::string body :
       {"for (int d = HALF; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);", "v += __shfl_down_sync(~0u, v, 8, 16);",
        "v += __shfl_xor_sync(~0u, v, 31);", "v += __shfl_sync(~0u, v, 40);", "v += __shfl_down_sync(~0u, v, n, 16);",
        "for (int d = 1; d < 32; d *= 2) v += __shfl_up_sync(~0u, v, d);", "v += __shfl_down_sync(~0u, v, n, m);",
        "for (int d = n; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d, 16);"})
    CHECK_FALSE(found_in(body));
  // Of two it is not known which.
  CHECK_FALSE(found_in("v += __shfl_up_sync(~0u, v, 32); v += __shfl_up_sync(~0u, v, 33);"));
  CHECK_FALSE(misread_shuffle("void f() { __shfl_up_sync(1, v, 32); }\n__global__ void k() { g(); }\n", "k"));
}

TEST_CASE("a function that the kernel calls is looked at as well") {
  const std::string source =
      "__device__ float warp_sum(float v) {\n  return v + __shfl_down_sync(~0u, v, 32);\n}\n"
      "__global__ void k(float* c) {\n  c[0] = warp_sum(1);\n}\n";
  CHECK(misread_shuffle(source, "k")->line == 2);
}

TEST_CASE("wrong values are blamed on the call, and what is no wrong value is not") {
  const std::string source = kernel_with("v += __shfl_down_sync(~0u, v, 16, 16);");
  MergedFinding made{finding(std::string(finding_ids::kResultMismatch), 5), {}}, other = made;
  made.kernel = other.kernel = "k";
  CHECK(show_misread_shuffle(made, source));
  CHECK(made.where.line == 4);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 5);
  CHECK_THAT(made.help, contains_text("`__shfl_down_sync` by 16 lanes, in parts of 16 lanes, gives each lane its own"));
  other.id = finding_ids::kGlobalRace;
  CHECK_FALSE(show_misread_shuffle(other, source));
}

}  // namespace cudalabs::test
