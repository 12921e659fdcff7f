// Generates a PTX loop a class of instruction and times it on one worker; the difference of a long and a short body
// is the cost of the instructions alone.
#include "bench/instruction_bench.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "bench/table.h"
#include "vgpu/virtual_gpu.h"

namespace cudalabs::bench {
namespace {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kTrips = 400;
constexpr int kShortBody = 8;
constexpr int kLongBody = 136;

struct Class {
  const char* name;
  const char* text;  // registers as declared in kernel_text; each result is read again, else it would not be computed
  int instructions = 1;
};

constexpr Class kClasses[] = {
    {"integer add", "add.s32 %r2, %r2, %r3;"},
    {"integer multiply-add", "mad.lo.s32 %r2, %r2, %r3, %r4;"},
    {"64-bit address add", "add.s64 %rd4, %rd4, %rd3;"},
    {"sign extension, truncation", "cvt.s64.s32 %rd4, %r2; cvt.u32.u64 %r2, %rd4;", 2},
    {"float add", "add.f32 %f2, %f2, %f3;"},
    {"float fused multiply-add", "fma.rn.f32 %f2, %f2, %f3, %f4;"},
    {"float division", "div.rn.f32 %f2, %f2, %f3;"},
    {"double fused multiply-add", "fma.rn.f64 %fd2, %fd2, %fd3, %fd4;"},
    {"compare, select", "setp.lt.s32 %p2, %r2, %r3; selp.b32 %r2, %r4, %r3, %p2;", 2},
    {"move", "mov.u32 %r5, %r2; mov.u32 %r2, %r5;", 2},
    {"special register", "mov.u32 %r5, %tid.x;"},
    {"shuffle", "shfl.sync.down.b32 %r5, %r2, 1, 31, -1;"},
    {"global load, consecutive", "ld.global.f32 %f5, [%rd1];"},
    {"global load, broadcast", "ld.global.f32 %f5, [%rd5];"},
    {"global load, strided", "ld.global.f32 %f5, [%rd6];"},
    {"global store, consecutive", "st.global.f32 [%rd1], %f2;"},
    {"shared load, consecutive", "ld.shared.f32 %f5, [%r6];"},
    {"shared load, broadcast", "ld.shared.f32 %f5, [%r7];"},
    {"shared load, one bank", "ld.shared.f32 %f5, [%r11];"},
    {"shared store, consecutive", "st.shared.f32 [%r6], %f2;"},
    {"shared atomic add, consecutive", "atom.shared.add.u32 %r5, [%r8], 1;"},
    {"shared atomic add, one word", "atom.shared.add.u32 %r5, [%r12], 1;"},
    {"shared atomic add, at random, with its index",
     "mad.lo.u32 %r2, %r2, 1664525, %r1; shr.u32 %r5, %r2, 16; and.b32 %r5, %r5, 1020; add.u32 %r5, %r5, %r12; "
     "red.shared.add.u32 [%r5], 1;"},
    {"global atomic add, consecutive", "red.global.add.f32 [%rd1], %f2;"},
    {"block barrier", "bar.sync 0;"},
};

std::string kernel_text(const Class& of, int body) {
  std::string text = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry timed(.param .u64 data)
{
  .reg .pred %p<4>;
  .reg .b32 %r<14>;
  .reg .f32 %f<8>;
  .reg .f64 %fd<8>;
  .reg .b64 %rd<10>;
  .shared .align 4 .b8 values[4096];
  .shared .align 4 .b8 counts[4096];
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 1;
  mov.u32 %r3, 3;
  mov.u32 %r4, 5;
  mov.f32 %f2, 0f3F800000;
  mov.f32 %f3, 0f3F7FFFFF;
  mov.f32 %f4, 0f3F000000;
  mov.f64 %fd2, 0d3FF0000000000000;
  mov.f64 %fd3, 0d3FEFFFFFFFFFFFFF;
  mov.f64 %fd4, 0d3FE0000000000000;
  mov.u64 %rd3, 4;
  mov.u64 %rd4, 0;
  mov.u64 %rd5, %rd1;
  mul.wide.u32 %rd2, %r1, 132;
  add.s64 %rd6, %rd1, %rd2;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  mov.u32 %r7, values;
  shl.b32 %r6, %r1, 2;
  add.u32 %r6, %r6, %r7;
  and.b32 %r11, %r1, 31;
  shl.b32 %r11, %r11, 7;
  add.u32 %r11, %r11, %r7;
  mov.u32 %r8, counts;
  mov.u32 %r12, counts;
  shl.b32 %r9, %r1, 2;
  add.u32 %r8, %r8, %r9;
  mov.u32 %r5, 0;
  st.shared.f32 [%r6], %f2;
  st.shared.u32 [%r8], %r5;
  st.shared.f32 [%r6+1024], %f2;
  st.shared.f32 [%r6+2048], %f2;
  st.shared.f32 [%r6+3072], %f2;
  mov.u32 %r10, 0;
  bar.sync 0;
loop:
)";
  for (int i = 0; i < body; ++i) text += fmt::format("  {}\n", of.text);
  text += fmt::format(R"(  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p1, %r10, {};
  @%p1 bra loop;
  ret;
}}
)",
                      kTrips);
  return text;
}

double launch_seconds(const std::string& ptx, bool checks) {
  vgpu::VirtualGpuOptions options;
  options.model = vgpu::device_model("t4");
  options.workers = 1;
  options.check_races = checks;
  options.check_initialized = checks;
  options.count = checks;
  vgpu::VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(ptx);
  const std::vector<float> data(kThreads * 33 + 32, 1.0f);
  const vgpu::DeviceAddress address = gpu.allocate(data.size() * sizeof(float));
  gpu.copy_in(address, std::as_bytes(std::span(data)));
  std::vector<double> seconds;
  for (int launch = 0; launch < 7; ++launch) {
    const vgpu::LaunchOutcome outcome = gpu.launch(module, "timed", {.grid = {1, 1, 1}, .block = {kThreads, 1, 1}},
                                                   std::as_bytes(std::span(&address, 1)));
    if (outcome.status != vgpu::LaunchStatus::ok) throw std::runtime_error("instruction benchmark did not run");
    seconds.push_back(outcome.seconds);
  }
  return median(seconds);
}

double nanoseconds(const Class& of, bool checks) {
  const double longer = launch_seconds(kernel_text(of, kLongBody), checks);
  const double shorter = launch_seconds(kernel_text(of, kShortBody), checks);
  return (longer - shorter) * 1e9 / (static_cast<double>(kLongBody - kShortBody) * of.instructions * kTrips * kWarps);
}

}  // namespace

std::vector<ClassTime> time_instruction_classes() {
  std::vector<ClassTime> result;
  for (const Class& each : kClasses) result.push_back({each.name, nanoseconds(each, false), nanoseconds(each, true)});
  return result;
}

}  // namespace cudalabs::bench
