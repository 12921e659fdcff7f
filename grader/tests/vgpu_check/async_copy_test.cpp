// cp.async writes from the moment it is issued until it is waited for; both ends need their order.
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "vgpu/check/barrier_usage.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// Of kernels of 64 threads: %rd4 and %rd5 are the thread's places in `in` and `out`, %r4 that in `tile`.
const std::string kHead = R"(.version 7.0
.target sm_80
.address_size 64
.file 1 "copy.cu"
.visible .entry k(.param .u64 in, .param .u64 out)
{
  .shared .align 4 .b8 tile[256];
  .reg .b32 %r<12>;
  .reg .b64 %rd<10>;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  mov.u32 %r2, tile;
  shl.b32 %r3, %r1, 2;
  add.s32 %r4, %r2, %r3;
)";

/// Each of 64 threads stores a value, reads one that another warp has stored, copies a new value over its own, and
/// reads that of the other warp again. Lines are told by .loc; `before`, `after`: what stands before the copy is
/// issued, and between that and the wait.
std::string kernel(const std::string& before, const std::string& after) {
  const std::string head = kHead + R"(
  sub.s32 %r5, 252, %r3;
  add.s32 %r6, %r2, %r5;
  .loc 1 10 1
  st.shared.u32 [%r4], %r1;
  .loc 1 11 1
  bar.sync 0;
  .loc 1 12 1
  ld.shared.u32 %r7, [%r6];
  .loc 1 13 1
  )";
  const std::string copy = R"(
  .loc 1 14 1
  cp.async.ca.shared.global [%r4], [%rd4], 4;
  cp.async.commit_group;
  .loc 1 15 1
  )";
  const std::string rest = R"(
  .loc 1 16 1
  cp.async.wait_group 0;
  .loc 1 17 1
  bar.sync 0;
  .loc 1 18 1
  ld.shared.u32 %r8, [%r6];
  add.s32 %r9, %r7, %r8;
  st.global.u32 [%rd5], %r9;
  ret;
}
)";
  return head + before + copy + after + rest;
}

/// Lanes 16 and up of a warp copy once more what another lane copies: lane 15's value when they are `alike`, else
/// different ones to the place of lane 15.
std::string kernel_with_repetitions(bool alike) {
  const std::string source = alike ? "min.u32 %r3, %r1, 15;" : "xor.b32 %r3, %r1, 31;";
  return R"(.version 7.0
.target sm_80
.address_size 64
.file 1 "copy.cu"
.visible .entry k(.param .u64 in, .param .u64 out)
{
  .shared .align 4 .b8 tile[64];
  .reg .b32 %r<12>;
  .reg .b64 %rd<10>;
  .reg .pred %p1;
  ld.param.u64 %rd1, [in];
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p1, %r1, 32;
  @%p1 ret;
  min.u32 %r2, %r1, 15;
  )" + source +
         R"(
  mul.wide.u32 %rd3, %r3, 4;
  add.s64 %rd4, %rd1, %rd3;
  mov.u32 %r4, tile;
  shl.b32 %r5, %r2, 2;
  add.s32 %r4, %r4, %r5;
  .loc 1 14 1
  cp.async.ca.shared.global [%r4], [%rd4], 4;
  cp.async.wait_all;
  ret;
}
)";
}

/// Each thread copies a value to line 14, and reads its place at line 16; what stands `before` comes between.
std::string kernel_that_reads_its_copy(const std::string& before) {
  return kHead + R"(
  .loc 1 14 1
  cp.async.ca.shared.global [%r4], [%rd4], 4;
  cp.async.commit_group;
  .loc 1 15 1
  )" + before +
         R"(
  .loc 1 16 1
  ld.shared.u32 %r8, [%r4];
  st.global.u32 [%rd5], %r8;
  ret;
}
)";
}

/// The lines of the two accesses of the first race among the findings.
std::set<std::uint32_t> raced_lines(const std::vector<Finding>& findings) {
  const auto race = std::ranges::find(findings, std::string("shared-race"), &Finding::id);
  REQUIRE(race != findings.end());
  REQUIRE(race->other.has_value());
  return {race->where.line, race->other->place.line};
}

std::vector<Finding> findings_of(const std::string& ptx) {
  VirtualGpuOptions options;
  options.model = device_model("h200");
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(ptx);
  std::array<std::uint64_t, 2> arrays{gpu.allocate(256, 0), gpu.allocate(256, 0)};
  REQUIRE(gpu.copy_in(arrays[0], std::vector<std::byte>(256)));
  const LaunchConfig config{.grid = {1, 1, 1}, .block = {64, 1, 1}};
  REQUIRE(gpu.launch(module, "k", config, std::as_bytes(std::span(arrays))).status == LaunchStatus::ok);
  std::vector<Finding> findings = gpu.findings();
  const auto advice = gpu.barrier_usage().advice();
  findings.insert(findings.end(), advice.begin(), advice.end());
  return findings;
}

}  // namespace

TEST_CASE("a copy may begin when everybody has read what it overwrites", "[vgpu]") {
  for (const Finding& finding : findings_of(kernel("bar.sync 0;", ""))) FAIL_CHECK(finding.message);
}

TEST_CASE("a copy that begins while others read races with them, wherever it is waited for", "[vgpu]") {
  // The barrier in between orders the read before the copy's end, not before its beginning.
  for (const std::string after : {"", "bar.sync 0;"}) {
    CHECK(raced_lines(findings_of(kernel("", after))) == std::set<std::uint32_t>{12, 14});
  }
}

TEST_CASE("a read before the wait races with the copy", "[vgpu]") {
  CHECK(raced_lines(findings_of(kernel("bar.sync 0;", "ld.shared.u32 %r10, [%r6];"))) ==
        std::set<std::uint32_t>{14, 15});
}

TEST_CASE("only a barrier that orders nothing is called redundant beside a copy", "[vgpu]") {
  const std::vector<Finding> findings = findings_of(kernel("bar.sync 0;", "bar.sync 0;"));
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].id == "redundant-barrier");
  CHECK(findings[0].where.line == 15);
}

TEST_CASE("lanes that make one copy together do not race", "[vgpu]") {
  for (const Finding& finding : findings_of(kernel_with_repetitions(true))) FAIL_CHECK(finding.message);
}

TEST_CASE("lanes that copy different values to one place race", "[vgpu]") {
  CHECK(raced_lines(findings_of(kernel_with_repetitions(false))) == std::set<std::uint32_t>{14});
}

TEST_CASE("a read of what nothing has written names the copy that it does not wait for", "[vgpu]") {
  // All but the last group: which is this one.
  for (const std::string before : {"", "cp.async.wait_group 1;", "bar.sync 0;"}) {
    const std::vector<Finding> findings = findings_of(kernel_that_reads_its_copy(before));
    const auto read = std::ranges::find(findings, std::string("uninitialized-read"), &Finding::id);
    REQUIRE(read != findings.end());
    CHECK(read->where.line == 16);
    CHECK(read->message == "read of shared memory to which a copy has begun that is not waited for");
    REQUIRE(read->other.has_value());
    CHECK(read->other->place.line == 14);
  }
}

TEST_CASE("the wait that lets a copy go on is named, and no barrier to who reads its own copy", "[vgpu]") {
  const auto read_of = [](const std::string& before) {
    const std::vector<Finding> findings = findings_of(kernel_that_reads_its_copy(before));
    const auto read = std::ranges::find(findings, std::string("uninitialized-read"), &Finding::id);
    REQUIRE(read != findings.end());
    return *read;
  };
  const Finding pending = read_of(".loc 1 17 1\n  cp.async.wait_group 1;\n  .loc 1 16 1\n");
  CHECK(pending.help ==
        "the wait in line 17 leaves the last group pending, and none was committed after this copy's: let it leave "
        "none (0) where nothing newer is committed, as in the last round of a loop");
  REQUIRE(pending.cause);
  CHECK(pending.cause->label == "this wait leaves 1 group pending");
  CHECK(pending.cause->place.line == 17);
  const Finding newer = read_of("cp.async.commit_group;\n  .loc 1 17 1\n  cp.async.wait_group 3;\n  .loc 1 16 1\n");
  CHECK(newer.help.find("leaves the last 3 groups pending, and only 1 was committed") != std::string::npos);
  // Where nobody has waited there is no such line.
  const Finding none = read_of("");
  CHECK_FALSE(none.cause);
  CHECK(none.help.starts_with("wait for the copy first"));
  CHECK(none.help.find("__syncthreads") == std::string::npos);
  // Here threads read what others copy.
  const std::vector<Finding> of_others = findings_of(kernel("bar.sync 0;", "bar.sync 0;\nld.shared.u32 %r10, [%r6];"));
  const auto read = std::ranges::find(of_others, std::string("uninitialized-read"), &Finding::id);
  REQUIRE(read != of_others.end());
  CHECK(read->help.find("__syncthreads") != std::string::npos);
}

TEST_CASE("while a copy goes on, what it overwrites has no value", "[vgpu]") {
  // Barriers order the read after the copy's beginning and before its end.
  const std::vector<Finding> findings = findings_of(kernel("bar.sync 0;", R"(
  bar.sync 0;
  .loc 1 19 1
  ld.shared.u32 %r10, [%r6];
  .loc 1 20 1
  bar.sync 0;
  )"));
  const auto read = std::ranges::find(findings, std::string("uninitialized-read"), &Finding::id);
  REQUIRE(read != findings.end());
  CHECK(read->where.line == 19);
  CHECK(read->message == "read of shared memory to which a copy has begun that is not waited for");
  REQUIRE(read->other.has_value());
  CHECK(read->other->place.line == 14);
}

TEST_CASE("a copy that is waited for has written", "[vgpu]") {
  for (const std::string before : {"cp.async.wait_group 0;", "cp.async.wait_all;"}) {
    for (const Finding& finding : findings_of(kernel_that_reads_its_copy(before))) FAIL_CHECK(finding.message);
  }
}
