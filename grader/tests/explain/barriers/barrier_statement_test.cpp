// Advice on barriers, in words for the statement that the source has.
#include "explain/barriers/barrier_statement.h"

#include <string>

#include "catch.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

std::string help_for(std::string_view id, const std::string& help, std::uint32_t line, std::string_view source,
                     BarrierLines lines = {}) {
  MergedFinding finding;
  finding.id = id;
  finding.help = help;
  finding.where = {"k.cu", line, 1};
  finding.other = OtherPlace{"elsewhere", {"k.cu", lines.condition, 1}, {}, {}};
  finding.barrier = lines;
  name_barrier_statement(finding, source);
  return finding.help;
}

std::string divergence(std::uint32_t asked, std::uint32_t barrier, std::string_view source) {
  return help_for(finding_ids::kBarrierDivergence,
                  "every thread must reach the barrier: move `__syncthreads()` out of the `if` at line " +
                      std::to_string(asked) + ", and let no `continue` or `break` there skip it",
                  barrier, source, {.condition = asked});
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

/// Threads that wait in line `site`, and others in line `other`, parted by what line `condition` asks.
MergedFinding parted(std::string_view source, std::uint32_t condition, std::uint32_t site, std::uint32_t other,
                     PlaceRole role = PlaceRole::barrier) {
  MergedFinding finding;
  finding.id = finding_ids::kBarrierDivergence;
  finding.kernel = "k<float>";
  finding.help = "as it was";
  finding.where = {"k.cu", site, 0};
  finding.other = OtherPlace{"others wait at this barrier", {"k.cu", other, 0}, {}, {}, role};
  if (condition != 0) {
    finding.barrier.condition = condition;
    finding.cause = OtherPlace{"this condition is not the same for all threads", {"k.cu", condition, 0}, {}, {}};
  }
  name_barrier_statement(finding, source);
  return finding;
}

constexpr std::string_view kHelper =
    "__device__ void multiply(bool mine) {\n"
    "  __syncthreads();\n"
    "  if (!mine) return;\n"
    "  work();\n"
    "  __syncthreads();\n"
    "}\n"
    "__global__ void k(int n) {\n"
    "  for (int t = 0; t < n; ++t) {\n"
    "    multiply(t < n);\n"
    "  }\n"
    "}\n";

TEST_CASE("the `return` between two barriers of a helper is shown where threads wait at both", "[explain]") {
  const MergedFinding finding = parted(kHelper, 3, 5, 2);
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 3);
  CHECK(finding.other->label == "some threads skip line 5 here");
  CHECK(finding.note == "others wait at this barrier in line 2\n");
  CHECK(finding.help ==
        "every thread must reach the barrier, and the `return` in line 3 leaves `multiply` before it: put an "
        "`if` around the work, and let all still reach the barrier");
  CHECK(finding.cause->place.line == 2);
  // The text alone says so, too.
  const MergedFinding unknown = parted(kHelper, 0, 5, 2);
  CHECK(unknown.other == finding.other);
  CHECK(unknown.help == finding.help);
  CHECK(unknown.note == finding.note);
}

TEST_CASE("of two jumps, or where a condition is around one of two barriers, none is shown", "[explain]") {
  const auto helper = [](const std::string& between, const std::string& before = "") {
    return "__device__ void f(int n) {\n  " + before + "__syncthreads();\n  " + between + "\n  __syncthreads();\n}\n";
  };
  CHECK(parted(helper("if (n) return;"), 0, 4, 2).other->place.line == 3);
  CHECK(parted(helper("if (n) return; if (n > 1) return;"), 0, 4, 2).help == "as it was");
  CHECK(parted(helper("if (n) return; if (n > 1)"), 0, 4, 2).help == "as it was");
  CHECK(parted(helper("if (n) return;", "if (n < 3)\n  "), 0, 5, 3).help == "as it was");
  CHECK(parted(helper("goto done; if (n) return;"), 0, 4, 2).help == "as it was");
  const std::string kernel =
      "__global__ void k(int n) {\n  __syncthreads();\n  if (n) return;\n  __syncthreads();\n}\n";
  CHECK(parted(kernel, 0, 4, 2).help == "as it was");
  CHECK(parted(helper("if (n) x = 3;"), 0, 4, 2).help == "as it was");
  CHECK(parted(helper("for (int i = 0; i < n; ++i) if (i == 2) break;"), 0, 4, 2).help == "as it was");
}

constexpr std::string_view kLanes =
    "template <typename T> __device__ T warp_sum(T v) {\n"
    "  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);\n"
    "  return v;\n"
    "}\n"
    "template <typename T> __global__ void k(int n) {\n"
    "  for (int i = threadIdx.x; i < n; i += 32) {\n"
    "    v = warp_sum(in[i]);\n"
    "  }\n"
    "  __syncthreads();\n"
    "  if (threadIdx.x < n) {\n"
    "    v += __shfl_down_sync(0xffffffffu, v, 1);\n"
    "  }\n"
    "  __syncthreads();\n"
    "  for (int i = threadIdx.x;; i += 32) {\n"
    "    if (i >= n) break;\n"
    "    __syncwarp();\n"
    "  }\n"
    "  __syncthreads();\n"
    "}\n";

TEST_CASE("the loop that some lanes leave is shown around the call that waits for them", "[explain]") {
  const MergedFinding finding = parted(kLanes, 6, 2, 9, PlaceRole::unsaid);
  CHECK(finding.other->place.line == 6);
  CHECK(finding.other->label == "this loop has more rounds for some lanes than for others");
  CHECK(finding.note == "others wait at this barrier in line 9\n`warp_sum` is called in line 7\n");
  CHECK(finding.help ==
        "all lanes that the mask names must execute it: let all lanes of a warp make the same number of rounds of the "
        "loop in line 6, and give those without an element a value that changes nothing, such as 0 for a sum");
}

TEST_CASE("lanes are kept by an `if` and by a jump", "[explain]") {
  const MergedFinding around = parted(kLanes, 10, 11, 13, PlaceRole::unsaid);
  CHECK(around.other->label == "this keeps some lanes from line 11");
  CHECK(around.help ==
        "all lanes that the mask names must execute it: move it out of the `if` at line 10, and give the other lanes a "
        "value that changes nothing, such as 0 for a sum; or let the mask name only lanes that come there");
  const MergedFinding jump = parted(kLanes, 15, 16, 18, PlaceRole::unsaid);
  CHECK(jump.other->label == "some lanes skip line 16 here");
  CHECK(jump.help ==
        "all lanes that the mask names must execute it, and the `break` in line 15 leaves the loop before it: let "
        "these lanes go on");
}

constexpr std::string_view kArms =
    "__global__ void k(int n) {\n"
    "  if (threadIdx.x < n) {\n"
    "    __syncthreads();\n"
    "  } else {\n"
    "    __syncthreads();\n"
    "  }\n"
    "  __syncthreads();\n"
    "}\n";

TEST_CASE("one of two barriers is in an `if`, or each is in a part of it", "[explain]") {
  CHECK(parted(kArms, 2, 7, 3)
            .help.starts_with("every thread must reach the barrier: move `__syncthreads()` out of the `if` at line 2"));
  CHECK(parted(kArms, 0, 5, 3).help ==
        "let all threads of the block reach the same `__syncthreads()`: each part of the `if` at line 2 has one of its "
        "own; put one that all reach outside of it");
  CHECK(parted(kArms, 0, 7, 3).help == "as it was");
}

TEST_CASE("of a condition that does not part the two places nothing more is said", "[explain]") {
  CHECK(parted(kArms, 2, 5, 3).help == "as it was");  // it is around both
  CHECK(parted(kLanes, 10, 2, 13, PlaceRole::unsaid).help == "as it was");
  const std::string twice =
      "__device__ void f() {\n  __syncthreads();\n}\n__global__ void k(int n) {\n"
      "  if (threadIdx.x < n) {\n    f();\n  }\n  f();\n  __syncthreads();\n}\n";
  CHECK(parted(twice, 5, 9, 2).help == "as it was");
}

}  // namespace
constexpr std::string_view kBringAndUse =
    "__device__ void bring(float* s) {\n"
    "  s[threadIdx.x] = 1;\n"
    "  __syncthreads();\n"
    "}\n"
    "__device__ float use(const float* s) {\n"
    "  __syncthreads();\n"
    "  return s[0];\n"
    "}\n"
    "template <typename T> __global__ void k(int n) {\n"
    "  const bool mine = threadIdx.x < n;\n"
    "  for (int t = 0; t < n; ++t) {\n"
    "    bring(s);\n"
    "    if (mine) sum += use(s);\n"
    "  }\n"
    "}\n";

TEST_CASE("the call in an `if` of a function that has a barrier is shown where others wait at another", "[explain]") {
  const MergedFinding finding = parted(kBringAndUse, 0, 6, 3);
  CHECK(finding.where == SourcePlace{"k.cu", 13, 22});
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 6);
  CHECK(finding.other->label == "the barrier is here");
  CHECK(finding.note == "the others wait at the barrier in line 3\n");
  CHECK(finding.message.ends_with(": only some of them call `use`"));
  CHECK(finding.help ==
        "every thread must reach the barrier in `use`: move the call of `use` out of the `if` at line 13, let all "
        "threads call it, and put only what uses its result into the `if`");
  // The same, told of the others first.
  CHECK(parted(kBringAndUse, 0, 3, 6).where == finding.where);
  CHECK(parted(kBringAndUse, 0, 3, 6).other == finding.other);
}

TEST_CASE("a call that no `if` is around, or both calls, are not blamed", "[explain]") {
  const auto without = [](const std::string& part, const std::string& fresh) {
    std::string source(kBringAndUse);
    return source.replace(source.find(part), part.size(), fresh);
  };
  CHECK(parted(without("if (mine) sum", "sum"), 0, 6, 3).help == "as it was");
  CHECK(parted(without("if (mine) sum += use(s);", "if (mine) sum += use(s) + use(s);"), 0, 6, 3).help == "as it was");
  // It is the same for all threads, or something else may part them.
  CHECK(parted(without("mine = threadIdx.x < n", "mine = n > 3"), 0, 6, 3).help == "as it was");
  CHECK(parted(without("bring(s);\n    if", "bring(s);\n    if (t > n) continue; if"), 0, 6, 3).help == "as it was");
  CHECK(parted(without("++t) {", "++t) if (mine) {"), 0, 6, 3).help != "as it was");
  CHECK(parted(without("bring(s);\n    if (mine)", "if (mine) { bring(s);\n    }"), 0, 6, 3).where.line == 12);
  CHECK(parted(without("bring(s);\n    if (mine) sum", "if (mine) { bring(s);\n   sum"), 0, 6, 3).help == "as it was");
}

namespace {

/// A `return` in line 4, and a barrier in line 7.
MergedFinding left_early(const std::string& before_barrier, const Help& help) {
  MergedFinding finding;
  finding.id = finding_ids::kBarrierDivergence;
  finding.missed_barrier = MissedBarrier::exited;
  finding.kernel = "k";
  finding.where = {"k.cu", 7, 0};
  finding.other = OtherPlace{"the exited threads left here", {"k.cu", 4, 3}, {}, {}};
  finding.help = help;
  name_barrier_statement(finding,
                         "__global__ void k(int n) {\n  __shared__ float tile[256];\n  int i = threadIdx.x;\n"
                         "  if (i >= n) return;\n\n  " +
                             before_barrier + "\n  __syncthreads();\n  out[i] = tile[255 - i];\n}\n");
  return finding;
}

}  // namespace

TEST_CASE("threads that leave before they have stored their part of a tile must stay for that", "[explain]") {
  const Help help{Advice::take_out_return,
                  "every thread must reach the barrier: take out the `return` at line 4, and put the work of the other "
                  "threads into an `if`; `__syncthreads()` stays outside of it"};
  CHECK(left_early("if (i < m) tile[i] = in[i];", help).help ==
        "every thread must reach the barrier, and bring its part of `tile` before it, whether or not it has a result "
        "of its own: take out the `return` at line 4, let all threads execute line 6 and `__syncthreads()`, and put "
        "only what comes after the barrier into an `if`");
  CHECK(left_early("tile[i] = i < m ? in[i] : 0;", help).help.ends_with("comes after the barrier into an `if`"));
  CHECK(left_early("for (int k = i; k < m; k += 256) tile[k] = in[k];", help).help.ends_with("barrier into an `if`"));
  CHECK_THAT(left_early("for (int k = i; k < m; k += 256) tile[k] = in[k];", help).help,
             contains_text("let all threads execute line 6"));
  // Without a condition of its own the line is no line for all threads.
  CHECK(
      left_early("tile[i] = in[i];", help).help ==
      "every thread must reach the barrier: take out the `return` at line 4; let threads without an element store 0, "
      "or nothing, to `tile` in line 6 and go on to `__syncthreads()`; put what comes after the barrier into an `if`");
  CHECK(left_early("x = tile[i] == 0;", help).help == help);
  CHECK(left_early("out[i] = 0;", help).help == help);
  CHECK(left_early("tile[i] = 0;", "another help").help == "another help");
}

namespace {

/// Of a picture's kernel with these lines between the `return` in line 6 and the barrier behind them.
std::string help_of_table(const std::string& lines, const std::string& asked = "row >= height || col >= width") {
  MergedFinding finding;
  finding.id = finding_ids::kBarrierDivergence;
  finding.missed_barrier = MissedBarrier::exited;
  finding.kernel = "k";
  finding.other = OtherPlace{"the exited threads left here", {"k.cu", 6, 3}, {}, {}};
  finding.help = {Advice::take_out_return, "as it was"};
  const std::string source =
      "__global__ void k(const unsigned char* rgb, unsigned char* gray, int width, int height) {\n"
      "  __shared__ int red[256], green[256];\n"
      "  const int col = blockIdx.x * 16 + threadIdx.x;\n  const int row = blockIdx.y * 16 + threadIdx.y;\n"
      "  const int t = threadIdx.y * 16 + threadIdx.x;\n  if (" +
      asked + ") return;\n" + lines + "__syncthreads();\n  gray[row * width + col] = red[rgb[row * width + col]];\n}\n";
  finding.where = SourcePlace{"k.cu", line_at(source, source.find("__syncthreads")), 1};
  name_barrier_statement(finding, source);
  return finding.help;
}

}  // namespace

TEST_CASE("a table that has nothing of the elements is filled by all threads", "[explain]") {
  CHECK(help_of_table("  red[t] = 77 * t;\n") ==
        "every thread must reach the barrier, and bring its part of `red` before it, whether or not it has a result of "
        "its own: take out the `return` at line 6, let all threads execute line 7 and `__syncthreads()`, and put only "
        "what comes after the barrier into an `if`");
  CHECK_THAT(help_of_table("  red[t] = 0;\n  green[t] = height * t;\n"), contains_text("execute lines 7 to 8 and"));
  CHECK_THAT(help_of_table("  const int v = 3 * t;\n  red[t] = v;\n"), contains_text("all threads execute line 8"));
}

TEST_CASE("where an element is stored, threads without one store 0", "[explain]") {
  const auto store_0 = [](const std::string& array, int line) {
    return contains_text("store 0, or nothing, to `" + array + "` in line " + std::to_string(line));
  };
  CHECK_THAT(help_of_table("  red[t] = rgb[t];\n"), store_0("red", 7));
  CHECK_THAT(help_of_table("  const int v = *(rgb + t);\n  red[t] = v;\n"), store_0("red", 8));
  CHECK_THAT(help_of_table("  red[t] = col;\n"), store_0("red", 7));
  CHECK_THAT(help_of_table("  const int i = row * width;\n  red[t] = i;\n"), store_0("red", 8));
  CHECK_THAT(help_of_table("  red[t] = 77 * t;\n  green[t] = rgb[t];\n"), store_0("green", 8));
  // Which threads have left is not known by a name.
  CHECK_THAT(help_of_table("  red[t] = 77 * t;\n", "blockIdx.x * 16 + threadIdx.x >= width"), store_0("red", 7));
  CHECK_THAT(help_of_table("  red[t] = 77 * t;\n", "t > 99"), store_0("red", 7));
}

}  // namespace cudalabs
