// Program -> table.
#include "vgpu/profile/instruction_table.h"

#include <map>
#include <utility>

namespace cudalabs::vgpu {

InstructionTable instruction_table(const Program& program) {
  InstructionTable table;
  table.entries.reserve(program.instructions().size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> lines;  // file and line -> place in the table
  for (const InstructionInfo& info : program.instructions()) {
    InstructionTable::Entry& entry = table.entries.emplace_back();
    entry.kind = info.opcode_class;
    entry.operations = info.operations;
    if (info.line == 0) continue;
    const auto [line, is_new] = lines.try_emplace({info.file, info.line}, static_cast<std::uint32_t>(lines.size()));
    if (is_new) table.lines.push_back({program.files()[info.file], info.line, 0});
    entry.line = line->second;
  }
  return table;
}

std::string_view name_of(OpcodeClass kind) {
  switch (kind) {
    case OpcodeClass::integer:
      return "integer";
    case OpcodeClass::float16:
      return "float16";
    case OpcodeClass::float32:
      return "float32";
    case OpcodeClass::float64:
      return "float64";
    case OpcodeClass::special_function:
      return "special_function";
    case OpcodeClass::comparison:
      return "comparison";
    case OpcodeClass::conversion:
      return "conversion";
    case OpcodeClass::float64_conversion:
      return "float64_conversion";
    case OpcodeClass::move:
      return "move";
    case OpcodeClass::load:
      return "load";
    case OpcodeClass::store:
      return "store";
    case OpcodeClass::atomic:
      return "atomic";
    case OpcodeClass::barrier:
      return "barrier";
    case OpcodeClass::warp_sync:
      return "warp_sync";
    case OpcodeClass::fence:
      return "fence";
    case OpcodeClass::branch:
      return "branch";
    case OpcodeClass::call:
      return "call";
    case OpcodeClass::exit:
      return "exit";
    case OpcodeClass::other:
      return "other";
  }
  return "other";
}

}  // namespace cudalabs::vgpu
