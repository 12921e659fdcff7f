// What the counters need to know of a program's instructions, as plain data.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "vgpu/exec/program.h"
#include "vgpu/finding.h"

namespace cudalabs::vgpu {

/// By instruction index; made once per module.
struct InstructionTable {
  struct Entry {
    OpcodeClass kind = OpcodeClass::other;
    std::uint8_t operations = 0;  // floating-point operations of a lane
    SourcePlace place;            // column 0: coverage is by line
  };
  std::vector<Entry> entries;
};

InstructionTable instruction_table(const Program& program);

/// "integer", "float32", ...
std::string_view name_of(OpcodeClass kind);

}  // namespace cudalabs::vgpu
