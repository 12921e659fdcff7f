// Which conditions decide whether a thread comes to an access: told by their lines.
#include "vgpu/analysis/thread_guards.h"

#include <string>
#include <tuple>
#include <vector>

#include "catch.h"
#include "vgpu/ptx/instruction_set.h"

namespace cudalabs::vgpu::of_thread_guards {
namespace {

const std::string kHead = R"(.version 7.7
.target sm_80
.address_size 64
.file 1 "k.cu"
.visible .entry k(.param .u64 a, .param .u32 n)
{
.reg .pred %p<40>;
.reg .b32 %r<30>;
.reg .f32 %f<30>;
.reg .b64 %d<30>;
.shared .align 4 .b8 tile[1024];
  ld.param.u64 %d1, [a];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %d4, %r2, 4;
  add.s64 %d5, %d1, %d4;
)";

/// The line of the condition, whether it ends a loop around the access, and whether a loop has both.
using Guard = std::tuple<std::uint32_t, bool, bool>;

/// Of the only instruction that `is` picks.
template <typename Is>
std::vector<Guard> guards_of(const std::string& body, const Is& is) {
  const ptx::Module module = ptx::parse(kHead + body + "  ret;\n}\n");
  const ValueFlow flow(module);
  std::vector<FunctionLoops> loops;
  loops.emplace_back(flow, 0);
  std::vector<Guard> lines;
  for (const auto& [access, guards] : thread_guards(flow, loops)) {
    if (!is(flow.at(access))) continue;
    for (const ThreadGuard& guard : guards)
      lines.emplace_back(flow.at(guard.branch).location.line, guard.ends_loop, guard.in_loop);
  }
  return lines;
}

/// Of the only store to shared memory.
std::vector<Guard> guards_of_store(const std::string& body) {
  return guards_of(body, [](const ptx::Instruction& instruction) { return is_store(instruction); });
}

const std::string kStore = R"(
  .loc 1 30 1
  st.shared.u32 [tile], %r2;
)";

/// `if (left < right)` around the body, in line `line`.
std::string guarded(const std::string& left, const std::string& right, int line, const std::string& body) {
  const std::string number = std::to_string(line), label = "skip" + number, predicate = "%p" + number;
  return "  .loc 1 " + number + " 1\n  setp.ge.s32 " + predicate + ", " + left + ", " + right + ";\n  @" + predicate +
         " bra " + label + ";\n" + body + label + ":\n";
}

/// `for (r5 = begin; r5 < r1; ++r5)` in line 10.
std::string loop(const std::string& begin, const std::string& body) {
  return "  mov.u32 %r5, " + begin + ";\nhead:\n" +
         guarded("%r5", "%r1", 10, body + "  add.s32 %r5, %r5, 1;\n  bra.uni head;\n");
}

}  // namespace

TEST_CASE("a condition on the number of the thread guards what it skips, and nothing behind it", "[vgpu]") {
  CHECK(guards_of_store(guarded("%r2", "32", 20, kStore)) == std::vector<Guard>{{20, false, false}});
  CHECK(guards_of_store(guarded("%r2", "32", 20, "  mov.u32 %r7, 1;\n") + kStore).empty());
  CHECK(guards_of_store(guarded("%r1", "32", 20, kStore)).empty());  // the same for all threads
}

TEST_CASE("a barrier and a shuffle are guarded as an access is", "[vgpu]") {
  const auto of_family = [](ptx::Family family) {
    return [family](const ptx::Instruction& instruction) { return ptx::facts_of(instruction.code).family == family; };
  };
  const std::string barrier = "  bar.sync 0;\n", shuffle = "  shfl.sync.down.b32 %r7|%p30, %r2, 1, 31, -1;\n";
  CHECK(guards_of(guarded("%r2", "32", 20, barrier), of_family(ptx::Family::barrier)) ==
        std::vector<Guard>{{20, false, false}});
  CHECK(guards_of(guarded("%r2", "32", 20, kStore) + barrier, of_family(ptx::Family::barrier)).empty());
  CHECK(guards_of(loop("%r2", shuffle), of_family(ptx::Family::shuffle)) == std::vector<Guard>{{10, true, false}});
}

TEST_CASE("a barrier or an access in a function has what is around its only call", "[vgpu]") {
  const auto guards_in_helper = [](int calls, std::uint32_t instruction) {
    std::string text = kHead;
    for (int i = 0; i < calls; ++i) text += guarded("%r2", "32", 20 + i, "  call.uni helper, ();\n");
    const ptx::Module module = ptx::parse(
        text +
        "  ret;\n}\n.func helper()\n{\n  .reg .b64 %d<2>;\n  bar.sync 0;\n  st.shared.u32 [%d1], 0;\n  ret;\n}\n");
    const ValueFlow flow(module);
    std::vector<FunctionLoops> loops;
    for (std::uint32_t f = 0; f < 2; ++f) loops.emplace_back(flow, f);
    const auto guards = thread_guards(flow, loops);
    const auto found = guards.find({1, instruction});
    return found == guards.end() ? std::vector<ThreadGuard>() : found->second;
  };
  for (const std::uint32_t instruction : {0U, 1U}) {
    REQUIRE(guards_in_helper(1, instruction).size() == 1);
    CHECK(guards_in_helper(1, instruction).front().branch.function == 0);
    CHECK(guards_in_helper(2, instruction).empty());
  }
  CHECK(guards_in_helper(1, 2).empty());
}

TEST_CASE("a return of some threads guards all that comes after it", "[vgpu]") {
  CHECK(guards_of_store(guarded("%r2", "%r1", 20, "  ret;\n") + kStore) == std::vector<Guard>{{20, false, false}});
}

TEST_CASE("a condition on what a thread has loaded for itself guards as well", "[vgpu]") {
  CHECK(guards_of_store("  ld.global.u32 %r6, [%d5];\n" + guarded("%r6", "0", 20, kStore)) ==
        std::vector<Guard>{{20, false, false}});
  CHECK(guards_of_store("  ld.global.u32 %r6, [%d1];\n" + guarded("%r6", "0", 20, kStore)).empty());
}

TEST_CASE("the outermost guard comes first, and a loop of equally many rounds is none", "[vgpu]") {
  CHECK(guards_of_store(guarded("%r2", "64", 8, loop("0", guarded("%r2", "32", 20, kStore)))) ==
        std::vector<Guard>{{8, false, false}, {20, false, true}});
  CHECK(guards_of_store(loop("0", kStore)).empty());
}

TEST_CASE("a loop that begins at the number of the thread may have more rounds for some threads", "[vgpu]") {
  CHECK(guards_of_store(loop("%r2", kStore)) == std::vector<Guard>{{10, true, false}});
}

}  // namespace cudalabs::vgpu::of_thread_guards
