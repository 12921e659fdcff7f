// Video instructions on the virtual GPU and by the reference: every form on special and random operands.
#include "video.h"

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

#include "catch/catch.h"
#include "random_source.h"
#include "vgpu/ptx/refusal.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::reference;

namespace {

constexpr std::uint32_t kRows = 256, kTogether = 100;

struct Operands {
  std::uint32_t a, b, c;
};

std::vector<Operands> special_and_random() {
  static const std::vector<std::uint32_t> kSpecial{
      0,           1,           2,           7,           31,          32,          33,          127,
      128,         255,         256,         0x7FFF,      0x8000,      0xFFFF,      0x7FFF'FFFF, 0x8000'0000,
      0xFFFF'FFFF, 0xFFFF'FFFE, 0x8080'8080, 0x7F7F'7F7F, 0x8000'7FFF, 0xFF80'017F, 0x7FFF'8000, 0x0180'FE7F};
  RandomSource random(11);
  const auto any = [&] {
    return random.chance(50) ? random.pick(kSpecial) : static_cast<std::uint32_t>(random.below(std::uint64_t{1} << 32));
  };
  std::vector<Operands> rows;
  for (std::uint32_t i = 0; i < kRows; ++i) {
    const std::uint32_t a = any(), b = any();
    rows.push_back({a, b, any()});
  }
  return rows;
}

/// A kernel in which each thread executes all of the instructions on its row.
std::string kernel_of(std::span<const VideoInstruction> instructions) {
  std::string body;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    body += fmt::format("  {};\n  st.global.u32 [%out+{}], %d;\n", instructions[i].spelled("%d", "%a", "%b", "%c"),
                        4 * kRows * i);
  }
  return R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 rows, .param .u64 results)
{
  .reg .b32 %a, %b, %c, %d, %t; .reg .b64 %in, %out;
  ld.param.u64 %in, [rows]; ld.param.u64 %out, [results];
  mov.u32 %t, %tid.x; mad.wide.u32 %in, %t, 12, %in; mad.wide.u32 %out, %t, 4, %out;
  ld.global.u32 %a, [%in]; ld.global.u32 %b, [%in+4]; ld.global.u32 %c, [%in+8];
)" + body +
         "  ret;\n}\n";
}

std::vector<std::uint32_t> results_of(std::span<const VideoInstruction> instructions,
                                      const std::vector<Operands>& rows) {
  vgpu::VirtualGpuOptions options;
  options.model = vgpu::device_model("h200");
  vgpu::VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(kernel_of(instructions));
  std::vector<std::uint32_t> results(instructions.size() * kRows);
  const std::uint64_t parameters[] = {gpu.allocate(rows.size() * sizeof(Operands)), gpu.allocate(results.size() * 4)};
  REQUIRE(gpu.copy_in(parameters[0], std::as_bytes(std::span(rows))));
  const vgpu::LaunchConfig config{.grid = {1, 1, 1}, .block = {kRows, 1, 1}};
  const auto status = gpu.launch(module, "k", config, std::as_bytes(std::span(parameters))).status;
  for (const auto& refusal : gpu.refusals()) FAIL_CHECK(vgpu::ptx::describe(refusal));
  REQUIRE(status == vgpu::LaunchStatus::ok);
  REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(results)), parameters[1]));
  return results;
}

void hold(const std::vector<VideoInstruction>& all) {
  const std::vector<Operands> rows = special_and_random();
  std::size_t wrong = 0;
  for (std::size_t first = 0; first < all.size(); first += kTogether) {
    const std::span some(all.data() + first, std::min<std::size_t>(kTogether, all.size() - first));
    const std::vector<std::uint32_t> results = results_of(some, rows);
    for (std::size_t i = 0; i < some.size(); ++i) {
      for (std::size_t row = 0; row < kRows; ++row) {
        const auto [a, b, c] = rows[row];
        const std::uint32_t expected = video_result(some[i], a, b, c), result = results[i * kRows + row];
        if (result == expected || ++wrong > 10) continue;
        FAIL_CHECK(fmt::format("{} of {:#x}, {:#x}, {:#x}: {:#x}, not {:#x}", some[i].spelled("d", "a", "b", "c"), a, b,
                               c, result, expected));
      }
    }
  }
  CHECK(wrong == 0);
}

std::uint32_t computed(const VideoInstruction& instruction, std::uint32_t a, std::uint32_t b, std::uint32_t c = 0) {
  return video_result(instruction, a, b, c);
}

std::vector<vgpu::ptx::Refusal> refusals_of(const std::string& instruction) {
  vgpu::VirtualGpuOptions options;
  options.model = vgpu::device_model("h200");
  vgpu::VirtualGpu gpu(options);
  const std::uint32_t module =
      gpu.load_module(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n  .reg .b32 %r<9>;\n  " +
                      instruction + "\n  ret;\n}\n");
  gpu.launch(module, "k", {}, {});
  return {gpu.refusals().begin(), gpu.refusals().end()};
}

}  // namespace

TEST_CASE("the reference of video instructions is what the ISA says", "[vgpu]") {
  CHECK(computed({.text = "vadd.s32.s32.u32.sat", .a = ".b3", .b = ".h1", .has_c = false}, 0xFF00'0000, 0x0002'0000) ==
        1);
  CHECK(computed({.text = "vadd.u32.u32.u32.sat", .d = ".b1"}, 200, 100, 0x1234'5678) == 0x1234'FF78);
  CHECK(computed({.text = "vsub.s32.u32.u32.sat", .d = ".h1"}, 0, 40000, 0x1234'5678) == 0x8000'5678);
  CHECK(computed({.text = "vabsdiff.u32.s32.s32.add"}, 0xFFFF'FFFF, 4, 10) == 15);
  CHECK(computed({.text = "vshl.u32.u32.u32.clamp"}, 1, 40) == 0);
  CHECK(computed({.text = "vshl.u32.u32.u32.wrap"}, 1, 40) == 256);
  CHECK(computed({.text = "vshr.s32.s32.u32.clamp"}, 0x8000'0000, 99) == 0xFFFF'FFFF);
  CHECK(computed({.text = "vmad.u32.u32.u32.po.shr7"}, 1000, 1000, 5) == 1'000'006 / 128);
  CHECK(computed({.text = "vmad.s32.u32.u32.sat", .negates_b = true}, 0xFFFF'FFFF, 2, 1) == 0x8000'0000);
  CHECK(computed({.text = "vset.s32.u32.lt.add"}, 0xFFFF'FFFF, 0, 7) == 8);
  CHECK(computed({.text = "vadd4.u32.u32.u32.sat"}, 0xFF01'8020, 0x0102'8001, 0) == 0xFF03'FF21);
  CHECK(computed({.text = "vavrg2.s32.s32.s32"}, 0xFFFD'0003, 0x0000'0000, 0) == 0xFFFE'0002);
  CHECK(computed({.text = "vset2.u32.u32.gt.add", .d = ".h1"}, 0x0002'0000, 0x0001'0005, 40) == 41);
  CHECK(computed({.text = "vsub4.u32.u32.u32", .d = ".b20", .a = ".b7654", .b = ".b0000"}, 0x0000'0001, 0x0908'0706,
                 0xAABB'CCDD) == 0xAA07'CC05);
}

TEST_CASE("video instructions on one value give what the reference says", "[vgpu]") {
  const std::vector<VideoInstruction> all = scalar_video_instructions();
  CHECK(all.size() > 1000);
  hold(all);
}

TEST_CASE("video instructions on values side by side give what the reference says", "[vgpu]") {
  const std::vector<VideoInstruction> all = packed_video_instructions();
  CHECK(all.size() > 2000);
  hold(all);
}

TEST_CASE("numbers are operands of video instructions like registers", "[vgpu]") {
  CHECK(refusals_of("vadd.s32.u32.u32 %r1.b0, 5, %r3.h1, 7;").empty());
  CHECK(refusals_of("vmad.u32.u32.u32 %r1, %r2.b0, -%r3, 7;").empty());
}

TEST_CASE("video instructions that there are not are refused", "[vgpu]") {
  for (const std::string instruction : {"vadd.u32.u32.u32 %r1, %r2, %r3, %r4;",
                                        "vadd.u32.u32.u32.add %r1, %r2, %r3;",
                                        "vadd.u32.u32.u32.add %r1.b0, %r2, %r3, %r4;",
                                        "vadd.u32.u32.u32 %r1.h1, %r2, %r3;",
                                        "vadd.u32.u32.u32 %r1, %r2.h10, %r3;",
                                        "vadd.u32.u32.u32 %r1, %r2.b4, %r3;",
                                        "vadd.u32.u16.u32 %r1, %r2, %r3;",
                                        "vshl.u32.u32.u32 %r1, %r2, %r3;",
                                        "vshl.u32.u32.s32.wrap %r1, %r2, %r3;",
                                        "vset.u32.u32 %r1, %r2, %r3;",
                                        "vset.u32.u32.lt.sat %r1, %r2, %r3;",
                                        "vmad.u32.u32.u32.add %r1, %r2, %r3, %r4;",
                                        "vmad.s32.u32.u32 %r1, -%r2, %r3, -%r4;",
                                        "vmad.u32.u32.u32.po %r1, -%r2, -%r3, %r4;",
                                        "vadd2.u32.u32.u32 %r1, %r2, %r3;",
                                        "vadd2.u32.u32.u32.sat.add %r1, %r2, %r3, %r4;",
                                        "vadd2.u32.u32.u32 %r1.h01, %r2, %r3, %r4;",
                                        "vadd2.u32.u32.u32 %r1, %r2.h1, %r3, %r4;",
                                        "vadd2.u32.u32.u32 %r1, %r2.h54, %r3, %r4;",
                                        "vadd4.u32.u32.u32 %r1.h1, %r2, %r3, %r4;",
                                        "vadd4.u32.u32.u32 %r1, %r2.h10, %r3, %r4;",
                                        "vadd4.u32.u32.u32 %r1.b3321, %r2, %r3, %r4;",
                                        "vadd4.u32.u32.u32 %r1, %r2, %r3, %r4.b0;"}) {
    CAPTURE(instruction);
    CHECK(refusals_of(instruction).size() == 1);
  }
}
