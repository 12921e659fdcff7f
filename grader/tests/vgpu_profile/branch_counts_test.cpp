// Both sides of every branch, from the counts of instructions alone: PTX run on the virtual GPU.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "catch.h"
#include "vgpu/profile/branch_counts.h"
#include "vgpu/profile/branch_sums.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// The kernel's body; %r1 is the thread's index (128 threads in 2 blocks), %r2 the parameter.
BranchCoverage run(const std::string& body, std::uint32_t parameter = 0, LaunchStatus status = LaunchStatus::ok) {
  const std::string text = fmt::format(R"(.version 7.0
.target sm_70
.address_size 64
.file 1 "k.cu"
.visible .entry k(.param .u32 n)
{{
.reg .pred %p<8>;
.reg .b32 %r<10>;
.loc 1 1 1
mov.u32 %r1, %tid.x;
mov.u32 %r3, %ctaid.x;
mad.lo.u32 %r1, %r3, 64, %r1;
ld.param.u32 %r2, [n];
{}
}}
)",
                                       body);
  VirtualGpuOptions options;
  options.model = device_model("t4");
  options.workers = 2;
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(text);
  std::array<std::byte, 4> parameters{};
  std::memcpy(parameters.data(), &parameter, sizeof parameter);
  LaunchConfig config;
  config.grid = {2, 1, 1};
  config.block = {64, 1, 1};
  CHECK(gpu.launch(module, "k", config, parameters).status == status);
  return gpu.branches();
}

BranchCount branch(std::uint32_t line, std::uint32_t next_line, std::uint64_t next, std::uint32_t other_line,
                   std::uint64_t other) {
  const auto place = [](std::uint32_t at) { return at == 0 ? SourcePlace{} : SourcePlace{"k.cu", at, 1}; };
  return {place(line), {place(next_line), next}, {place(other_line), other}};
}

}  // namespace

TEST_CASE("a guard, however the compiler turns it", "[profile]") {
  const BranchCoverage expected{branch(2, 3, 100, 4, 28)};
  CHECK(run(R"(
.loc 1 2 1
setp.ge.u32 %p1, %r1, 100;
@%p1 bra $end;
.loc 1 3 1
mov.u32 %r4, 1;
$end:
.loc 1 4 1
ret;)") == expected);
  CHECK(run(R"(
.loc 1 2 1
setp.lt.u32 %p1, %r1, 100;
@%p1 bra $then;
bra.uni $end;
$then:
.loc 1 3 1
mov.u32 %r4, 1;
$end:
.loc 1 4 1
ret;)") == expected);
  CHECK(run(R"(
.loc 1 2 1
setp.lt.u32 %p1, %r1, 100;
@!%p1 bra $skip;
bra.uni $then;
$then:
.loc 1 3 1
mov.u32 %r4, 1;
bra.uni $end;
$skip:
.loc 1 0 1
bra.uni $end;
$end:
.loc 1 4 1
ret;)") == expected);
}

TEST_CASE("a guard whose other side no thread takes", "[profile]") {
  const std::string guard = R"(
.loc 1 2 1
setp.ge.u32 %p1, %r1, %r2;
@%p1 bra $end;
.loc 1 3 1
mov.u32 %r4, 1;
$end:
.loc 1 4 1
ret;)";
  CHECK(run(guard, 128) == BranchCoverage{branch(2, 3, 128, 4, 0)});
  CHECK(run(guard, 127) == BranchCoverage{branch(2, 3, 127, 4, 1)});
  CHECK(run(guard, 0) == BranchCoverage{branch(2, 3, 0, 4, 128)});
}

TEST_CASE("two conditions with one way out, a loop and an else", "[profile]") {
  const BranchCoverage seen = run(R"(
.loc 1 2 1
setp.ge.u32 %p1, %r1, 100;
@%p1 bra $out;
.loc 1 2 9
setp.ge.u32 %p2, %r3, 1;
@%p2 bra $out;
.loc 1 3 1
mov.u32 %r5, 0;
$head:
.loc 1 4 1
setp.lt.u32 %p3, %r5, %r1;
@%p3 bra $body;
bra.uni $done;
$done:
bra.uni $after;
$body:
.loc 1 5 1
add.u32 %r5, %r5, 1;
bra.uni $head;
$after:
.loc 1 6 1
and.b32 %r6, %r1, 1;
setp.eq.u32 %p4, %r6, 0;
@%p4 bra $even;
.loc 1 7 1
mov.u32 %r4, 1;
bra.uni $out;
$even:
.loc 1 9 1
mov.u32 %r4, 2;
$out:
.loc 1 10 1
ret;)");
  BranchCoverage expected{branch(2, 2, 100, 10, 28), branch(2, 3, 64, 10, 36), branch(4, 5, 64 * 63 / 2, 6, 64),
                          branch(6, 7, 32, 9, 32)};
  expected[0].next.to.column = 9;
  expected[1].where.column = 9;
  CHECK(seen == expected);
}

TEST_CASE("a loop that tests at its end goes on after it, or back", "[profile]") {
  CHECK(run(R"(
.loc 1 2 1
mov.u32 %r5, 0;
$again:
.loc 1 3 1
add.u32 %r5, %r5, 1;
.loc 1 4 1
setp.lt.u32 %p1, %r5, 5;
@%p1 bra $again;
.loc 1 5 1
ret;)") == BranchCoverage{branch(4, 5, 128, 3, 4 * 128)});
}

TEST_CASE("threads that leave early do not disturb what follows", "[profile]") {
  CHECK(run(R"(
.loc 1 2 1
setp.ge.u32 %p1, %r1, 120;
@%p1 ret;
.loc 1 3 1
setp.ge.u32 %p2, %r1, 100;
@%p2 bra $end;
.loc 1 4 1
mov.u32 %r4, 1;
$end:
.loc 1 5 1
ret;)") == BranchCoverage{branch(3, 4, 100, 5, 20)});
}

TEST_CASE("a branch to the very end of the text", "[profile]") {
  // Nothing stands there, so that nobody counts who comes to it.
  CHECK(run(R"(
.loc 1 2 1
setp.ge.u32 %p1, %r1, 100;
@%p1 bra $end;
.loc 1 3 1
mov.u32 %r4, 1;
$end:)")
            .empty());
}

TEST_CASE("a branch to the next instruction has no sides", "[profile]") {
  CHECK(run(R"(
.loc 1 2 1
setp.ge.u32 %p1, %r1, 100;
@%p1 bra $end;
$end:
.loc 1 4 1
ret;)")
            .empty());
}

TEST_CASE("what the counts do not decide is left out", "[profile]") {
  // The ways of two branches meet at both of their ends.
  CHECK(run(R"(
.loc 1 2 1
and.b32 %r6, %r1, 1;
setp.eq.u32 %p1, %r6, 0;
setp.lt.u32 %p2, %r1, 32;
setp.lt.u32 %p3, %r1, 64;
@%p3 bra $two;
.loc 1 3 1
@%p1 bra $left;
$right:
.loc 1 6 1
mov.u32 %r4, 2;
ret;
$two:
.loc 1 4 1
@%p2 bra $right;
$left:
.loc 1 5 1
mov.u32 %r4, 1;
ret;)") == BranchCoverage{branch(2, 3, 64, 4, 64)});
}

TEST_CASE("a switch goes by its table", "[profile]") {
  CHECK(run(R"(
.loc 1 2 1
and.b32 %r6, %r1, 3;
table: .branchtargets $a, $b, $a, $b;
brx.idx %r6, table;
$a:
.loc 1 3 1
setp.lt.u32 %p1, %r1, 10;
@%p1 bra $b;
.loc 1 4 1
mov.u32 %r4, 1;
$b:
.loc 1 5 1
ret;)") == BranchCoverage{branch(3, 4, 59, 5, 5)});
}

TEST_CASE("a launch that is cut short says nothing of branches", "[profile]") {
  CHECK(run(R"(
.loc 1 2 1
setp.ge.u32 %p1, %r1, 100;
@%p1 bra $end;
.loc 1 3 1
trap;
$end:
.loc 1 4 1
ret;)",
            0, LaunchStatus::trap)
            .empty());
}

TEST_CASE("counts that contradict each other decide nothing", "[profile]") {
  BranchTable table;
  table.functions = {{{0, 3}, {0, 3}, {0, 2}, {0, 1}}};
  table.blocks.resize(3);
  table.blocks[0] = {0, 0, true, {}, {0, 1}};
  table.blocks[1] = {1, 1, false, {0}, {}};
  table.blocks[2] = {2, 2, false, {1}, {}};
  table.ways = {{0, 1}, {0, 2}};
  table.branches = {{{"k.cu", 1, 1}, {0, {"k.cu", 2, 1}}, {1, {"k.cu", 3, 1}}}};
  const std::array<std::uint64_t, 3> right{10, 7, 3};
  CHECK(branch_counts(table, table.functions[0], right) == std::vector<BranchThreads>{{0, 7, 3}});
  CHECK(branch_counts(table, table.functions[0], {}) == std::vector<BranchThreads>{{0, 0, 0}});
  table.blocks[2].first.reset();  // now only the first block says how many come there
  const std::array<std::uint64_t, 3> wrong{5, 7, 0};
  CHECK(branch_counts(table, table.functions[0], wrong).empty());
}

TEST_CASE("a launch counts for its whole module, and costs by what it can come to", "[profile]") {
  // Functions of one branch each, at the places 1, 2 and, two of them, 3.
  BranchTable table;
  for (std::uint32_t f = 0; f < 4; ++f) {
    table.functions.push_back({{3 * f, 3}, {3 * f, 3}, {2 * f, 2}, {f, 1}});
    table.blocks.push_back({3 * f, 3 * f, true, {}, {2 * f, 2 * f + 1}});
    table.blocks.push_back({3 * f + 1, 3 * f + 1, false, {2 * f}, {}});
    table.blocks.push_back({3 * f + 2, 3 * f + 2, false, {2 * f + 1}, {}});
    table.ways.push_back({3 * f, 3 * f + 1});
    table.ways.push_back({3 * f, 3 * f + 2});
    const SourcePlace where{"k.cu", std::min(f + 1, 3u), 1};
    table.branches.push_back({where, {2 * f, {"k.cu", 10 + f, 1}}, {2 * f + 1, {"k.cu", 20 + f, 1}}});
  }
  std::vector<FunctionInfo> functions(4);
  for (std::uint32_t f = 0; f < 4; ++f) functions[f].first = 3 * f, functions[f].count = 3;
  const auto expect = [](std::uint32_t line, std::uint32_t f, std::uint64_t next, std::uint64_t other) {
    return BranchCount{{"k.cu", line, 1}, {{"k.cu", 10 + f, 1}, next}, {{"k.cu", 20 + f, 1}, other}};
  };
  BranchSums sums;
  BranchSums::ModuleBranches module;
  const auto launch = [&](const std::vector<std::uint32_t>& called, const std::vector<std::uint64_t>& lanes) {
    sums.add(module, table, {functions, called}, lanes);
  };
  launch({3, 1}, {9, 4, 5, 6, 6, 0});
  CHECK(sums.coverage() == BranchCoverage{expect(1, 0, 0, 0), expect(2, 1, 4, 5), expect(3, 2, 6, 0)});
  launch({0}, {3, 1, 2});
  launch({2}, {7, 0, 7});
  launch({3}, {1, 1, 0});
  CHECK(sums.coverage() == BranchCoverage{expect(1, 0, 1, 2), expect(2, 1, 4, 5), expect(3, 2, 7, 7)});
}

TEST_CASE("a branch that contradicts itself in the first launch is known from the next one", "[profile]") {
  BranchTable table;
  table.functions = {{{0, 3}, {0, 3}, {0, 2}, {0, 1}}, {{3, 1}, {3, 0}, {2, 0}, {1, 0}}};
  table.blocks.resize(3);
  table.blocks[0] = {0, 0, true, {}, {0, 1}};
  table.blocks[1] = {1, 1, false, {0}, {}};
  table.blocks[2] = {{}, 2, false, {1}, {}};
  table.ways = {{0, 1}, {0, 2}};
  table.branches = {{{"k.cu", 1, 1}, {0, {"k.cu", 2, 1}}, {1, {"k.cu", 3, 1}}}};
  std::vector<FunctionInfo> functions(2);
  functions[0].count = 3;
  functions[1].first = 3;
  functions[1].count = 1;
  BranchSums sums;
  BranchSums::ModuleBranches module;
  sums.add(module, table, {functions, std::vector<std::uint32_t>{0}}, std::vector<std::uint64_t>{5, 7, 0});
  CHECK(sums.size() == 0);
  sums.add(module, table, {functions, std::vector<std::uint32_t>{1}}, std::vector<std::uint64_t>{5});
  CHECK(sums.coverage() == BranchCoverage{{{"k.cu", 1, 1}, {{"k.cu", 2, 1}, 0}, {{"k.cu", 3, 1}, 0}}});
}

TEST_CASE("merging adds the counts of the same place and keeps the order", "[profile]") {
  BranchCoverage sum{branch(5, 6, 1, 8, 2)};
  merge_branches(sum, {branch(2, 3, 1, 4, 0), branch(5, 6, 10, 8, 20)});
  CHECK(sum == BranchCoverage{branch(2, 3, 1, 4, 0), branch(5, 6, 11, 8, 22)});
}
