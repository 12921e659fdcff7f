// What an address outside of everything is said to be near to, and from where a function is called.
#include "vgpu/check/program_names.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

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

namespace {

/// `get` reads an element in line 3; `pass` calls it in line 7, and the kernel calls `pass` in line 20, `get` in line
/// 21, and what does not lead there in line 22.
constexpr const char* kCalling = R"(.version 7.0
.target sm_75
.address_size 64
.file 1 "k.cu"
.visible .func (.param .b32 result) get(.param .b64 from)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [from];
  .loc 1 3 1
  ld.global.u32 %r1, [%rd1];
  st.param.b32 [result], %r1;
  ret;
}
.visible .func (.param .b32 result) pass(.param .b64 from)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [from];
  .loc 1 7 1
  {
    .param .b64 a;
    .param .b32 b;
    st.param.b64 [a], %rd1;
    call.uni (b), get, (a);
    ld.param.b32 %r1, [b];
  }
  st.param.b32 [result], %r1;
  ret;
}
.visible .func nothing()
{
  ret;
}
.visible .entry k(.param .u64 from, .param .u64 from_pass, .param .u64 to)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [from_pass];
  ld.param.u64 %rd3, [to];
  .loc 1 20 1
  {
    .param .b64 a;
    .param .b32 b;
    st.param.b64 [a], %rd2;
    call.uni (b), pass, (a);
    ld.param.b32 %r1, [b];
  }
  .loc 1 21 1
  {
    .param .b64 a;
    .param .b32 b;
    st.param.b64 [a], %rd1;
    call.uni (b), get, (a);
    ld.param.b32 %r2, [b];
  }
  .loc 1 22 1
  call.uni nothing;
  add.u32 %r3, %r1, %r2;
  st.global.u32 [%rd3], %r3;
  ret;
}
)";

struct Arguments {
  std::uint64_t from = 0, from_pass = 0, to = 0;
};

/// All that a launch of one thread shows; an array that is not given is a new one.
std::vector<Finding> findings_of(Arguments arguments, VirtualGpu& gpu) {
  const std::uint32_t module = gpu.load_module(kCalling);
  for (std::uint64_t* array : {&arguments.from, &arguments.from_pass, &arguments.to})
    if (*array == 0) *array = gpu.allocate(64);
  gpu.launch(module, "k", {{1, 1, 1}, {1, 1, 1}}, std::as_bytes(std::span(&arguments, 1)));
  return gpu.findings();
}

std::vector<std::uint32_t> lines(const std::vector<SourcePlace>& places) {
  std::vector<std::uint32_t> lines;
  for (const SourcePlace& place : places) {
    CHECK(place.file == "k.cu");
    lines.push_back(place.line);
  }
  return lines;
}

using Lines = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("a finding in a function has the kernel's lines that lead there") {
  VirtualGpu gpu(VirtualGpuOptions{});
  const std::vector<Finding> unwritten = findings_of({}, gpu);
  REQUIRE(unwritten.size() == 1);
  CHECK(unwritten[0].where.line == 3);
  CHECK(lines(unwritten[0].called_from) == Lines{20, 21});
  CHECK(unwritten[0].other_called_from.empty());
}

TEST_CASE("of an access that is refused the call that led there is known, and in the kernel itself there is none") {
  constexpr std::uint64_t kNowhere = 4;
  VirtualGpu gpu(VirtualGpuOptions{}), same(VirtualGpuOptions{}), kernel(VirtualGpuOptions{});
  const auto null_of = [](const std::vector<Finding>& findings) {
    const auto found = std::ranges::find(findings, "null-pointer-dereference", &Finding::id);
    REQUIRE(found != findings.end());
    return *found;
  };
  CHECK(lines(null_of(findings_of({.from_pass = kNowhere}, gpu)).called_from) == Lines{20});
  CHECK(lines(null_of(findings_of({.from = kNowhere}, same)).called_from) == Lines{21});
  const Finding store = null_of(findings_of({.to = kNowhere}, kernel));
  CHECK(store.where.line == 22);
  CHECK(store.called_from.empty());
}
