// A module of PTX on the device: its program, and what is known of its instructions before they run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>

#include "vgpu/analysis/value_origins.h"
#include "vgpu/check/instruction_roles.h"
#include "vgpu/exec/program.h"
#include "vgpu/memory/global_memory.h"
#include "vgpu/profile/branch_table.h"
#include "vgpu/profile/instruction_table.h"
#include "vgpu/profile/schedule_table.h"
#include "vgpu/ptx/link_modules.h"
#include "vgpu/ptx/refusal.h"
#include "vgpu/ptx/variable_types.h"

namespace cudalabs::vgpu {

struct LoadedModule {
  std::unique_ptr<Program> program;
  ptx::VariableTypes types;  // of its variables, where they are known
  InstructionTable instructions;
  InstructionRoles roles;                  // where races are looked for
  ValueOrigins origins;                    // likewise
  std::set<std::uint32_t> never_left;      // likewise: instructions of endless loops that who is at has gone on in
  std::set<std::uint32_t> pure_exchanges;  // instructions: atomics that only write
  std::map<std::uint32_t, std::uint32_t> object_copies;  // see there; by instruction
  BranchTable branches;
  ScheduleTable schedule;                                     // where launches are counted in detail
  std::map<std::string, ptx::Refusal, std::less<>> refusals;  // by mangled kernel
};

/// The instruction's place in the module, and back.
CodePlace code_place(const Program& program, std::uint32_t instruction);
std::uint32_t instruction_at(const Program& program, CodePlace place);

/// Links the texts into one module. Throws ptx::ParseError and ptx::LinkError. Lines are counted on from each text to
/// the next, in what is thrown.
ptx::TypedModule parse_module(std::span<const std::string> texts);

/// Puts the variables of a module, which `texts` are, into `memory`, which must outlive it. Throws UnsupportedPtx.
LoadedModule load_module(const ptx::TypedModule& module, std::span<const std::string> texts, GlobalMemory& memory,
                         bool check_races, bool count_in_detail);

}  // namespace cudalabs::vgpu
