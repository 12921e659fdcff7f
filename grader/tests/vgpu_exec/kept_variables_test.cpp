// Variables that a launch begins with as an earlier one has left them.
#include <cstring>
#include <string>
#include <vector>

#include "catch.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// Kernels of one thread: `add` adds 1 to `count`, `look` stores it in `seen`, `back` sets it to 0.
constexpr const char* kModule = R"(.version 7.7
.target sm_80
.address_size 64
.visible .global .align 4 .u32 count;
.visible .global .align 4 .u32 seen;
.visible .global .align 4 .f32 share = 0f3F000000;
.visible .global .align 4 .b8 table[64];
.visible .entry add()
{
  .reg .b32 %r<4>;
  ld.global.u32 %r1, [count];
  add.u32 %r2, %r1, 1;
  st.global.u32 [count], %r2;
  ret;
}
.visible .entry look()
{
  .reg .b32 %r<4>;
  ld.global.u32 %r1, [count];
  st.global.u32 [seen], %r1;
  ret;
}
.visible .entry back()
{
  .reg .b32 %r<4>;
  mov.u32 %r1, 0;
  st.global.u32 [count], %r1;
  ret;
}
.visible .entry halve()
{
  .reg .f32 %f<4>;
  ld.global.f32 %f1, [share];
  mul.f32 %f2, %f1, 0f3F000000;
  st.global.f32 [share], %f2;
  ret;
}
)";

class Device {
 public:
  explicit Device(std::uint64_t reset = 0) : gpu_(options(reset)), module_(gpu_.load_module(kModule)) {}

  Device& launch(const std::string& kernels) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= kernels.size(); ++at) {
      if (at != kernels.size() && kernels[at] != ' ') continue;
      const std::string kernel = kernels.substr(begin, at - begin);
      CHECK(gpu_.launch(module_, kernel, {{1, 1, 1}, {1, 1, 1}, 0}, {}).status == LaunchStatus::ok);
      begin = at + 1;
    }
    return *this;
  }
  Device& call(std::uint64_t number) {
    gpu_.begin_call(number);
    return *this;
  }
  Device& set(const std::string& variable, std::uint32_t value) {
    CHECK(gpu_.copy_in(address(variable), std::as_bytes(std::span(&value, 1))));
    return *this;
  }
  std::uint32_t value(const std::string& variable) {
    std::uint32_t value = 0;
    CHECK(gpu_.copy_out(std::as_writable_bytes(std::span(&value, 1)), address(variable)));
    return value;
  }
  /// "count: 1, not 0, in add"
  std::vector<std::string> kept() const {
    std::vector<std::string> all;
    for (const KeptVariable& kept : gpu_.kept_variables())
      all.push_back(kept.name + ": " + kept.value + ", not " + kept.at_first + ", in " + kept.kernel);
    return all;
  }

 private:
  static VirtualGpuOptions options(std::uint64_t reset) {
    VirtualGpuOptions options;
    options.model = device_model("a100");
    options.reset_variables = reset;
    return options;
  }
  DeviceAddress address(const std::string& name) const {
    for (const VariableDescription& variable : gpu_.variables(module_))
      if (variable.name == name) return variable.address;
    return 0;
  }

  VirtualGpu gpu_;
  std::uint32_t module_;
};

using Kept = std::vector<std::string>;

}  // namespace

TEST_CASE("a launch that finds what its kernel has left is told once", "[vgpu]") {
  Device device;
  CHECK(device.launch("add").kept().empty());
  CHECK(device.launch("add add").kept() == Kept{"count: 1, not 0, in add"});
  CHECK(device.value("count") == 3);
  CHECK(Device().launch("halve halve").kept() == Kept{"share: 0.25, not 0.5, in halve"});
}

TEST_CASE("what was set back, or is the host's, is not kept", "[vgpu]") {
  CHECK(Device().launch("add back add").kept().empty());
  CHECK(Device().launch("add").set("count", 0).launch("add").kept().empty());
  CHECK(Device().launch("add").set("count", 7).launch("add").kept().empty());
  CHECK(Device().set("count", 7).launch("add add").kept().empty());
}

TEST_CASE("a kernel that uses what another has computed begins as it is meant to", "[vgpu]") {
  CHECK(Device().launch("add look").kept().empty());
  CHECK(Device().call(1).launch("add look").kept().empty());
  // Called again, the program finds it as the first call has left it.
  CHECK(Device().call(1).launch("add look").call(2).launch("look").kept() ==
        Kept{"count: 1, not 0, in look", "seen: 1, not 0, in look"});
}

TEST_CASE("variables are set back where that is asked for, each by its number", "[vgpu]") {
  Device device(1);
  CHECK(device.launch("add look add look").kept() == Kept{"count: 1, not 0, in add", "seen: 1, not 0, in look"});
  CHECK(device.value("count") == 1);
  CHECK(device.value("seen") == 1);
  CHECK(Device(1u << 1).launch("add add").value("count") == 2);
}
