// Where a barrier that is missing goes, in words for the statements that the source has.
#include "explain/barriers/missing_barrier.h"

#include <algorithm>
#include <string>

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

std::string race(const std::string& place, BarrierLines lines, std::string_view source) {
  MergedFinding finding;
  finding.id = finding_ids::kSharedRace;
  finding.help = {Advice::block_barrier, "put a `__syncthreads()` " + place + ", outside of the condition in line " +
                                             std::to_string(lines.condition) + ": all threads must reach it"};
  finding.where = {"k.cu", 1, 1};
  finding.other = OtherPlace{"elsewhere", {"k.cu", lines.condition, 0}, {}, {}};
  lines.next_round = lines.after > lines.before;
  lines.guarded = true;
  finding.barrier = lines;
  name_missing_barrier(finding, source);
  return finding.help;
}

/// Of a finding that says nothing of conditions: an access in line `here`, column 3, and an earlier one in `other`.
std::string advice(const Help& help, std::uint32_t here, std::uint32_t other, std::string_view source) {
  MergedFinding finding;
  finding.id = finding_ids::kSharedRace;
  finding.help = help;
  finding.where = {"k.cu", here, 0};
  finding.other = OtherPlace{"the read", {"k.cu", other, 0}, {}, {}};
  const bool round = help.find("after line") != std::string::npos;
  finding.barrier.after = round ? std::max(here, other) : std::min(here, other);
  finding.barrier.before = round ? std::min(here, other) : std::max(here, other);
  finding.barrier.next_round = round && !help.advises(Advice::another_barrier);
  name_missing_barrier(finding, source);
  return finding.help;
}

}  // namespace

TEST_CASE("a barrier before a line that is executed again goes before the loop around that line alone") {
  const std::string source =
      "for (int first = b; first < n; first += step) {\n"
      "  for (int k = t; k < count; k += T)\n"
      "    tile[k] = in[k];\n"
      "  __syncthreads();\n"
      "  if (t < count) out[t] = tile[2 * t];\n"
      "}\n";
  const std::string again = "line 3 is executed again while other threads may still be at line 5: ";
  MergedFinding finding;
  finding.id = finding_ids::kSharedRace;
  finding.help = {Advice::block_barrier, again + "put a `__syncthreads()` before line 3"};
  finding.where = {"k.cu", 3, 0};
  finding.other = OtherPlace{"the read", {"k.cu", 5, 0}, {}, {}};
  finding.barrier = {.condition = 5, .after = 5, .before = 3, .next_round = true, .guarded = true};
  MergedFinding plain = finding;
  name_missing_barrier(finding, source);
  CHECK(finding.help == again + "put a `__syncthreads()` before the `for` of line 2");
  name_missing_barrier(plain, test::replaced(source, "  for (int k = t; k < count; k += T)\n", "\n"));
  CHECK(plain.help == again + "put a `__syncthreads()` before line 3");
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

TEST_CASE("beside a barrier of the warp one of the block is offered where all threads come by") {
  const std::string kernel =
      "__global__ void k(const float* in, float* out) {\n"
      "  for (int i = 0; i < 9; ++i) {\n"
      "    tile[t] = in[t];\n"
      "    if (t < s) tile[t] += tile[t + s];\n"
      "  }\n"
      "}\n";
  const auto offered = [](const std::string& source, const std::string& name = "k<float>") {
    MergedFinding finding;
    finding.id = finding_ids::kSharedRace;
    finding.kernel = name;
    finding.help = {Advice::warp_barrier, "put a `__syncwarp()` after line 4"};
    finding.where = {"k.cu", 3, 5};
    finding.other = OtherPlace{"the read", {"k.cu", 4, 27}, {}, {}};
    finding.barrier = {.condition = 4, .after = 4, .before = 3, .next_round = true, .guarded = true};
    name_missing_barrier(finding, source);
    return finding.help.find("__syncthreads") != std::string::npos;
  };
  CHECK(offered(kernel));
  // Some threads do not call the function, come to both, or go on.
  CHECK_FALSE(offered(kernel, "other"));
  CHECK_FALSE(
      offered(test::replaced(kernel, "for (int i = 0; i < 9; ++i)", "for (int i = 0; i < 9; ++i) if (t < 32)")));
  CHECK_FALSE(offered(test::replaced(kernel, "tile[t] = in[t];", "tile[t] = in[t]; if (t > 31) return;")));
  CHECK_FALSE(offered(test::replaced(kernel, "for (int i = 0; i < 9; ++i)", "const auto f = [&](int i)")));
}

TEST_CASE("a barrier goes behind the statement that some threads skip, or before it", "[explain]") {
  CHECK(race("after line 4, before line 2 is executed again", {3, 4, 2}, kStrips) ==
        "put a `__syncthreads()` after line 6, behind the whole `if` of line 3, before line 2 is executed again");
  CHECK(race("between line 4 and line 7", {3, 4, 7}, kStrips) ==
        "put a `__syncthreads()` between line 6, the end of the `if` of line 3, and line 7");
  CHECK(race("between line 2 and line 4", {3, 2, 4}, kStrips) ==
        "put a `__syncthreads()` between line 2 and line 3, before the `if`");
}

TEST_CASE("a barrier at the end of a round goes behind an `if` that only the last access is in", "[explain]") {
  constexpr std::string_view kBelt =
      "for (int tile = 0; tile < tiles; ++tile) {\n"
      "  if (tile + t < n) strip[t] = in[t];\n"
      "  __syncthreads();\n"
      "  if (first + t < n) {\n"
      "    r = strip[3 * t];\n"
      "    g = strip[3 * t + 1];\n"
      "  }\n"
      "  if (t < n) { x = strip[t]; }\n"
      "}\n";
  CHECK(race("after line 5, before line 2 is executed again", {2, 5, 2}, kBelt) ==
        "put a `__syncthreads()` after line 7, behind the whole `if` of line 4, before line 2 is executed again");
  // All of it stands in one line.
  CHECK(race("after line 8, before line 2 is executed again", {2, 8, 2}, kBelt).ends_with("all threads must reach it"));
}

TEST_CASE("a barrier behind the last line of a loop goes behind the loop", "[explain]") {
  constexpr std::string_view kPhases =
      "for (int t = 0; t < phases; ++t) {\n"
      "  tile[x] = in[t];\n"
      "  __syncthreads();\n"
      "  for (int k = 0; k < 16; ++k)\n"
      "    sum += tile[k];\n"
      "}\n";
  const Help help{Advice::block_barrier, "put a `__syncthreads()` after line 5, before line 2 is executed again"};
  CHECK(advice(help, 2, 5, kPhases) ==
        "put a `__syncthreads()` after line 5, behind the whole `for` of line 4, before line 2 is executed again");
}

TEST_CASE("no loop is left for an access in a lambda that it calls", "[explain]") {
  constexpr std::string_view kCalled =
      "const auto load = [&](int slot) {\n"
      "  tile[slot][t] = in[t];\n"
      "};\n"
      "load(0);\n"
      "for (int k = 0; k < n; ++k) {\n"
      "  load((k + 1) % 2);\n"
      "  __syncthreads();\n"
      "  sum += tile[k % 2][255 - t];\n"
      "}\n";
  const Help help{Advice::block_barrier, "put a `__syncthreads()` after line 8, before line 2 is executed again"};
  CHECK(advice(help, 2, 8, kCalled) == help);
}

TEST_CASE("where the lines do not fit the statement the words stay", "[explain]") {
  const auto stays = [](const std::string& place, BarrierLines lines) {
    return race(place, lines, kStrips).find(", outside of the condition in line 3: all threads must reach it") !=
           std::string::npos;
  };
  CHECK(stays("between line 4 and line 5", {3, 4, 5}));
  CHECK(stays("after line 7, before line 2 is executed again", {3, 7, 2}));
  CHECK(stays("between the two accesses", {3, 0, 0}));
  CHECK(race("between line 4 and line 7", {2, 4, 7}, kStrips).ends_with("all threads must reach it"));
}

constexpr std::string_view kPieces =
    "__global__ void k(int n) {\n"
    "  for (int base = 0; base < n; base += 32) {\n"
    "    if (loads) piece[t] = ahead;\n"
    "    __syncthreads();\n"
    "    if (mine) {\n"
    "      const int length = n - base;\n"
    "      for (int j = 0; j < length; ++j) sum += piece[j];\n"
    "    }\n"
    "  }\n"
    "  for (int j = 0; j < 4; ++j) {\n"
    "    sum += piece[j];\n"
    "    ++sum;\n"
    "  }\n"
    "  if (piece[0] > 0) {\n"
    "    sum = 0;\n"
    "  }\n"
    "  piece[t] = sum;\n"
    "  if (t < 16) {\n"
    "    const float next = piece[t + 16];\n"
    "    piece[t] += next;\n"
    "  } else {\n"
    "    sum = piece[t];\n"
    "  }\n"
    "  if (t < 16) sum = piece[t];\n"
    "}\n";

TEST_CASE("a barrier never goes into a statement that one access alone is in", "[explain]") {
  CHECK(advice({Advice::block_barrier, "put a `__syncthreads()` after line 7, before line 3 is executed again"}, 3, 7,
               kPieces) ==
        "put a `__syncthreads()` after line 8, behind the whole `if` of line 5, before line 3 is executed again");
  CHECK(advice({Advice::block_barrier,
                "put a `__syncthreads()` after line 7, before line 3 is executed again, and let all threads of "
                "the block reach it: ..."},
               3, 7, kPieces) ==
        "put a `__syncthreads()` after line 8, behind the whole `if` of line 5, before line 3 is executed again, "
        "and let all threads of the block reach it: ...");
  CHECK(advice({Advice::another_barrier,
                "there is a barrier between line 3 and line 7: put another after line 7, before line 3 is executed "
                "again"},
               3, 7, kPieces) ==
        "there is a barrier between line 3 and line 7: put another after line 8, behind the whole `if` of line 5, "
        "before line 3 is executed again");
  CHECK(advice({Advice::block_barrier, "put a `__syncthreads()` between line 11 and line 17"}, 17, 11, kPieces) ==
        "put a `__syncthreads()` between line 13, the end of the `for` of line 10, and line 17");
  // What is asked is in the head of its `if`.
  CHECK(advice({Advice::block_barrier, "put a `__syncthreads()` between line 14 and line 17"}, 17, 14, kPieces) ==
        "put a `__syncthreads()` between line 16, the end of the `if` of line 14, and line 17");
  CHECK(advice({Advice::block_barrier, "put a `__syncthreads()` between line 17 and line 19"}, 19, 17, kPieces) ==
        "put a `__syncthreads()` between line 17 and line 18, before the `if`");
  CHECK(advice({Advice::block_barrier, "put a `__syncthreads()` between line 15 and line 19"}, 19, 15, kPieces) ==
        "put a `__syncthreads()` between line 16, the end of the `if` of line 14, and line 18, before the `if`");
}

TEST_CASE("a barrier goes before an `if` whose line has the access, too", "[explain]") {
  CHECK(advice({Advice::block_barrier, "put a `__syncthreads()` between line 17 and line 24"}, 24, 17, kPieces) ==
        "put a `__syncthreads()` between line 17 and line 24, before the `if`");
  CHECK(race("between line 17 and line 24", {24, 17, 24}, kPieces) ==
        "put a `__syncthreads()` between line 17 and line 24, before the `if`");
}

TEST_CASE("lines that lead to the right place stay as they are", "[explain]") {
  const auto stays = [](const Help& help, std::uint32_t here, std::uint32_t other) {
    return advice(help, here, other, kPieces) == help;
  };
  CHECK(stays({Advice::block_barrier, "put a `__syncthreads()` between line 3 and line 4"}, 4, 3));
  CHECK(stays({Advice::block_barrier, "put a `__syncthreads()` between line 19 and line 22"}, 22, 19));
  CHECK(stays({Advice::block_barrier,
               "put a `__syncthreads()` between the two accesses of line 7: in a loop, one each time round"},
              7, 7));
  CHECK(stays({Advice::warp_barrier,
               "put a `__syncwarp()` between line 15 and line 17, where all lanes of the warp arrive: a "
               "`__syncthreads()` would wait for others"},
              17, 15));
  CHECK(stays("make both atomic", 17, 15));
}

TEST_CASE("no barrier is asked for behind a return, where nothing can stand", "[explain]") {
  const auto returning = [](const std::string& last, bool in_loop = true, bool guarded = false) {
    MergedFinding finding;
    finding.id = finding_ids::kSharedRace;
    const std::string help = in_loop ? "put a `__syncthreads()` after line 4, before line 2 is executed again"
                                     : "there is a barrier between line 2 and line 4: put another after line 4, before "
                                       "line 2 is executed again";
    finding.help = {in_loop ? Advice::block_barrier : Advice::another_barrier, help};
    finding.barrier = {.after = 4, .before = 2, .next_round = in_loop, .guarded = guarded};
    finding.where = {"k.cu", 2, 3};
    finding.other = OtherPlace{"the read", {"k.cu", 4, 3}, {}, {}};
    name_missing_barrier(finding, "float f(float* place, float x) {\n  place[0] = x;\n  wait();\n" + last + "\n}\n");
    return finding.help == help ? std::string() : finding.help;
  };
  const std::string expected =
      "copy the value in line 4 to a variable, then call `__syncthreads()`, then return the variable: no thread may "
      "come back to line 2 before all have read the value";
  CHECK(returning("  return place[0];") == expected);
  CHECK(returning("  return place[0];", false) == expected);
  CHECK(returning("  return place[0];", true, true).empty());
  CHECK(returning("  x = place[0];").empty());
  CHECK(returning("  if (x > 0) return place[0];").empty());
  CHECK(returning("  return;").empty());
  CHECK(returning("  returned = place[0];").empty());
}

TEST_CASE("a long text of statements within statements is read all the same", "[explain]") {
  std::string nested = "void k() {\n  x = s[t];\n  s[t] = 1;\n";
  for (int i = 0; i < 60'000; ++i) nested += "if (t) for (;;) {";
  advice({Advice::block_barrier, "put a `__syncthreads()` between line 2 and line 3"}, 3, 2,
         nested + std::string(60'000, '}') + "\n}\n");
}

}  // namespace cudalabs
