// Places inside the toolkit's functions become those of the calls.
#include "vgpu/ptx/call_places.h"

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"

using namespace cudalabs::vgpu::ptx;

namespace {

/// A kernel that calls `wrapper` in lines 5 and 9, which calls `inner`, a function without places.
Module sample(const std::string& file_of_wrapper) {
  Module module = parse(
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".func inner(.param .b64 p)\n{\n.reg .b64 %rd<2>;\n.reg .f32 %f<2>;\n.reg .b16 %h<2>;\n"
      "ld.param.u64 %rd1, [p];\natom.global.add.f32 %f1, [%rd1], 0f3F800000;\ncvt.rn.f16.f32 %h1, %f1;\nret;\n}\n"
      ".func wrapper(.param .b64 p)\n{\n.reg .b64 %rd<2>;\n.loc 1 84 3\nld.param.u64 %rd1, [p];\n"
      "{\n.param .b64 q;\nst.param.b64 [q], %rd1;\ncall.uni inner, (q);\n}\nret;\n}\n"
      ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<2>;\n.loc 2 4 1\nld.param.u64 %rd1, [p];\n"
      ".loc 2 5 3\n{\n.param .b64 q;\nst.param.b64 [q], %rd1;\ncall.uni wrapper, (q);\n}\n"
      ".loc 2 9 3\n{\n.param .b64 q;\nst.param.b64 [q], %rd1;\ncall.uni wrapper, (q);\n}\nret;\n}\n"
      ".file 1 \"" +
      file_of_wrapper + "\"\n.file 2 \"/course/k.cu\"\n");
  place_at_calls(module);
  return module;
}

std::vector<std::uint32_t> lines_of(const Module& module, const std::string& opcode) {
  std::vector<std::uint32_t> lines;
  for (const Function& function : module.functions) {
    for (const Instruction& instruction : function.instructions) {
      if (instruction.opcode == opcode) lines.push_back(instruction.location.line);
    }
  }
  std::ranges::sort(lines);
  return lines;
}

}  // namespace

TEST_CASE("each call of a function of the toolkit has its own place, through any number of calls", "[ptx]") {
  const Module module = sample("/usr/local/cuda/bin/../targets/x86_64-linux/include/sm_20_atomic_functions.hpp");
  CHECK(module.functions.size() == 7);
  CHECK(lines_of(module, "atom") == std::vector<std::uint32_t>{0, 5, 9});  // 0: the original, which nobody calls now
  CHECK(lines_of(module, "cvt") == std::vector<std::uint32_t>{0, 5, 9});
}

TEST_CASE("a function in a file of the reader's keeps its own place", "[ptx]") {
  const Module module = sample("/course/helpers.cuh");
  CHECK(lines_of(module, "atom") == std::vector<std::uint32_t>{0, 84});
  CHECK(lines_of(module, "call") == std::vector<std::uint32_t>{5, 9, 84});
}
