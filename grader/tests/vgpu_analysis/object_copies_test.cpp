// Which loads only copy, and how much of an object with padding they may be: told by their lines.
#include "vgpu/analysis/object_copies.h"

#include <map>
#include <string>

#include "catch.h"

using namespace cudalabs::vgpu;

namespace {

using UnitsByPtxLine = std::map<std::uint32_t, std::uint32_t>;

/// `body` in a kernel, from line 1 on; %d1 and %d2 are its arrays.
UnitsByPtxLine copies_in(const std::string& body) {
  const std::string top = R"(.version 7.7
.target sm_80
.address_size 64
.file 1 "k.cu"
.shared .align 8 .b8 tile[256];
.visible .entry k(.param .u64 a, .param .u64 b)
{
.reg .pred %p<9>;
.reg .b16 %h<30>;
.reg .b32 %r<30>;
.reg .f32 %f<30>;
.reg .b64 %d<30>;
  ld.param.u64 %d1, [a];
  ld.param.u64 %d2, [b];
)";
  constexpr std::uint32_t kLinesBefore = 14;
  const ptx::Module module = ptx::parse(top + body + "  ret;\n}\n");
  UnitsByPtxLine units;
  for (const auto& [place, unit] : object_copies(module))
    units.emplace(module.functions[place.function].instructions[place.instruction].ptx_line - kLinesBefore, unit);
  return units;
}

}  // namespace

TEST_CASE("a load whose value is only stored copies", "[object_copies]") {
  CHECK(copies_in("ld.global.u32 %r1, [%d1];\nst.global.u32 [%d2], %r1;\n") == UnitsByPtxLine{{1, 4}});
  CHECK(copies_in("ld.shared.u16 %h1, [tile];\nst.u16 [%d2], %h1;\n") == UnitsByPtxLine{{1, 2}});
  CHECK(copies_in("ld.u8 %h1, [%d1];\nst.local.u8 [%d2], %h1;\n") == UnitsByPtxLine{{1, 1}});
  CHECK(copies_in("ld.global.nc.u64 %d3, [%d1];\nst.global.u64 [%d2], %d3;\n") == UnitsByPtxLine{{1, 8}});
  // Two of the vector's elements go two ways, and it is wider than a scalar.
  CHECK(copies_in("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%d1];\nst.global.v2.u32 [%d2], {%r1, %r2};\n"
                  "st.global.v2.u32 [%d2+8], {%r3, %r4};\n") == UnitsByPtxLine{{1, 8}});
  CHECK(copies_in("ld.global.v2.u8 {%h1, %h2}, [%d1];\nst.global.v2.u8 [%d2], {%h1, %h2};\n") ==
        UnitsByPtxLine{{1, 2}});
}

TEST_CASE("a load whose value is used for anything else is no copy", "[object_copies]") {
  CHECK(copies_in("ld.global.f32 %f1, [%d1];\nadd.f32 %f2, %f1, %f1;\nst.global.f32 [%d2], %f2;\n").empty());
  CHECK(copies_in("ld.global.u64 %d3, [%d1];\nst.global.u64 [%d3], %d2;\n").empty());  // an address
  CHECK(copies_in("ld.global.u64 %d3, [%d1];\nst.global.u64 [%d2], %d3;\nadd.s64 %d4, %d3, 1;\n").empty());
  CHECK(copies_in("ld.global.v2.u32 {%r1, %r2}, [%d1];\nst.global.u32 [%d2], %r1;\n"
                  "setp.eq.s32 %p1, %r2, 0;\n")
            .empty());
  CHECK(copies_in("ld.volatile.global.u32 %r1, [%d1];\nst.global.u32 [%d2], %r1;\n").empty());
  CHECK(copies_in("ld.param.u64 %d3, [a];\nst.global.u64 [%d2], %d3;\n").empty());
}

TEST_CASE("so does one of which only the low part is taken", "[object_copies]") {
  CHECK(copies_in("ld.global.nc.u64 %d3, [%d1];\ncvt.u16.u64 %h1, %d3;\nst.global.u16 [%d2], %h1;\n") ==
        UnitsByPtxLine{{1, 8}});
  CHECK(copies_in("ld.global.u32 %r1, [%d1];\ncvt.u64.u32 %d3, %r1;\nst.global.u64 [%d2], %d3;\n").empty());
  CHECK(copies_in("ld.global.f32 %f1, [%d1];\ncvt.rzi.s32.f32 %r1, %f1;\nst.global.u32 [%d2], %r1;\n").empty());
}

TEST_CASE("copies of one place of the source are of one object", "[object_copies]") {
  const std::string two =
      "ld.global.u32 %r1, [%d1];\nld.global.u32 %r2, [%d1+4];\n"
      "st.global.u32 [%d2], %r1;\nst.global.u32 [%d2+4], %r2;\n";
  CHECK(copies_in(".loc 1 3 5\n" + two) == UnitsByPtxLine{{2, 8}, {3, 8}});
  CHECK(copies_in(two) == UnitsByPtxLine{{1, 4}, {2, 4}});  // without a place of the source
  CHECK(copies_in(".loc 1 3 5\nld.global.u32 %r1, [%d1];\n.loc 1 3 9\nld.global.u32 %r2, [%d1+4];\n"
                  "st.global.u32 [%d2], %r1;\nst.global.u32 [%d2+4], %r2;\n") == UnitsByPtxLine{{2, 4}, {4, 4}});
}
