// Loads in loops: observers are told of many at once, where all take that, and find and count the same.
#include <map>
#include <string>
#include <vector>

#include "kernel_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

struct Seen {
  LaunchStatus status = LaunchStatus::ok;
  std::map<std::string, std::uint64_t> counters;
  std::vector<Finding> findings;
};

constexpr std::uint32_t kWordsRead = 4096;

/// Who records examples of accesses takes no runs: then every load is told by itself.
Seen seen(const std::string& ptx, bool single_loads) {
  VirtualGpuOptions options;
  options.model = device_model("a100");
  options.record_accesses = single_loads;
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(ptx);
  const std::uint64_t array = gpu.allocate(kWordsRead * 4, 0);
  REQUIRE(gpu.fill(array, 0, kWordsRead * 2));  // the second half stays unwritten
  Seen result;
  for (int launch = 0; launch < 2; ++launch) {
    result.status =
        gpu.launch(module, "kernel", {.grid = {3, 1, 1}, .block = {64, 1, 1}}, std::as_bytes(std::span(&array, 1)))
            .status;
  }
  for (const ptx::Refusal& refusal : gpu.refusals()) FAIL_CHECK(ptx::describe(refusal));
  for (const auto& [name, value] : gpu.launches().back().values) result.counters[name] = value;
  result.findings = gpu.findings();
  return result;
}

/// `times` turns of `loop`, which may use the turn's number, %r20. %r2 is the lane's place in its half-warp, %r3 the
/// half-warp's number in the block, and there are 2 KiB of shared memory, a word for each thread of which is written.
std::string with_loop(const std::string& loop, int times) {
  return module_with(R"(
  .shared .align 4 .b8 tile[2048];
  and.b32 %r2, %r1, 15;
  shr.u32 %r3, %r1, 4;
  mov.u32 %r4, tile;
  mul.wide.u32 %rd2, %r1, 4;
  mad.lo.u32 %r5, %r1, 4, %r4;
  st.shared.u32 [%r5], %r1;
  bar.sync 0;
  mov.u32 %r20, 0;
again:
)" + loop + R"(
  add.u32 %r20, %r20, 1;
  setp.lt.u32 %p1, %r20, )" +
                     std::to_string(times) + R"(;
  @%p1 bra again;
)");
}

std::size_t same_as_single_loads(const std::string& loop, int times) {
  INFO(loop << " " << times << " times");
  const std::string ptx = with_loop(loop, times);
  const Seen runs = seen(ptx, false), loads = seen(ptx, true);
  CHECK(runs.status == loads.status);
  CHECK(runs.counters == loads.counters);
  REQUIRE(runs.findings.size() == loads.findings.size());
  for (std::size_t i = 0; i < runs.findings.size(); ++i) {
    CHECK(runs.findings[i].id == loads.findings[i].id);
    CHECK(runs.findings[i].message == loads.findings[i].message);
    CHECK(runs.findings[i].note == loads.findings[i].note);
    CHECK(runs.findings[i].count == loads.findings[i].count);
    CHECK(runs.findings[i].block == loads.findings[i].block);
    CHECK(runs.findings[i].thread == loads.findings[i].thread);
  }
  return runs.findings.size();
}

const std::string kRow = R"(
  mad.lo.u32 %r6, %r20, 16, %r2;
  mul.wide.u32 %rd3, %r6, 4;
  add.s64 %rd3, %rd3, %rd1;
  ld.global.u32 %r7, [%rd3];
)";
const std::string kWordOfHalf = R"(
  mad.lo.u32 %r6, %r3, 32, %r20;
  mul.wide.u32 %rd3, %r6, 4;
  add.s64 %rd3, %rd3, %rd1;
  ld.global.u32 %r8, [%rd3];
)";
const std::string kShared = R"(
  mad.lo.u32 %r6, %r3, 16, %r20;
  and.b32 %r6, %r6, 63;
  mad.lo.u32 %r6, %r6, 4, %r4;
  ld.shared.u32 %r9, [%r6];
)";

}  // namespace

TEST_CASE("loops of loads are counted as single loads are", "[exec]") {
  for (const int times : {1, 2, 3, 4, 5, 17, 100}) {
    CHECK(same_as_single_loads(kRow, times) == 0);
    CHECK(same_as_single_loads(kWordOfHalf + kRow, times) == 0);
    CHECK(same_as_single_loads(kShared + kRow + kShared, times) == 0);
  }
}

TEST_CASE("loads that begin in a row and go on otherwise are told, too", "[exec]") {
  // The distance changes, lanes scatter, and one half of the lanes is elsewhere, each in its time.
  CHECK(same_as_single_loads(R"(
  mul.lo.u32 %r6, %r20, %r20;
  and.b32 %r6, %r6, 255;
  add.u32 %r6, %r6, %r2;
  mul.wide.u32 %rd3, %r6, 4;
  add.s64 %rd3, %rd3, %rd1;
  ld.global.u32 %r7, [%rd3];
)",
                             300) == 0);
  CHECK(same_as_single_loads(R"(
  shr.u32 %r6, %r20, 4;
  mul.lo.u32 %r6, %r6, %r1;
  and.b32 %r6, %r6, 255;
  mul.wide.u32 %rd3, %r6, 4;
  add.s64 %rd3, %rd3, %rd1;
  ld.global.u32 %r7, [%rd3];
)",
                             90) == 0);
  CHECK(same_as_single_loads(R"(
  and.b32 %r6, %r20, 8;
  setp.lt.u32 %p2, %r2, %r6;
  mad.lo.u32 %r6, %r20, 16, %r2;
  mul.wide.u32 %rd3, %r6, 4;
  add.s64 %rd3, %rd3, %rd1;
  @%p2 ld.global.u32 %r7, [%rd3];
  @!%p2 ld.global.u32 %r8, [%rd3+64];
)",
                             60) == 0);
}

TEST_CASE("what a loop reads before anybody has written it is found at the same places", "[exec]") {
  CHECK(same_as_single_loads(kRow, 150) == 1);  // 128 rows are written
  CHECK(same_as_single_loads(R"(
  mad.lo.u32 %r6, %r20, 4, %r4;
  ld.shared.u32 %r9, [%r6];
)",
                             80) == 1);
}

TEST_CASE("races with loads of loops are found", "[exec]") {
  const auto races = [](const std::string& store) { return same_as_single_loads(kShared + kRow + store, 9); };
  CHECK(races("") == 0);
  CHECK(races("st.shared.u32 [%r5], %r20;\n") >= 1);
  CHECK(races("bar.sync 0;\n  st.shared.u32 [%r5], %r20;\n  bar.sync 0;\n") == 0);
  CHECK(races("bar.warp.sync 0xffffffff;\n  st.shared.u32 [%r5], %r20;\n  bar.warp.sync 0xffffffff;\n") == 0);
  CHECK(races("add.s64 %rd4, %rd1, %rd2;\n  st.global.u32 [%rd4], %r20;\n") >= 1);
}

TEST_CASE("the loads of the warp that comes to a barrier last belong before it", "[exec]") {
  // The first warp stores; the second one, whose turn comes after that, reads the same words.
  const auto races = [](const std::string& between) {
    return same_as_single_loads(R"(
  setp.ge.u32 %p2, %r1, 32;
  @%p2 bra meet;
  st.shared.u32 [%r5], %r20;
meet:
)" + between + R"(
  setp.lt.u32 %p3, %r1, 32;
  @%p3 bra done;
  mov.u32 %r21, 0;
read:
  mad.lo.u32 %r6, %r21, 4, %r4;
  ld.shared.u32 %r9, [%r6];
  add.u32 %r21, %r21, 1;
  setp.lt.u32 %p4, %r21, 12;
  @%p4 bra read;
done:
  bar.sync 0;
)",
                                1);
  };
  CHECK(races("") >= 1);
  CHECK(races("bar.sync 0;\n") == 0);
}
