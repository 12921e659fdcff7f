// Two buffers by turns: an index that stays the same, and races that have another cause.
#include "explain/barriers/same_buffer.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

/// The loop of a kernel, in lines 4 to 9.
std::string kernel(const std::string& flip, const std::string& store = "tile[buf][t] = in[i];",
                   const std::string& between = "__syncthreads();",
                   const std::string& load = "sum += tile[buf][t + 1];", const std::string& at_end = "") {
  return "__global__ void k(const float* in) {\n  __shared__ float tile[2][64];\n  int buf = 0;\n  for (;;) {\n    " +
         flip + "\n    " + store + "\n    " + between + "\n    " + load + "\n    " + at_end + "\n  }\n}\n";
}

MergedFinding shown(const std::string& source, const std::string& place = "tile[1][0]",
                    Advice advice = Advice::block_barrier, bool next_round = true) {
  MergedFinding finding;
  finding.id = finding_ids::kSharedRace;
  finding.where = {"k.cu", 6, 3};
  finding.other = OtherPlace{"the other thread's read is here", {"k.cu", 8, 3}, {}, {}};
  finding.note = "4 bytes in conflict at `" + place + "`";
  finding.access.element = place;
  finding.help = {advice, "put a `__syncthreads()` after line 8, before line 6 is executed again"};
  finding.barrier = {.after = 8, .before = 6, .next_round = next_round};
  show_same_buffer(finding, source);
  return finding;
}

bool is_told(const std::string& source, const std::string& place = "tile[1][0]") {
  return shown(source, place).note.starts_with("`buf` is");
}

}  // namespace

TEST_CASE("a buffer's index that does not change from round to round is shown where it is set") {
  const MergedFinding told = shown(kernel("buf ^= i & 1;"));
  CHECK(told.note ==
        "`buf` is 1 in two rounds of the loop, one after the other: it does not alternate\n"
        "the other access is in line 8\n4 bytes in conflict at `tile[1][0]`");
  CHECK(told.other->place.line == 5);
  CHECK(told.help.starts_with("let `buf` change in every round"));
  CHECK(told.help.ends_with("or else put a `__syncthreads()` after line 8, before line 6 is executed again"));
  CHECK(shown(kernel("", "tile[buf][t] = in[i];", "__syncthreads();", "sum += tile[buf][t];", "buf ^= i & 1;"))
            .other->place.line == 9);
}

TEST_CASE("an index that is the number of the thread is of no buffer") {
  std::string source = kernel("", "tile[t][c] = in[i];", "__syncthreads();", "sum += tile[t][k];");
  source.replace(source.find("int buf = 0;"), 12, "const int c = threadIdx.x, t = threadIdx.y;");
  const MergedFinding finding = shown(source);
  CHECK(finding.help.starts_with("put a `__syncthreads()`"));
  CHECK(finding.other->place.line == 8);
}

TEST_CASE("a race within one round, of one buffer, or of two indices has another cause") {
  CHECK_FALSE(is_told(kernel("buf ^= 1;", "tile[buf][t] = in[i];", "")));
  CHECK_FALSE(is_told(kernel("buf ^= 1;", "tile[buf ^ 1][t] = in[i];")));
  CHECK_FALSE(is_told(kernel("buf ^= 1;", "tile[buf][t] = in[i];", "__syncthreads();", "sum += tile[next][t];")));
  CHECK_FALSE(is_told(kernel("", "tile[buf][t] = in[i];", "__syncthreads(); buf ^= 1;")));
  CHECK_FALSE(is_told(kernel("buf ^= 1;"), "tile[3]"));
  // The advice is about other lines, or another one.
  const std::string source = kernel("buf ^= i & 1;");
  CHECK(shown(source, "tile[1][0]", Advice::atomic_or_barrier).note.starts_with("`buf` is"));
  CHECK_FALSE(shown(source, "tile[1][0]", Advice::unsaid).note.starts_with("`buf` is"));
  CHECK_FALSE(shown(source, "tile[1][0]", Advice::block_barrier, false).note.starts_with("`buf` is"));
  MergedFinding other = shown(kernel("buf ^= i & 1;"));
  CHECK(other.id == finding_ids::kSharedRace);
}

}  // namespace cudalabs::test
