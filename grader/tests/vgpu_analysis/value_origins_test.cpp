// Which instructions have a part in what is stored: told by their lines.
#include "vgpu/analysis/value_origins.h"

#include <set>
#include <string>
#include <utility>

#include "catch.h"

using namespace cudalabs::vgpu;

namespace {

const std::string kHead = R"(.version 7.7
.target sm_80
.address_size 64
.file 1 "k.cu"
)";

const std::string kEntry = R"(.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
.reg .pred %p<9>;
.reg .b16 %h<9>;
.reg .b32 %r<30>;
.reg .f32 %f<30>;
.reg .b64 %d<30>;
.shared .align 4 .b8 tile[1024];
.local .align 4 .b8 depot[64];
  ld.param.u64 %d1, [a];
  ld.param.u64 %d2, [b];
  ld.param.u64 %d3, [c];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %d4, %r2, 4;
  add.s64 %d5, %d1, %d4;
  add.s64 %d6, %d3, %d4;
)";

using Lines = std::set<std::pair<OriginKind, std::uint32_t>>;

/// Of the only store to global memory.
Lines origins_in(const std::string& body, const std::string& before = {}) {
  const ptx::Module module = ptx::parse(kHead + before + kEntry + body + "  ret;\n}\n");
  const ValueOrigins origins = value_origins(module);
  Lines lines;
  for (const auto& [store, found] : origins.of_stores) {
    for (const ValueOrigin& origin : found)
      lines.emplace(origin.kind,
                    module.functions[origin.place.function].instructions[origin.place.instruction].location.line);
  }
  return lines;
}

/// A loop that sums what `a` holds, with more of its body and what `%r6` is, which it counts up to.
std::string sum_loop(const std::string& bound, const std::string& body = {}) {
  return bound + R"(
  mov.u32 %r5, 0;
  mov.f32 %f9, 0f00000000;
head:
  .loc 1 20 1
  setp.lt.s32 %p1, %r5, %r6;
  @%p1 bra more;
  bra.uni done;
more:
  .loc 1 21 1
  mul.wide.s32 %d7, %r5, 4;
  add.s64 %d8, %d1, %d7;
  ld.global.f32 %f1, [%d8];
)" + body +
         R"(
  .loc 1 23 1
  add.f32 %f9, %f9, %f1;
  .loc 1 24 1
  add.s32 %r5, %r5, 1;
  bra.uni head;
done:
  .loc 1 30 1
  st.global.f32 [%d6], %f9;
)";
}

}  // namespace

TEST_CASE("a value that loses digits leads to where it does", "[vgpu]") {
  CHECK(origins_in(R"(
  ld.global.f32 %f1, [%d5];
  .loc 1 7 1
  cvt.rn.f16.f32 %h1, %f1;
  cvt.f32.f16 %f2, %h1;
  st.global.f32 [%d6], %f2;
)") == Lines{{OriginKind::half, 7}});
  CHECK(origins_in(R"(
  ld.global.f32 %f1, [%d5];
  mov.b32 %r4, %f1;
  .loc 1 8 1
  and.b32 %r5, %r4, -8192;
  mov.b32 %f2, %r5;
  st.global.f32 [%d6], %f2;
)") == Lines{{OriginKind::half, 8}});
  CHECK(origins_in(R"(
  ld.global.f32 %f1, [%d5];
  .loc 1 9 1
  cvt.rzi.s32.f32 %r4, %f1;
  cvt.rn.f32.s32 %f2, %r4;
  st.global.f32 [%d6], %f2;
)") == Lines{{OriginKind::integer, 9}});
}

TEST_CASE("an index or another value that loses digits is of no interest", "[vgpu]") {
  CHECK(origins_in(R"(
  ld.global.f32 %f1, [%d5];
  .loc 1 7 1
  cvt.rzi.s32.f32 %r4, %f1;
  mul.wide.s32 %d7, %r4, 4;
  add.s64 %d8, %d3, %d7;
  st.global.f32 [%d8], %f1;
)")
            .empty());
  CHECK(origins_in(R"(
  ld.global.u32 %r4, [%d5];
  and.b32 %r5, %r4, -8192;
  st.global.u32 [%d6], %r5;
)")
            .empty());
}

TEST_CASE("digits are lost in a function that is called", "[vgpu]") {
  const std::string callee = R"(.visible .func (.param .b32 out) cut(.param .b32 in)
{
.reg .b16 %h<2>;
.reg .f32 %f<3>;
  ld.param.f32 %f1, [in];
  .loc 1 4 1
  cvt.rn.f16.f32 %h1, %f1;
  cvt.f32.f16 %f2, %h1;
  st.param.f32 [out], %f2;
  ret;
}
)";
  CHECK(origins_in(R"(
  ld.global.f32 %f1, [%d5];
  {
  .param .b32 p0;
  st.param.f32 [p0], %f1;
  .param .b32 r0;
  call.uni (r0), cut, (p0);
  ld.param.f32 %f2, [r0];
  }
  st.global.f32 [%d6], %f2;
)",
                   callee) == Lines{{OriginKind::half, 4}});
}

TEST_CASE("a loop that sums leads to its condition, and to where its end is computed", "[vgpu]") {
  CHECK(origins_in(sum_loop("  mov.u32 %r6, %r1;")) == Lines{{OriginKind::loop, 20}});
  CHECK(origins_in(sum_loop("  .loc 1 18 1\n  shr.s32 %r6, %r1, 4;")) ==
        Lines{{OriginKind::loop, 20}, {OriginKind::loop_end, 18}});
  // A number of the text is the same for every size.
  CHECK(origins_in(sum_loop("  mov.u32 %r6, 16;")).empty());
}

TEST_CASE("a way out of the loop that depends on data is told", "[vgpu]") {
  CHECK(origins_in(sum_loop("  mov.u32 %r6, %r1;", R"(
  .loc 1 22 1
  setp.eq.f32 %p2, %f1, 0f00000000;
  @%p2 bra done;
)")) == Lines{{OriginKind::loop, 20}, {OriginKind::early_exit, 22}});
  // As compilers write `break`: a register says whether the loop was left.
  CHECK(origins_in(sum_loop("  mov.u32 %r6, %r1;", R"(
  .loc 1 22 1
  setp.neu.f32 %p2, %f1, 0f00000000;
  @%p2 bra stays;
  mov.u32 %r9, 5;
  bra.uni asks;
stays:
  mov.u32 %r9, 0;
asks:
  setp.ne.s32 %p3, %r9, 0;
  @%p3 bra done;
)")) == Lines{{OriginKind::loop, 20}, {OriginKind::early_exit, 22}});
}

namespace {

/// Rounds of a tile: `fill` stores to the place in shared memory at `%d9`, which the sum reads.
std::string tile_loop(const std::string& fill) {
  return R"(
  mov.u64 %d8, tile;
  add.s64 %d9, %d8, %d4;
  mov.u32 %r5, 0;
  mov.f32 %f9, 0f00000000;
head:
  .loc 1 20 1
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra done;
  ld.global.f32 %f1, [%d5];
  setp.lt.s32 %p2, %r5, 3;
)" + fill +
         R"(
  bar.sync 0;
  .loc 1 23 1
  ld.shared.f32 %f2, [%d8];
  add.f32 %f9, %f9, %f2;
  add.s32 %r5, %r5, 1;
  bra.uni head;
done:
  st.global.f32 [%d6], %f9;
)";
}

}  // namespace

TEST_CASE("what fills shared memory is told, and whether a round may go without", "[vgpu]") {
  CHECK(origins_in(tile_loop("  .loc 1 21 1\n  st.shared.f32 [%d9], %f1;\n")) ==
        Lines{{OriginKind::loop, 20}, {OriginKind::fill, 21}, {OriginKind::fill_read, 23}});
  CHECK(
      origins_in(tile_loop("  @%p2 bra skip;\n  .loc 1 21 1\n  st.shared.f32 [%d9], %f1;\nskip:\n")) ==
      Lines{
          {OriginKind::loop, 20}, {OriginKind::fill, 21}, {OriginKind::fill_read, 23}, {OriginKind::partial_fill, 21}});
  // One store or the other.
  CHECK_FALSE(origins_in(tile_loop(R"(
  @%p2 bra other;
  st.shared.f32 [%d9], %f1;
  bra.uni filled;
other:
  st.shared.f32 [%d9], 0f00000000;
filled:
)"))
                  .contains({OriginKind::partial_fill, 20}));
}

TEST_CASE("shared memory is followed where its address is widened to a generic one", "[vgpu]") {
  CHECK(origins_in(R"(
  mov.u32 %r4, tile;
  {
  .reg .b64 %tmp;
  cvt.u64.u32 %tmp, %r4;
  cvta.shared.u64 %d8, %tmp;
  }
  add.s64 %d9, %d8, %d4;
  ld.global.f32 %f1, [%d5];
  .loc 1 21 1
  st.f32 [%d9], %f1;
  bar.sync 0;
  .loc 1 23 1
  ld.f32 %f2, [%d8];
  st.f32 [%d6], %f2;
)") == Lines{{OriginKind::fill, 21}, {OriginKind::fill_read, 23}});
}

TEST_CASE("an access leads to where its index loses bits", "[vgpu]") {
  const auto cuts = [](const std::string& cut) {
    const ptx::Module module = ptx::parse(kHead + kEntry + R"(
  mul.wide.u32 %d7, %r2, 65536;
  .loc 1 12 1
)" + cut + R"(
  mul.wide.s32 %d8, %r3, 4;
  add.s64 %d9, %d1, %d8;
  .loc 1 14 1
  ld.global.f32 %f1, [%d9];
  st.global.f32 [%d6], %f1;
  ret;
}
)");
    std::set<std::pair<std::uint32_t, std::uint32_t>> lines;
    for (const auto& [access, place] : value_origins(module).cut_indices)
      lines.emplace(module.functions[0].instructions[access.instruction].location.line,
                    module.functions[0].instructions[place.instruction].location.line);
    return lines;
  };
  CHECK(cuts("  cvt.u32.u64 %r3, %d7;") == std::set<std::pair<std::uint32_t, std::uint32_t>>{{14, 12}});
  CHECK(cuts("  mov.u32 %r3, %r2;").empty());
}

TEST_CASE("an access leads to the parameter that its address comes from", "[vgpu]") {
  const ptx::Module module = ptx::parse(kHead + kEntry + R"(
  .loc 1 12 1
  ld.global.f32 %f1, [%d5];
  .loc 1 13 1
  ld.global.f32 %f2, [%d2+4];
  .loc 1 14 1
  st.shared.f32 [tile], %f1;
  .loc 1 15 1
  st.global.f32 [%d6], %f2;
  ret;
}
)");
  std::set<std::pair<std::uint32_t, std::uint32_t>> lines;
  for (const auto& [access, parameter] : value_origins(module).pointers) {
    const std::uint32_t line = module.functions[access.function].instructions[access.instruction].location.line;
    if (line != 0) lines.emplace(line, parameter);
  }
  CHECK(lines == std::set<std::pair<std::uint32_t, std::uint32_t>>{{12, 0}, {13, 1}, {15, 2}});
}

TEST_CASE("a read at a place that depends on the block's number is told", "[vgpu]") {
  const auto body = [](const std::string& index) {
    return index + R"(
  mul.wide.u32 %d7, %r3, 4;
  add.s64 %d8, %d1, %d7;
  .loc 1 14 1
  ld.global.f32 %f1, [%d8];
  st.global.f32 [%d6], %f1;
)";
  };
  CHECK(origins_in(body("  mov.u32 %r4, %ctaid.x;\n  add.s32 %r3, %r4, %r2;")) == Lines{{OriginKind::block_read, 14}});
  CHECK(origins_in(body("  add.s32 %r3, %r2, 1;")).empty());
}

TEST_CASE("a fill names the parameter that it takes its values from", "[vgpu]") {
  const ptx::Module module = ptx::parse(kHead + kEntry + tile_loop("  st.shared.f32 [%d9], %f1;\n") + "  ret;\n}\n");
  const ValueOrigins origins = value_origins(module);
  REQUIRE(origins.of_stores.size() == 1);
  for (const ValueOrigin& origin : origins.of_stores.begin()->second)
    if (origin.kind == OriginKind::fill) CHECK(origin.parameter == 0u);
}

TEST_CASE("an array of the thread that is indexed by the thread's number is told, others are not", "[vgpu]") {
  const auto body = [](const std::string& index) {
    return R"(
  ld.global.f32 %f1, [%d5];
  mov.u64 %d8, depot;
)" + index +
           R"(
  add.s64 %d10, %d8, %d9;
  .loc 1 11 1
  st.local.f32 [%d10], %f1;
  mul.wide.s32 %d11, %r1, 4;
  add.s64 %d12, %d8, %d11;
  ld.local.f32 %f2, [%d12];
  st.global.f32 [%d6], %f2;
)";
  };
  CHECK(origins_in(body("  mul.wide.u32 %d9, %r2, 4;")) == Lines{{OriginKind::own_array, 11}});
  CHECK(origins_in(body("  mul.wide.u32 %d9, %r1, 4;")).empty());
}

TEST_CASE("who is past the only exit of an endless loop never leaves it", "[vgpu]") {
  const auto never_left = [](const std::string& head, const std::string& body) {
    const ptx::Module module = ptx::parse(kHead + ".func f()\n{\n  ret;\n}\n" + kEntry + R"(
  mov.u32 %r5, 0;
head:
)" + head + R"(
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra done;
)" + body + R"(
  bra.uni head;
done:
  ret;
}
)");
    std::set<std::uint32_t> places;
    for (const CodePlace place : value_origins(module).never_left) places.insert(place.instruction);
    return places;
  };
  const std::set<std::uint32_t> body = never_left("", "  st.global.u32 [%d6], %r5;");
  REQUIRE(body.size() == 2);  // the store and the branch
  CHECK(*body.begin() + 1 == *body.rbegin());
  CHECK(never_left("", "  add.s32 %r5, %r5, 1;").empty());
  CHECK(never_left("  ld.global.u32 %r5, [%d5];", "").empty());
  // A flag that is set in one way through a round.
  CHECK(never_left("", "  @%p3 bra more;\n  mov.u32 %r5, 7;\nmore:").empty());
  CHECK(never_left("  ld.local.u32 %r6, [depot+4];\n  setp.eq.u32 %p6, %r6, 0;\n  @%p6 bra done;",
                   "  @%p3 bra more;\n  st.local.u32 [depot+4], 0;\nmore:")
            .empty());
  // Other threads may leave, or vote otherwise.
  CHECK(never_left("  activemask.b32 %r5;", "").empty());
  CHECK(never_left("  vote.sync.ballot.b32 %r5, %p3, 0xffffffff;", "").empty());
  CHECK(never_left("  barrier.red.popc.u32 %r5, 0, %p3;", "").empty());
  CHECK(never_left("  bar.red.or.pred %p4, 0, %p3;\n  @%p4 bra done;", "").empty());
  CHECK(never_left("  @%p5 bra done;", "").empty());
  // There is another way out.
  CHECK(never_left("", "  setp.eq.s32 %p2, %r2, 7;\n  @%p2 bra done;").empty());
  CHECK(never_left("", "  @%p2 ret;").empty());
  CHECK(never_left("", "  @%p2 exit;").empty());
  CHECK(never_left("", "  call.uni f;").empty());
}

TEST_CASE("a loop whose condition nothing changes is endless", "[vgpu]") {
  const auto endless = [](const std::string& step) {
    const ptx::Module module = ptx::parse(kHead + kEntry + R"(
  mov.u32 %r5, 0;
head:
  mov.u32 %r6, %r5;
  .loc 1 20 1
  setp.ge.s32 %p1, %r6, %r1;
  @%p1 bra done;
  .loc 1 21 1
)" + step + R"(
  bra.uni head;
done:
  ret;
}
)");
    std::set<std::uint32_t> lines;
    for (const auto& [inside, condition] : value_origins(module).endless)
      lines.insert(module.functions[0].instructions[condition.instruction].location.line);
    return lines;
  };
  CHECK(endless("  st.global.u32 [%d6], %r5;") == std::set<std::uint32_t>{20});
  CHECK(endless("  add.s32 %r5, %r6, 1;").empty());
  CHECK(endless("  ld.global.u32 %r5, [%d5];").empty());
  CHECK(endless("  atom.global.add.u32 %r5, [%d5], 1;").empty());
  CHECK(endless("  mov.u32 %r5, %clock;").empty());
}

TEST_CASE("a loop whose end depends on which way its own conditions took in the round before", "[vgpu]") {
  const Lines lines = origins_in(R"(
  mov.u32 %r5, 0;
  mov.u32 %r7, 0;
head:
  setp.gt.s32 %p2, %r5, %r1;
  setp.gt.s32 %p3, %r5, 100;
  or.pred %p4, %p2, %p3;
  @%p4 bra behind;
  mov.u32 %r6, 0;
inner:
  add.s32 %r6, %r6, 1;
  add.s32 %r7, %r6, %r5;
  setp.le.s32 %p5, %r7, %r1;
  @%p5 bra inner;
behind:
  .loc 1 30 1
  setp.ge.s32 %p6, %r7, %r1;
  or.pred %p7, %p6, %p4;
  mov.u32 %r5, %r7;
  @!%p7 bra head;
  .loc 1 31 1
  st.global.u32 [%d6], %r7;
)");
  CHECK_FALSE(lines.empty());
}
