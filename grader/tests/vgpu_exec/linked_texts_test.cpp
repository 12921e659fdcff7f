// Several PTX texts as one module: what runs, and what is refused with whose lines.
#include <cstdint>
#include <string>
#include <vector>

#include "catch.h"
#include "vgpu/ptx/link_modules.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

std::string head(const std::string& file) {
  return ".version 9.0\n.target sm_80\n.address_size 64\n.file 1 \"" + file + "\"\n";
}

std::string kernel(const std::string& name, const std::string& body) {
  return ".visible .entry " + name + "(.param .u64 out)\n{\n  .reg .b32 %r<9>;\n  .reg .b64 %rd<9>;\n" +
         "  ld.param.u64 %rd1, [out];\n" + body + "\n  ret;\n}\n";
}

/// `value` in a text's own variable, which its own function adds to what it is given.
std::string own(const std::string& value) {
  return ".global .u32 own = " + value + R"(;
.func (.param .b32 result) plus(.param .b32 x)
{
  .reg .b32 %r<9>;
  .loc 1 )" +
         value + R"( 1
  ld.param.u32 %r1, [x];
  ld.global.u32 %r2, [own];
  add.u32 %r3, %r1, %r2;
  st.param.b32 [result], %r3;
  ret;
}
)";
}

const std::string kCallPlus = R"(
  .param .b32 x;
  .param .b32 r;
  st.param.b32 [x], 100;
  call.uni (r), plus, (x);
  ld.param.b32 %r1, [r];
)";

struct Device {
  Device() : gpu(options()), array(gpu.allocate(16)) { gpu.fill(array, 0, 16); }

  static VirtualGpuOptions options() {
    VirtualGpuOptions options;
    options.model = device_model("a100");
    return options;
  }

  std::uint32_t run(std::uint32_t module, const std::string& name) {
    CHECK(gpu.launch(module, name, {}, std::as_bytes(std::span(&array, 1))).status == LaunchStatus::ok);
    std::uint32_t word = 0;
    CHECK(gpu.copy_out(std::as_writable_bytes(std::span(&word, 1)), array));
    return word;
  }

  VirtualGpu gpu;
  std::uint64_t array;
};

}  // namespace

TEST_CASE("texts share what they declare and keep apart what is their own", "[vgpu]") {
  const std::vector<std::string> texts{
      head("a.cu") + own("7") + ".extern .global .u32 shared_one;\n" +
          kernel("first", kCallPlus + "  ld.global.u32 %r2, [shared_one];\n  add.u32 %r1, %r1, %r2;\n"
                                      "  st.global.u32 [%rd1], %r1;"),
      head("b.cu") + own("9") + ".visible .global .u32 shared_one = 1000;\n" +
          kernel("second", kCallPlus + "  st.global.u32 [%rd1], %r1;\n  st.global.u32 [shared_one], 2000;")};
  Device device;
  const std::uint32_t module = device.gpu.load_module(texts);
  CHECK(device.gpu.variables(module).size() == 3);
  CHECK(device.run(module, "first") == 1107);
  CHECK(device.run(module, "second") == 109);
  CHECK(device.run(module, "first") == 2107);
}

TEST_CASE("shared memory whose size the launch gives is one array for all texts", "[vgpu]") {
  const std::string array = ".extern .shared .align 4 .b8 cells[];\n";
  const std::vector<std::string> texts{
      head("a.cu") + array + ".extern .func put();\n" +
          kernel("k", "  call.uni put, ();\n  ld.shared.u32 %r1, [cells];\n  st.global.u32 [%rd1], %r1;"),
      head("b.cu") + array + ".visible .func put()\n{\n  st.shared.u32 [cells], 5;\n  ret;\n}\n"};
  Device device;
  const std::uint32_t module = device.gpu.load_module(texts);
  const LaunchConfig config{.grid = {1, 1, 1}, .block = {1, 1, 1}, .dynamic_shared_bytes = 4};
  CHECK(device.gpu.launch(module, "k", config, std::as_bytes(std::span(&device.array, 1))).status == LaunchStatus::ok);
  std::uint32_t word = 0;
  CHECK(device.gpu.copy_out(std::as_writable_bytes(std::span(&word, 1)), device.array));
  CHECK(word == 5);
}

TEST_CASE("a refusal and an error have the place of their text", "[vgpu]") {
  std::vector<std::string> texts{head("a.cu") + kernel("plain", "  st.global.u32 [%rd1], 3;"),
                                 head("b.cu") + kernel("bad", "  .loc 1 12 3\n  wgmma.fence.sync.aligned;")};
  Device device;
  const std::uint32_t module = device.gpu.load_module(texts);
  CHECK(device.run(module, "plain") == 3);
  CHECK(device.gpu.launch(module, "bad", {}, std::as_bytes(std::span(&device.array, 1))).status ==
        LaunchStatus::refused);
  REQUIRE(device.gpu.refusals().size() == 1);
  CHECK(device.gpu.refusals()[0].where == SourcePlace{"b.cu", 12, 3});

  texts[1] = head("b.cu") + "???\n";
  try {
    device.gpu.load_module(texts);
    FAIL("it was loaded");
  } catch (const ptx::ParseError& error) {
    CHECK(error.line() == ptx::first_lines(texts)[1] + 4);
  }
  texts[1] = texts[0];
  CHECK_THROWS_AS(device.gpu.load_module(texts), ptx::LinkError);
}

TEST_CASE("texts together have no more initialised variables than one may have", "[vgpu]") {
  const std::string large = head("a.cu") + ".global .b8 a[100000000] = {1};\n";
  Device device;
  CHECK_THROWS_AS(device.gpu.load_module(std::vector{large, large}), ptx::ParseError);
}
