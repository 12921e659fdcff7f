// Copies of the toolkit's functions, one for each call.
#include "vgpu/ptx/call_places.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "vgpu/ptx/instruction_set.h"
#include "vgpu/ptx/library_files.h"

namespace cudalabs::vgpu::ptx {
namespace {

constexpr std::size_t kMostCopied = 100'000;  // instructions; a program may be hostile
constexpr int kDeepestCall = 16;              // calls inside calls

/// What findings are about, a loss of digits among it; conditions are not, which coverage shows by their places.
bool can_be_found(const Instruction& instruction) {
  return facts_of(instruction.code).findings == Findings::yes || instruction.code == Opcode::cvt;
}

class CallPlacer {
 public:
  explicit CallPlacer(Module& module) : module_(module) {
    for (std::size_t i = 0; i < module.functions.size(); ++i) by_name_[module.functions[i].name] = i;
  }

  void run() {
    const std::size_t count = module_.functions.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_foreign(module_.functions[i])) place_calls_of(i, 0);
    }
  }

 private:
  /// None of its code is the reader's. Variables of its own in shared memory must stay one for all calls.
  bool is_foreign(const Function& function) const {
    if (function.is_entry || function.is_declaration || function.instructions.empty()) return false;
    if (std::ranges::any_of(function.variables, [](const Variable& v) { return v.space == Space::shared; }))
      return false;
    return std::ranges::all_of(function.instructions, [&](const Instruction& instruction) {
      return instruction.location.line == 0 || is_of_toolkit(module_.files[instruction.location.file]);
    });
  }

  void place_calls_of(std::size_t caller, int depth) {
    if (depth == kDeepestCall) return;
    for (std::size_t i = 0; i < module_.functions[caller].instructions.size(); ++i) {
      const Instruction& call = module_.functions[caller].instructions[i];
      if (call.code != Opcode::call || call.operands.size() < 2 || call.location.line == 0) continue;
      const auto* target = std::get_if<SymbolRef>(&call.operands[1].value);
      const auto found = target == nullptr ? by_name_.end() : by_name_.find(target->name);
      if (found == by_name_.end() || !is_foreign(module_.functions[found->second])) continue;
      const InlinedCall place{call.location, call.call};
      const std::size_t copy = copy_of(found->second, place, depth);
      if (copy == found->second) continue;
      std::get<SymbolRef>(module_.functions[caller].instructions[i].operands[1].value).name =
          module_.functions[copy].name;
    }
  }

  /// Index of the function with `place` for its own; itself where no more can be copied.
  std::size_t copy_of(std::size_t function, const InlinedCall& place, int depth) {
    const Key key{function, place.at.file, place.at.line, place.at.column, place.caller};
    if (const auto known = copies_.find(key); known != copies_.end()) return known->second;
    copied_ += module_.functions[function].instructions.size();
    if (copied_ > kMostCopied) return function;
    Function copy = module_.functions[function];
    copy.name += "$call" + std::to_string(copies_.size());
    if (by_name_.contains(copy.name)) return function;
    for (Instruction& instruction : copy.instructions) {
      if (!can_be_found(instruction)) continue;
      instruction.location = place.at;
      instruction.call = place.caller;
    }
    const std::size_t index = module_.functions.size();
    copies_[key] = index;
    module_.functions.push_back(std::move(copy));
    place_calls_of(index, depth + 1);
    return index;
  }

  using Key = std::tuple<std::size_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

  Module& module_;
  std::map<std::string, std::size_t, std::less<>> by_name_;
  std::map<Key, std::size_t> copies_;
  std::size_t copied_ = 0;
};

}  // namespace

void place_at_calls(Module& module) {
  CallPlacer(module).run();
}

}  // namespace cudalabs::vgpu::ptx
