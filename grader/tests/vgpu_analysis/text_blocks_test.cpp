// Where the blocks of PTX begin and where threads go from them.
#include "vgpu/analysis/text_blocks.h"

#include <string>

#include "catch.h"

using namespace cudalabs::vgpu;

namespace {

ptx::Function function_of(const std::string& body) {
  return ptx::parse(
             ".version 7.7\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<3>;\n"
             ".reg .b32 %r<9>;\n" +
             body + "\n}\n")
      .functions.at(0);
}

const std::string kBranch = R"(
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra skip;
named:
  add.u32 %r1, %r1, 1;
skip:
  ret;
)";

}  // namespace

TEST_CASE("blocks begin where something leads, or at every label", "[vgpu]") {
  const ptx::Function function = function_of(kBranch);
  CHECK(block_starts(function, Labels::jumped_to) == std::vector<std::uint32_t>{0, 3, 4});
  const ptx::Function labels = function_of("  mov.u32 %r1, 1;\nhere:\n  mov.u32 %r1, 2;\n  ret;");
  CHECK(block_starts(labels, Labels::jumped_to) == std::vector<std::uint32_t>{0});
  CHECK(block_starts(labels, Labels::all) == std::vector<std::uint32_t>{0, 1});
  CHECK(block_starts(function_of(""), Labels::all).empty());
}

TEST_CASE("a branch leads to its target and on; a jump and an end do not go on", "[vgpu]") {
  const ptx::Function function = function_of(kBranch);
  CHECK(targets_of(function, function.instructions[2]) == std::vector<std::uint32_t>{4});
  CHECK(targets_of(function, function.instructions[0]).empty());
  CHECK(may_go_on(function.instructions[2]));
  CHECK_FALSE(may_go_on(function.instructions[4]));
  CHECK(ways_between(function, block_starts(function, Labels::jumped_to)) == Ways{{2, 1}, {2}, {}});
  const ptx::Function ends = function_of("  @%p1 exit;\n  mov.u32 %r1, 1;\n  trap;");
  CHECK(ways_between(ends, block_starts(ends, Labels::jumped_to)) == Ways{{1}, {}});
}

TEST_CASE("a jump table leads to all its places, and a guarded one on", "[vgpu]") {
  const std::string table = "t: .branchtargets a, b, a;\n";
  const std::string places = "a:\n  mov.u32 %r2, 1;\nb:\n  ret;";
  const ptx::Function plain = function_of(table + "  brx.idx %r1, t;\n" + places);
  CHECK(targets_of(plain, plain.instructions[0]) == std::vector<std::uint32_t>{1, 2, 1});
  CHECK(ways_between(plain, block_starts(plain, Labels::jumped_to)) == Ways{{1, 2, 1}, {2}, {}});
  const ptx::Function guarded = function_of(table + "  @%p1 brx.idx %r1, t;\n  exit;\n" + places);
  CHECK(ways_between(guarded, block_starts(guarded, Labels::jumped_to)) == Ways{{2, 3, 2, 1}, {}, {3}, {}});
}

TEST_CASE("a way to the end of the text leaves the function", "[vgpu]") {
  const ptx::Function function = function_of("  @%p1 bra out;\n  mov.u32 %r1, 1;\nout:\n");
  CHECK(targets_of(function, function.instructions[0]) == std::vector<std::uint32_t>{2});
  CHECK(ways_between(function, block_starts(function, Labels::jumped_to)) == Ways{{1}, {}});
}

TEST_CASE("an instruction belongs to the block that begins last before it", "[vgpu]") {
  const std::vector<std::uint32_t> starts{0, 3, 4};
  CHECK(block_of(starts, 0) == 0);
  CHECK(block_of(starts, 2) == 0);
  CHECK(block_of(starts, 3) == 1);
  CHECK(block_of(starts, 9) == 2);
}

TEST_CASE("what every thread executes that comes to the end", "[vgpu]") {
  CHECK(always_executed(function_of(kBranch)) == std::vector{true, true, false, false, true});
  const ptx::Function early = function_of("  mov.u32 %r1, 1;\n  @%p1 exit;\n  mov.u32 %r2, 1;\n  ret;");
  CHECK(always_executed(early) == std::vector{true, false, false, false});
  const ptx::Function to_the_end = function_of("  @%p1 bra end;\n  mov.u32 %r1, 1;\nend:");
  CHECK(always_executed(to_the_end) == std::vector{false, false});
  const ptx::Function loop = function_of("  mov.u32 %r1, 1;\nhere:\n  mov.u32 %r2, 2;\n  @%p1 bra here;\n  ret;");
  CHECK(always_executed(loop) == std::vector{true, true, false, true});
  CHECK(always_executed(function_of("here:\n  bra here;")) == std::vector{false});
  CHECK(always_executed(function_of("")).empty());
}
