// What the kernel's text has, without what the recorder saw.
#include "vgpu/idle_stores.h"

#include <algorithm>
#include <set>

namespace cudalabs::vgpu {

std::vector<ArrayWriter> find_idle_stores(const WriterRecorder& recorder, const Program& program,
                                          const KernelInfo& kernel, const InstructionRoles& roles,
                                          const ProgramNames& names, std::span<const InputArray> outputs) {
  constexpr std::size_t kMost = 8;  // far more than a finding can name
  std::set<std::uint32_t> executed;
  for (const auto& [array, instruction] : recorder.written()) executed.insert(instruction);
  const FunctionInfo& function = program.functions()[kernel.function];
  std::vector<ArrayWriter> idle;
  for (std::uint32_t i = function.first; i < function.first + function.count && idle.size() < kMost; ++i) {
    const OpcodeClass kind = program.instruction(i).opcode_class;
    const bool stores = kind == OpcodeClass::store || kind == OpcodeClass::atomic;
    const auto parameter = stores && !executed.contains(i) ? roles.pointer(i) : std::nullopt;
    const auto address = parameter ? names.pointer_given(*parameter) : std::nullopt;
    const auto output = address ? std::ranges::find(outputs, *address, &InputArray::address) : outputs.end();
    if (output == outputs.end()) continue;
    ArrayWriter store{output->name, names.kernel(), names.place(i)};
    if (store.where.known() && std::ranges::find(idle, store) == idle.end()) idle.push_back(std::move(store));
  }
  return idle;
}

}  // namespace cudalabs::vgpu
