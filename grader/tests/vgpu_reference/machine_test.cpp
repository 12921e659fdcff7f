// The reference machine and the generator by themselves: what programs do, and what is refused.
#include "machine.h"

#include <cstring>
#include <set>

#include "catch/catch.h"
#include "disagreement.h"
#include "vgpu/ptx/module.h"

using namespace cudalabs::reference;
using cudalabs::vgpu::ptx::parse;

namespace {

// Runs kernel "k" over `threads` threads; its only parameter is the address of an array of u32, a value a thread.
std::vector<std::uint32_t> run(const std::string& body, std::uint32_t threads, std::uint32_t values = 0) {
  const auto module = parse(
      ".version 8.0 .target sm_86 .address_size 64\n"
      ".func (.param .b32 result) fibonacci(.param .b32 n) { .reg .b32 %n, %a, %b; .reg .pred %p;\n"
      "ld.param.b32 %n, [n]; setp.lt.u32 %p, %n, 2; @%p bra $small;\n"
      "sub.u32 %n, %n, 1; call (%a), fibonacci, (%n); sub.u32 %n, %n, 1; call (%b), fibonacci, (%n);\n"
      "add.u32 %n, %a, %b; $small: st.param.b32 [result], %n; ret; }\n"
      ".entry k(.param .u64 out) { .reg .b32 %r<9>, %t; .reg .b64 %d<9>, %out, %mine; .reg .pred %p<9>;\n"
      ".shared .b32 box[64]; .local .b32 own[4];\n"
      "ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; mad.wide.u32 %mine, %t, 4, %out;\n" +
      body + "\n}");
  Machine machine(module);
  const std::uint32_t count = std::max(threads, values);
  const std::uint64_t out = machine.allocate(4 * count);
  std::vector<std::byte> parameters(8);
  std::memcpy(parameters.data(), &out, 8);
  machine.launch("k", {{1, 1, 1}, {threads, 1, 1}, 0}, parameters);
  std::vector<std::uint32_t> result(count);
  std::memcpy(result.data(), machine.memory(out, 4 * count).data(), 4 * count);
  return result;
}

}  // namespace

TEST_CASE("threads take their own ways through branches and loops") {
  const auto out =
      run("mov.u32 %r1, 0; mov.u32 %r2, %t; L: setp.eq.u32 %p1, %r2, 0; @%p1 bra E; add.u32 %r1, %r1, %r2;"
          " sub.u32 %r2, %r2, 1; bra L; E: st.global.u32 [%mine], %r1;",
          8);
  CHECK(out == std::vector<std::uint32_t>{0, 1, 3, 6, 10, 15, 21, 28});
}

TEST_CASE("functions recurse, directly and through a pointer") {
  const auto out =
      run("{ .param .b32 a; .param .b32 r; st.param.b32 [a], %t; mov.u64 %d1, fibonacci;"
          " P: .callprototype (.param .b32 _) _ (.param .b32 _); call (r), %d1, (a), P; ld.param.b32 %r1, [r];"
          " } st.global.u32 [%mine], %r1;",
          10);
  CHECK(out == std::vector<std::uint32_t>{0, 1, 1, 2, 3, 5, 8, 13, 21, 34});
}

TEST_CASE("jump tables, carries and packed moves") {
  CHECK(
      run("T: .branchtargets A, B; brx.idx %t, T; A: mov.u32 %r1, 7; bra E; B: mov.u32 %r1, 9; E: st.u32 [%mine], %r1;",
          2) == std::vector<std::uint32_t>{7, 9});
  CHECK(run("add.cc.u32 %r1, -1, 1; addc.u32 %r1, 5, 0; st.u32 [%mine], %r1;", 1)[0] == 6);
  CHECK(run("mov.b64 %d1, {1, 2}; mov.b64 {%r1, _}, %d1; mov.b64 {_, %r2}, %d1; mad.lo.u32 %r1, %r1, 10, %r2;"
            " st.u32 [%mine], %r1;",
            1)[0] == 12);
}

TEST_CASE("memory keeps its spaces apart, and generic addresses reach them") {
  CHECK(run("mov.u64 %d1, box; mad.wide.u32 %d1, %t, 4, %d1; st.shared.u32 [%d1], 5; mov.u64 %d2, own;"
            " st.local.u32 [%d2], 3; cvta.shared.u64 %d3, %d1; cvta.local.u64 %d4, %d2; ld.u32 %r1, [%d3];"
            " ld.u32 %r2, [%d4]; sub.u32 %r1, %r1, %r2; st.u32 [%mine], %r1;",
            3) == std::vector<std::uint32_t>{2, 2, 2});
  CHECK(run("st.global.u8 [%mine], 0xF0; ld.global.s8 %r1, [%mine]; st.global.u32 [%mine], %r1;", 1)[0] == 0xFFFFFFF0);
}

TEST_CASE("barriers and warp operations bring threads together") {
  const auto rotated =
      run("mov.u64 %d1, box; mad.wide.u32 %d2, %t, 4, %d1; st.shared.u32 [%d2], %t; bar.sync 0;"
          " add.u32 %r1, %t, 1; and.b32 %r1, %r1, 63; mad.wide.u32 %d2, %r1, 4, %d1;"
          " ld.shared.u32 %r2, [%d2]; st.u32 [%mine], %r2;",
          64);
  CHECK(rotated[0] == 1);
  CHECK(rotated[63] == 0);
  const auto shuffled =
      run("shfl.sync.down.b32 %r1|%p1, %t, 1, 0x1c1f, -1; selp.u32 %r2, 100, 0, %p1;"
          " add.u32 %r1, %r1, %r2; st.u32 [%mine], %r1;",
          32);
  CHECK(shuffled[0] == 101);
  CHECK(shuffled[3] == 3);  // the last of its segment of four
  CHECK(run("setp.lt.u32 %p1, %t, 5; vote.sync.ballot.b32 %r1, %p1, -1; st.u32 [%mine], %r1;", 32)[9] == 31);
  CHECK(run("shr.u32 %r1, %t, 1; match.any.sync.b32 %r2, %r1, -1; st.u32 [%mine], %r2;", 32)[3] == 12);
  CHECK(run("redux.sync.max.u32 %r1, %t, -1; st.u32 [%mine], %r1;", 32)[0] == 31);
  // Threads at the barrier wait for those that are still at a warp operation of their own.
  const auto meeting =
      run("setp.lt.u32 %p1, %t, 5; mov.u64 %d1, box; mad.wide.u32 %d2, %t, 4, %d1; mov.u32 %r1, 100;"
          " @!%p1 bra B; redux.sync.add.u32 %r1, %t, 31; B: st.shared.u32 [%d2], %r1; bar.sync 0;"
          " xor.b32 %r3, %t, 31; mad.wide.u32 %d2, %r3, 4, %d1; ld.shared.u32 %r2, [%d2];"
          " st.u32 [%mine], %r2;",
          32);
  CHECK(meeting[31] == 10);
  CHECK(meeting[0] == 100);
  CHECK(run("setp.lt.u32 %p1, %t, 5; bar.red.popc.u32 %r1, 0, %p1; st.u32 [%mine], %r1;", 48)[40] == 5);
}

TEST_CASE("what must not be is an error") {
  CHECK_THROWS_AS(run("ld.global.u32 %r1, [%out+4000000];", 1), MachineError);
  CHECK_THROWS_AS(run("ld.global.u32 %r1, [%out+1];", 1), MachineError);
  CHECK_THROWS_AS(run("mov.u64 %d1, box; ld.shared.u32 %r1, [%d1+256];", 1), MachineError);
  CHECK_THROWS_AS(run("wibble.u32 %r1, 1;", 1), MachineError);
  CHECK_THROWS_AS(run("L: bra L;", 1), MachineError);
  CHECK_THROWS_AS(run("setp.eq.u32 %p1, %t, 0; @%p1 bar.warp.sync 3; @!%p1 bar.sync 0;", 2), MachineError);
}

TEST_CASE("programs are the same for the same seed, and cover every form") {
  CHECK(generate(3).ptx == generate(3).ptx);
  CHECK(generate(3).ptx != generate(4).ptx);
  CHECK(generate(3).input == generate(3).input);
  ProgramOptions options;
  options.statements = 0;
  std::set<std::size_t> used;
  for (std::uint64_t seed = 0; seed < all_forms().size(); ++seed) {
    const Program program = generate(seed, options);
    used.insert(program.forms.begin(), program.forms.end());
  }
  CHECK(used.size() == all_forms().size());
}

TEST_CASE("random programs end, and each does something else") {
  std::set<std::string> outputs;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::vector<std::byte> output = run_on_reference(generate(seed));
    CHECK(outputs.insert(std::string(reinterpret_cast<const char*>(output.data()), output.size())).second);
  }
}
