// Barriers of a block that are found in the text, and ways that lead to them.
#include "source/barrier_text.h"

#include <string>

#include "catch.h"

namespace cudalabs {
namespace {

std::vector<std::string> barriers_in(std::string_view code) {
  std::vector<std::string> texts;
  for (const BarrierText& barrier : block_barriers_of(code)) texts.emplace_back(barrier.text);
  return texts;
}

/// The way from "from" to "to" in the code.
BarriersOnWay way_through(const std::string& between) {
  static std::string code;  // the result points into it
  code = "for (;;) { from(); " + between + " to(); }";
  static std::vector<BarrierWays> ways;
  ways = {BarrierWays(code)};
  return ways.front().between(code.find("from"), code.find("to("), {code.find("from"), code.find("to(")});
}

TEST_CASE("barriers of the block are found, those of other groups are not", "[source]") {
  using Texts = std::vector<std::string>;
  CHECK(barriers_in("__syncthreads();\nx = __syncthreads_or(a);\n__syncwarp();") ==
        Texts{"__syncthreads()", "__syncthreads_or(a)"});
  CHECK(barriers_in("auto team = cg::this_thread_block(); team.sync(); cg::sync(team); team.size();") ==
        Texts{"team.sync()", "cg::sync(team)"});
  CHECK(barriers_in("void f(const cg::thread_block& all) { all.sync(); }") == Texts{"all.sync()"});
  CHECK(barriers_in("auto t = cg::tiled_partition<32>(cg::this_thread_block()); t.sync();").empty());
  CHECK(barriers_in("cg::thread_block_tile<32> t = tile(); t.sync();").empty());
  CHECK(barriers_in("f(cg::thread_block g); void h(cg::grid_group g) { g.sync(); }").empty());
  CHECK(barriers_in("queue.sync(); sync(x); sync").empty());
  CHECK(block_barriers_of("\n\n__syncthreads();\n").front().line == 3);
}

TEST_CASE("a way leads to a barrier always, or under one condition", "[source]") {
  CHECK(way_through("a(); __syncthreads();").always);
  CHECK_FALSE(way_through("a();").always);
  const BarriersOnWay conditional = way_through("if (a) b(); else { __syncthreads(); }");
  CHECK(conditional.clear);
  CHECK_FALSE(conditional.always);
  REQUIRE(conditional.conditional.size() == 1);
  CHECK(conditional.conditional.front().condition.condition == "a");
  CHECK(way_through("if (a) b(); __syncthreads();").always);
  CHECK(way_through("if constexpr (a) __syncthreads();").conditional.size() == 1);
}

TEST_CASE("a call of a function leads to its barrier", "[source]") {
  static const std::string kCode =
      "__device__ void always() { __syncthreads(); }\n__device__ void some(int n) {\n  if (n > 1) __syncthreads();\n}\n"
      "__device__ void rounds(int n) { while (n--) __syncthreads(); }\n"
      "__global__ void k() {\n  a(); always(); b(); some(3); c(); rounds(3); d(); if (x) some(2); e();\n}\n";
  const BarrierWays ways(kCode);
  const auto between = [&](const std::string& from, const std::string& to) {
    const std::size_t begin = kCode.find(from), end = kCode.find(to);
    return ways.between(begin, end, {begin, end});
  };
  CHECK(between("a()", "b()").always);
  const BarriersOnWay some = between("b()", "c()");
  REQUIRE(some.conditional.size() == 1);
  CHECK(some.clear);
  CHECK_FALSE(some.always);
  CHECK(some.conditional.front().helper == "some");
  CHECK(some.conditional.front().called_from == 7);
  CHECK(some.conditional.front().condition.line == 3);
  CHECK_FALSE(between("c()", "d()").clear);
  CHECK_FALSE(between("d()", "e()").clear);
}

TEST_CASE("of other ways nothing is known", "[source]") {
  CHECK(way_through("\n#pragma unroll\nfor (;;) a(); __syncthreads();").clear);
  CHECK_FALSE(way_through("if (a) if (b) __syncthreads();").clear);
  CHECK_FALSE(way_through("while (a) __syncthreads();").clear);
  CHECK_FALSE(way_through("if (a) continue; __syncthreads();").clear);
  CHECK_FALSE(way_through("a && __syncthreads_or(b);").clear);
  CHECK_FALSE(way_through("\n#if A\n__syncthreads();\n#endif\n").clear);
}

TEST_CASE("the innermost loop around two places is found", "[source]") {
  const std::string code = "for (a;;) { for (b;;) { from(); } to(); }";
  const BarrierWays ways(code);
  const std::size_t from = code.find("from"), to = code.find("to(");
  REQUIRE(ways.loop_around(from, to) != nullptr);
  CHECK(ways.loop_around(from, to)->first == "a");
  CHECK(ways.loop_around(from, from)->first == "b");
  CHECK(ways.loop_around(0, to) == nullptr);
}

}  // namespace
}  // namespace cudalabs
