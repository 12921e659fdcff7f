// Advice on shuffles that read lanes which went another way.
#include "explain/barriers/absent_lanes.h"

#include <string>

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

constexpr std::string_view kSource =
    "__device__ int sum_of(int v) {\n"                       // 1
    "  for (int d = 16; d > 0; d /= 2)\n"                    // 2
    "    v += __shfl_down_sync(~0u, v, d);\n"                // 3
    "  return v;\n"                                          // 4
    "}\n"                                                    // 5
    "__global__ void k(const int* in, int* out, int n) {\n"  // 6
    "  const int i = threadIdx.x;\n"                         // 7
    "  if (i >= n) return;\n"                                // 8
    "  if (in[i] < 0) {\n"                                   // 9
    "    return;\n"                                          // 10
    "  }\n"                                                  // 11
    "  const int next = __shfl_sync(~0u, in[i], i + 1);\n"   // 12
    "  for (int j = i; j < n; j += 32) {\n"                  // 13
    "    out[j] = __shfl_xor_sync(~0u, next, 1);\n"          // 14
    "  }\n"                                                  // 15
    "  if (i < 20) {\n"                                      // 16
    "    out[i] = sum_of(next);\n"                           // 17
    "  }\n"                                                  // 18
    "  if (i < 4) { out[i] = i; }\n"                         // 19
    "  out[i] = i < 2 ? __shfl_sync(~0u, next, 3) : 0;\n"    // 20
    "}\n";

MergedFinding shown_in(std::string_view source, std::uint32_t shuffle, std::uint32_t left,
                       std::string_view id = finding_ids::kShuffleFromInactiveLane) {
  MergedFinding finding;
  finding.id = id;
  finding.help = "as it was";
  finding.where = {"k.cu", shuffle, 5};
  finding.barrier.condition = left;
  if (left != 0) finding.cause = OtherPlace{"lane 16 left here", {"k.cu", left, 3}, {}, {}};
  show_absent_lanes(finding, source);
  return finding;
}

MergedFinding shown(std::uint32_t shuffle, std::uint32_t left,
                    std::string_view id = finding_ids::kShuffleFromInactiveLane) {
  return shown_in(kSource, shuffle, left, id);
}

bool has(const MergedFinding& finding, std::string_view words) {
  return finding.help.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("lanes that returned before a shuffle are to go on to it", "[explain]") {
  const MergedFinding sum = shown(3, 8);
  REQUIRE(sum.other);
  CHECK(sum.other->place == SourcePlace{"k.cu", 8, 0});
  CHECK(has(sum, "take out the `return` in line 8"));
  CHECK(has(sum, "with 0, which changes no sum"));
  // The `if` of a `return` that has a line of its own; nothing is added up.
  const MergedFinding exchange = shown(12, 10);
  REQUIRE(exchange.other);
  CHECK(exchange.other->place == SourcePlace{"k.cu", 9, 0});
  CHECK(has(exchange, "take out the `return` in line 10"));
  CHECK_FALSE(has(exchange, "sum"));
}

TEST_CASE("0 is advised only where the lanes that left have no element, and none reads another's", "[explain]") {
  const auto kernel = [](const std::string& condition, const std::string& value, const std::string& shuffle) {
    return shown_in(
        "__global__ void k(const float* a, float* c, int m, int n, int p) {\n"
        "  const int lane = threadIdx.x, row = blockIdx.y, col = blockIdx.x * 32 + lane;\n"
        "  if (" +
            condition + ") return;\n  float v = " + value + ", s = 0;\n  s += " + shuffle +
            ";\n  c[row * p + col] = s;\n}\n",
        5, 3);
  };
  const std::string down = "__shfl_down_sync(~0u, v, 16)";
  CHECK(has(kernel("col >= p", "a[col]", down), "with 0, which changes no sum"));
  // The value is there for lanes without a column, too.
  const MergedFinding kept = kernel("row >= m || col >= p", "a[row * n + lane]", down);
  CHECK(has(kept, "go on to the shuffle, with their own value of `v`, which other lanes use; let"));
  CHECK(has(kernel("col >= p", "a[row * n + lane]", "__shfl_sync(~0u, v, j)"), "their own value of `v`"));
  // Lanes without an element may be read by others, and what they left for may have nothing to do with lanes.
  for (const MergedFinding& other :
       {kernel("col >= p", "a[col]", "__shfl_sync(~0u, v, j)"), kernel("row >= m", "a[col]", down),
        kernel("col >= p", "a[col]", "__shfl_sync(")}) {
    CHECK_FALSE(has(other, "with 0"));
    CHECK_FALSE(has(other, "their own"));
    CHECK(has(other, "go on to the shuffle; let its condition"));
  }
}

TEST_CASE("a loop that lanes leave earlier, and an `if` around a shuffle or its call, have words of their own",
          "[explain]") {
  CHECK(has(shown(14, 13), "the same number of rounds of the loop in line 13"));
  const MergedFinding call = shown(3, 16);
  CHECK(has(call, "move the call of `sum_of`, which has the shuffle, out of the `if` in line 16"));
  CHECK(has(call, "with 0"));
}

TEST_CASE("where the text does not tell why lanes are absent the words stay", "[explain]") {
  CHECK(shown(12, 19).help == "as it was");
  CHECK(shown(20, 20).help == "as it was");
  CHECK(shown(12, 20).other.has_value());
  CHECK_FALSE(shown(12, 0).other);
  CHECK(shown(12, 8, finding_ids::kBarrierDivergence).help == "as it was");
  CHECK_FALSE(shown(12, 8, finding_ids::kBarrierDivergence).other);
}

}  // namespace cudalabs
