// Inlined code gets the place of its call, code without a line that of what stands before it.
#include "vgpu/ptx/inlined_places.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"

using namespace cudalabs::vgpu::ptx;

namespace {

using Place = std::pair<std::uint32_t, std::uint32_t>;  // file and line

constexpr const char* kLibrary = "/usr/local/cuda/targets/x86_64-linux/include/sync.h";

/// A kernel of file 1 with stores at lines of files 1 and 2, and labels before them.
Module sample_with(const std::string& header) {
  return parse(".version 7.0\n.target sm_70\n.address_size 64\n.file 1 \"/course/k.cu\"\n.file 2 \"" + header +
               "\"\n.visible .entry k(.param .u64 p)\n{\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\n"
               "$outer:\n.loc 1 5 1\nst.u32 [%rd1], 0;\n.loc 2 80 1\nst.u32 [%rd1], 1;\n"
               "$inner:\n.loc 2 90 1\nst.u32 [%rd1], 2;\n$inner_end:\n.loc 1 20 1\nst.u32 [%rd1], 3;\n"
               "$outer_end:\n.loc 2 99 1\nst.u32 [%rd1], 4;\n.loc 1 0 1\nst.u32 [%rd1], 5;\nret;\n}\n");
}

DebugEntry inlined(const std::string& begin, const std::string& end, std::uint32_t file, std::uint32_t line) {
  DebugEntry entry;
  entry.tag = DebugTag::inlined_subroutine;
  entry.begin = begin;
  entry.end = end;
  entry.call = {file, line, 1};
  return entry;
}

std::vector<Place> places_of(const Module& module) {
  std::vector<Place> places;
  for (const Instruction& instruction : module.functions.at(0).instructions) {
    if (instruction.opcode == "st") places.emplace_back(instruction.location.file, instruction.location.line);
  }
  return places;
}

}  // namespace

TEST_CASE("what was inlined out of a library's header is where the program calls it") {
  Module module = sample_with(kLibrary);
  place_inlined(module, {{10, inlined("$outer", "$outer_end", 1, 7)}, {20, inlined("$inner", "$inner_end", 2, 85)}});
  // The first and the fourth are of the file that calls; what no range holds stays where it is.
  CHECK(places_of(module) == std::vector<Place>{{1, 5}, {1, 7}, {1, 7}, {1, 20}, {2, 99}, {1, 0}});
}

TEST_CASE("what was inlined out of a header of the program's own stays there, and knows its calls") {
  Module module = sample_with("/course/mine.h");
  place_inlined(module, {{10, inlined("$outer", "$outer_end", 1, 7)}, {20, inlined("$inner", "$inner_end", 2, 85)}});
  REQUIRE(module.calls.size() == 3);
  const InlinedCall& inner = module.calls.at(module.functions.at(0).instructions.at(3).call);
  CHECK(inner.at.line == 85);
  CHECK(module.calls.at(inner.caller).at.line == 7);
  CHECK(places_of(module) == places_of(sample_with("/course/mine.h")));
}

TEST_CASE("what one library inlines into another has the place of the outermost of them") {
  Module module = parse(
      ".version 7.0\n.target sm_70\n.address_size 64\n.file 1 \"/usr/include/a.h\"\n.file 2 \"/usr/include/b.h\"\n"
      ".visible .entry k(.param .u64 p)\n{\n$begin:\n.loc 2 80 1\nst.u32 [0], 1;\n$end:\nret;\n}\n");
  place_inlined(module, {{10, inlined("$begin", "$end", 1, 7)}});
  CHECK(places_of(module) == std::vector<Place>{{1, 7}});
}

TEST_CASE("of several calls in the program's files the innermost is meant") {
  Module module = sample_with(kLibrary);
  place_inlined(module, {{10, inlined("$outer", "$outer_end", 1, 7)}, {20, inlined("$inner", "$inner_end", 1, 30)}});
  CHECK(places_of(module) == std::vector<Place>{{1, 5}, {1, 7}, {1, 30}, {1, 20}, {2, 99}, {1, 0}});
}

TEST_CASE("ranges that are none, and calls of files that are not there, place nothing") {
  const std::vector<Place> before = places_of(sample_with(kLibrary));
  for (const DebugEntry& entry :
       {inlined("$outer_end", "$outer", 1, 7), inlined("$outer", "$nowhere", 1, 7), inlined("", "", 1, 7),
        inlined("$outer", "$outer_end", 9, 7), inlined("$outer", "$outer_end", 1, 0)}) {
    Module module = sample_with(kLibrary);
    place_inlined(module, {{10, entry}});
    CHECK(places_of(module) == before);
  }
}

TEST_CASE("what has no line has that of what stands before it") {
  Module module = sample_with(kLibrary);
  place_without_line(module);
  CHECK(places_of(module).back() == Place{2, 99});
}
