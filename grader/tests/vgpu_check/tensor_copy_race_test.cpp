// Copies of boxes of tensors are judged as other copies in bulk are: what they touch is what of the box is in the
// tensor, and the places of its elements in shared memory.
#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "catch.h"
#include "lined_kernel.h"
#include "vgpu/memory/tensor_map.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;
using namespace cudalabs::vgpu::test;

namespace {

/// Statements by line of the source. A kernel of 64 threads has: %r1 its number, %p1 for thread 0, %rd1 a map of 10 x 8
/// words, %r2 `tile` and %r4 the thread's word there, %r6 the barrier `bar`, and %rd5 the thread's word of `out`.
std::string tensor_kernel(const Lines& lines) {
  return kernel_of(R"(.version 8.6
.target sm_90
.address_size 64
.file 1 "tensor.cu"
.visible .entry k(.param .align 64 .b8 map[128], .param .u64 out)
{
  .shared .align 1024 .b8 tile[2048];
  .shared .align 8 .b64 bar;
  .reg .pred %p<9>;
  .reg .b32 %r<20>;
  .reg .b64 %rd<20>;
  mov.b64 %rd1, map;
  cvta.param.u64 %rd1, %rd1;
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd5, %rd2, %rd3;
  mov.u32 %r2, tile;
  shl.b32 %r3, %r1, 2;
  add.s32 %r4, %r2, %r3;
  mov.u32 %r6, bar;
)",
                   lines);
}

/// Of 10 x 8 words, at the begin of 12 x 8; boxes of 8 x 8.
Outcome copies(const Lines& lines, TensorSwizzle swizzle = TensorSwizzle::none) {
  VirtualGpu gpu(as_h200());
  const std::uint32_t module = gpu.load_module(tensor_kernel(lines));
  std::vector<std::uint32_t> words(96);
  for (std::uint32_t i = 0; i < 96; ++i) words[i] = 1000 + i;
  const std::uint64_t memory = gpu.allocate(words.size() * 4, 0), out = gpu.allocate(4096, 0);
  REQUIRE(gpu.copy_in(memory, std::as_bytes(std::span(words))));
  REQUIRE(gpu.fill(out, 0, 4096));
  TensorMap map;
  map.type = TensorType::u32;
  map.rank = 2;
  map.swizzle = swizzle;
  map.address = memory;
  map.extents[0] = 10;
  map.extents[1] = 8;
  map.strides[0] = 4;
  map.strides[1] = 48;
  map.box[0] = map.box[1] = 8;
  std::vector<std::byte> parameters(kTensorMapBytes + sizeof out);
  encode(map, parameters.data());
  std::memcpy(&parameters[kTensorMapBytes], &out, sizeof out);
  gpu.launch(module, "k", {.grid = {1, 1, 1}, .block = {64, 1, 1}}, parameters);
  return Outcome::of(gpu, memory, 96);
}

/// The box goes out, and shared memory is written again.
const Lines kBoxOut = {{10, "st.shared.u32 [%r4], %r1;"},
                       {11, "fence.proxy.async.shared::cta;"},
                       {12, "bar.sync 0;"},
                       {13, "@%p1 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd1, {0, 0}], [%r2];"},
                       {14, "@%p1 cp.async.bulk.commit_group;"},
                       {15, "@%p1 cp.async.bulk.wait_group.read 0;"},
                       {16, "bar.sync 0;"},
                       {17, "st.shared.u32 [%r4], 7;"}};

/// The box comes in, from -2 on in both directions, and each thread reads its word.
const Lines kBoxIn = {
    {20, "@%p1 mbarrier.init.shared.b64 [%r6], 1;"},
    {21, "bar.sync 0;"},
    {22, "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [%r6], 256;"},
    {23,
     "@%p1 cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%r2], [%rd1, {-2, -2}], "
     "[%r6];"},
    {24, "$w: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r6], 0;\n  @!%p2 bra $w;"},
    {25, "ld.shared.u32 %r8, [%r4];"},
    {26, "st.global.u32 [%rd5], %r8;"}};

}  // namespace

TEST_CASE("a box that goes out has its fence, its barrier and its wait", "[vgpu]") {
  const Outcome right = copies(kBoxOut);
  CHECK(right.brief().empty());
  for (std::uint32_t i = 0; i < 96; ++i) CHECK(right.words[i] == (i % 12 < 8 ? i / 12 * 8 + i % 12 : 1000 + i));
  CHECK(copies(without(kBoxOut, 11)).brief() == "unfenced-copy@13");
  CHECK(copies(without(kBoxOut, 15)).brief() == "unfinished-copy@13, overwritten-copy-source@17");
  CHECK(copies(without(kBoxOut, 16)).brief() == "overwritten-copy-source@17");
  CHECK(copies(without(without(kBoxOut, 10), 17)).brief() == "uninitialized-read@13");
}

TEST_CASE("of a box that goes out only what is in the tensor is read", "[vgpu]") {
  // Of the rows' 8 words only 2 are inside: what the others hold does not matter, nor who writes there.
  const Lines edge = with(kBoxOut, 13,
                          "@%p1 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd1, {8, 0}], "
                          "[%r2];");
  CHECK(copies(edge).brief().empty());
  const std::string outer = "and.b32 %r9, %r1, 7;\n  setp.gt.u32 %p4, %r9, 1;\n  @%p4 ";
  const std::string inner = "and.b32 %r9, %r1, 7;\n  setp.le.u32 %p4, %r9, 1;\n  @%p4 ";
  CHECK(copies(with(without(with(edge, 10, inner + edge.at(10)), 16), 17, outer + edge.at(17))).brief().empty());
  CHECK(copies(with(without(edge, 16), 17, inner + edge.at(17))).brief() == "overwritten-copy-source@17");
  CHECK(copies(with(edge, 10, outer + edge.at(10))).brief() == "uninitialized-read@13");
}

TEST_CASE("what a box brings is there for who waits at its barrier", "[vgpu]") {
  for (const TensorSwizzle swizzle : {TensorSwizzle::none, TensorSwizzle::in_32_bytes}) {
    CHECK(copies(kBoxIn, swizzle).brief().empty());
    CHECK(copies(without(kBoxIn, 24), swizzle).brief().find("shared-race@25") != std::string::npos);
  }
  // Also zeros are written: a thread that stores there races with the copy.
  const Outcome stored = copies(with(kBoxIn, 24, "@!%p1 bra $w;\n  st.shared.u32 [%r4], 1;\n" + kBoxIn.at(24)));
  CHECK(stored.brief().find("shared-race@24") != std::string::npos);
}

TEST_CASE("the units between swizzled rows that are short are nobody's", "[vgpu]") {
  // Rows of 32 bytes lie 128 bytes apart, and the units of 16 bytes that the first row has not are free.
  const std::string beside = "add.u32 %r9, %r2, 32;\n  @!%p1 bra $w;\n  st.shared.u32 [%r9], 1;\n";
  const std::string there = "add.u32 %r9, %r2, 16;\n  @!%p1 bra $w;\n  st.shared.u32 [%r9], 1;\n";
  const Lines waits = with(kBoxIn, 25, "ld.shared.u32 %r8, [%r2];");
  CHECK(copies(with(waits, 24, beside + kBoxIn.at(24)), TensorSwizzle::in_128_bytes).brief().empty());
  CHECK(copies(with(waits, 24, there + kBoxIn.at(24)), TensorSwizzle::in_128_bytes).brief() == "shared-race@24");
}

TEST_CASE("a barrier is told of the bytes of the whole box", "[vgpu]") {
  const auto note = [](const std::string& bytes) {
    const Outcome outcome =
        copies(with(kBoxIn, 22, "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [%r6], " + bytes + ";"));
    CHECK(outcome.brief() == "barrier-divergence@24");
    return outcome.first("barrier-divergence").note;
  };
  CHECK(note("144") == "at `bar`: copies have brought 112 bytes more than were announced; 64 threads here");
  CHECK(note("1024") == "at `bar`: copies have brought 768 bytes fewer than were announced; 64 threads here");
}

TEST_CASE("tensor copies race with each other, and in global memory", "[vgpu]") {
  const std::string copy = kBoxIn.at(23);
  CHECK(copies(with(with(kBoxIn, 22, "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [%r6], 512;"), 23,
                    copy + "\n  .loc 1 23 9\n  " + copy))
            .brief()
            .find("shared-race@23") != std::string::npos);
  // Two boxes that share elements, and two that do not.
  const auto second = [](const std::string& at) {
    return with(kBoxOut, 13,
                kBoxOut.at(13) + "\n  @%p1 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd1, {" + at +
                    "}], [%r2];");
  };
  CHECK(copies(second("4, 0")).brief() == "global-race@13");
  CHECK(copies(second("8, 0")).brief().empty());
  CHECK(copies(second("0, 8")).brief().empty());
}
