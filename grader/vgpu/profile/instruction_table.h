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
  static constexpr std::uint32_t kNoLine = ~0u;
  struct Entry {
    OpcodeClass kind = OpcodeClass::other;
    std::uint8_t operations = 0;   // floating-point operations of a lane
    std::uint32_t line = kNoLine;  // into `lines`
  };
  std::vector<Entry> entries;
  std::vector<SourcePlace> lines;  // each once; column 0
};

InstructionTable instruction_table(const Program& program);

/// "integer", "float32", ...
std::string_view name_of(OpcodeClass kind);

}  // namespace cudalabs::vgpu
