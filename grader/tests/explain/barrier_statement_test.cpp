// Advice on barriers, in words for the statement that the source has.
#include "explain/barrier_statement.h"

#include <string>

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

std::string help_for(std::string_view id, const std::string& help, std::uint32_t line, std::string_view source) {
  MergedFinding finding;
  finding.id = id;
  finding.help = help;
  finding.where = {"k.cu", line, 1};
  name_barrier_statement(finding, source);
  return finding.help;
}

std::string divergence(std::uint32_t asked, std::uint32_t barrier, std::string_view source) {
  return help_for(finding_ids::kBarrierDivergence,
                  "every thread must reach the barrier: move `__syncthreads()` out of the `if` at line " +
                      std::to_string(asked) + ", and let no `continue` or `break` there skip it",
                  barrier, source);
}

std::string race(const std::string& place, std::uint32_t asked, std::string_view source) {
  return help_for(finding_ids::kSharedRace,
                  "put a `__syncthreads()` " + place + ", where the condition in line " + std::to_string(asked) +
                      " keeps no thread from it",
                  1, source);
}

constexpr std::string_view kSum =
    "struct Adder {\n"
    "  __device__ float total(float x) {\n"
    "    __syncthreads();\n"
    "    return x;\n"
    "  }\n"
    "};\n"
    "__global__ void k(const float* in, int n) {\n"
    "  for (int i = threadIdx.x; i < n; i += 256) {\n"
    "    sum += adder.total(in[i]);\n"
    "  }\n"
    "  if (threadIdx.x < n) {\n"
    "    sum += adder.total(0);\n"
    "  }\n"
    "  const float x = threadIdx.x < n ? adder.total(1) : 0;\n"
    "  if (threadIdx.x < n) {\n"
    "    __syncthreads();\n"
    "  }\n"
    "  while (i < n) {\n"
    "    __syncthreads();\n"
    "  }\n"
    "}\n";

TEST_CASE("a loop is called a loop, and a barrier in a helper is that of the call", "[explain]") {
  CHECK(divergence(8, 3, kSum) ==
        "every thread must reach the barrier equally often: let all threads of the block make the same number of "
        "rounds of the loop in line 8, and let idle threads skip the work, but not the call of `total`, which has it");
  CHECK(divergence(11, 3, kSum).find("move the call of `total`, which has it, out of the `if` at line 11") !=
        std::string::npos);
  CHECK(divergence(14, 3, kSum).find("move the call of `total`, which has it, out of the `?:` at line 14") !=
        std::string::npos);
  CHECK(divergence(15, 16, kSum).ends_with("skip it"));  // as it was: it is an `if`
  CHECK(divergence(18, 19, kSum).ends_with("but not the barrier"));
}

TEST_CASE("words for an unknown statement, or of another finding, stay", "[explain]") {
  CHECK(divergence(9, 3, kSum).ends_with("skip it"));
  CHECK(divergence(99, 3, kSum).ends_with("skip it"));
  CHECK(help_for(finding_ids::kGlobalRace, "out of the `if` at line 8", 3, kSum) == "out of the `if` at line 8");
  CHECK(help_for(finding_ids::kBarrierDivergence, "", 3, kSum).empty());
}

/// A kernel with a barrier in line 6, and a loop around it; the condition is in line 3.
std::string jumping(const std::string& statement, const std::string& loop = "  for (int t = 0; t < n; ++t) {\n") {
  return "__global__ void k(int n) {\n" + loop + "    if (threadIdx.x > n) " + statement +
         "\n    tile[t] = 0;\n\n    __syncthreads();\n  }\n}\n";
}

TEST_CASE("a jump that passes a barrier outside of its condition is named", "[explain]") {
  CHECK(divergence(3, 6, jumping("continue;")) ==
        "every thread must reach the barrier, and the `continue` in line 3 skips it: let these threads store zeros, or "
        "put an `if` around the work, and let all still reach the barrier");
  CHECK(divergence(3, 6, jumping("break;")).find("the `break` in line 3 leaves the loop before it") !=
        std::string::npos);
  CHECK(divergence(3, 6, jumping("{ x = 0;\n return; }")).find("the `return` in line 4 ends threads before it") !=
        std::string::npos);
}

TEST_CASE("no barrier is moved out of a condition that it is not in", "[explain]") {
  const std::string neutral =
      "every thread must reach the barrier, and as often as the others: the condition in line 3 keeps some from it; "
      "idle threads skip the work, not the barrier";
  CHECK(divergence(3, 6, jumping("skip = true;")) == neutral);
  CHECK(divergence(3, 7, jumping("{\n for (int i = 0; i < n; ++i) if (x[i]) continue; }")) == neutral);
  // Of a loop that ends before the barrier, or of none that is known.
  CHECK(divergence(3, 7, jumping("continue; }\n  {", "  for (int t = 0; t < n; ++t) {\n")) == neutral);
  CHECK(divergence(3, 6, jumping("continue;", "  do {\n")) == neutral);
  CHECK(divergence(3, 2, jumping("continue;", "  for (int t = 0; t < n; ++t) { __syncthreads();\n")) == neutral);
}

constexpr std::string_view kStrips =
    "for (int row = 0; row < rows; ++row) {\n"
    "  tile[t] = in[t];\n"
    "  if (t < cols) {\n"
    "    x = tile[t + 1];\n"
    "    y = x;\n"
    "  }\n"
    "  tile[t] = y;\n"
    "}\n";

TEST_CASE("a barrier goes behind the statement that some threads skip, or before it", "[explain]") {
  CHECK(race("after line 4, before the loop comes back to line 2", 3, kStrips) ==
        "put a `__syncthreads()` after line 6, behind the whole `if` of line 3, before the loop comes back to line 2");
  CHECK(race("between line 4 and line 7", 3, kStrips) ==
        "put a `__syncthreads()` between line 6, the end of the `if` of line 3, and line 7");
  CHECK(race("between line 2 and line 4", 3, kStrips) ==
        "put a `__syncthreads()` between line 2 and line 3, before the `if`");
}

TEST_CASE("where the lines do not fit the statement the words stay", "[explain]") {
  for (const auto* place : {"between line 4 and line 5", "after line 7, before the loop comes back to line 2",
                            "between the two accesses"}) {
    CHECK(race(place, 3, kStrips).find(", where the condition in line 3 keeps no thread from it") != std::string::npos);
  }
  CHECK(race("between line 4 and line 7", 2, kStrips).ends_with("keeps no thread from it"));
}

}  // namespace
}  // namespace cudalabs
