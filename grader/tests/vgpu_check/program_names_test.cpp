// What an address outside of everything is said to be near to.
#include "vgpu/check/program_names.h"

#include <span>
#include <string>

#include "catch.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

/// The note on a store one word past the end of a variable of this name.
std::string note_past(const std::string& variable) {
  VirtualGpu gpu(VirtualGpuOptions{});
  const std::uint32_t module = gpu.load_module(".version 7.0\n.target sm_75\n.address_size 64\n.global .align 4 .b8 " +
                                               variable + R"([8] = {104, 105};
.visible .entry k(.param .u64 to)
{
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [to];
  st.global.u32 [%rd1], 0;
  ret;
}
)");
  REQUIRE(gpu.variables(module).size() == 1);
  const std::uint64_t to = gpu.variables(module).front().address + 8;
  gpu.launch(module, "k", {{1, 1, 1}, {1, 1, 1}}, std::as_bytes(std::span(&to, 1)));
  REQUIRE(gpu.findings().size() == 1);
  return gpu.findings().front().note;
}

}  // namespace

TEST_CASE("an address past a variable is told by it, but not by a string that the compiler has put there") {
  CHECK(note_past("table").starts_with("just past the end of `table`, allocated as 8 bytes"));
  CHECK(note_past("$str").starts_with("no allocation is near this address"));
  CHECK(note_past("_$_str_1").starts_with("no allocation is near this address"));
}
