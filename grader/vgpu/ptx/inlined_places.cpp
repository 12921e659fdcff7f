// Ranges of inlined code to the places of their calls.
#include "vgpu/ptx/inlined_places.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "vgpu/ptx/instruction_set.h"
#include "vgpu/ptx/library_files.h"

namespace cudalabs::vgpu::ptx {
namespace {

constexpr std::size_t kMostPlaced =
    10'000'000;  // instructions, each as often as it is inlined; a program may be hostile

struct LabelPlace {
  std::size_t function = 0;
  std::uint32_t instruction = 0;
};

class InlinedPlacer {
 public:
  explicit InlinedPlacer(Module& module) : module_(module), calls_(module.functions.size()) {
    for (std::size_t i = 0; i < module.functions.size(); ++i) {
      for (const auto& [label, at] : module.functions[i].labels) labels_.emplace(label, LabelPlace{i, at});
    }
  }

  /// To be called for the outer ranges before those inside of them.
  void add(const DebugEntry& inlined) {
    const auto begin = labels_.find(inlined.begin), end = labels_.find(inlined.end);
    if (begin == labels_.end() || end == labels_.end() || begin->second.function != end->second.function) return;
    if (inlined.call.line == 0 || inlined.call.file >= module_.files.size()) return;
    const std::uint32_t from = begin->second.instruction, to = end->second.instruction;
    if (to <= from || placed_ + (to - from) > kMostPlaced) return;
    placed_ += to - from;
    std::vector<std::vector<Location>>& calls = calls_[begin->second.function];
    calls.resize(module_.functions[begin->second.function].instructions.size());
    for (std::uint32_t i = from; i < to; ++i) calls[i].push_back(inlined.call);
  }

  void place() {
    for (const std::string& file : module_.files) of_library_.push_back(is_of_library(file));
    for (std::size_t f = 0; f < calls_.size(); ++f) {
      for (std::size_t i = 0; i < calls_[f].size(); ++i) {
        Instruction& instruction = module_.functions[f].instructions[i];
        if (calls_[f][i].empty() || instruction.call != 0) continue;
        instruction.call = number_of(calls_[f][i]);
        place(instruction.location, calls_[f][i]);
      }
    }
  }

 private:
  void place(Location& location, const std::vector<Location>& calls) const {
    if (!of_library_[location.file]) return;
    const auto own =
        std::find_if(calls.rbegin(), calls.rend(), [&](const Location& call) { return !of_library_[call.file]; });
    if (own != calls.rend()) {
      location = *own;
      return;
    }
    if (location.file == calls.front().file) return;
    for (const Location& call : calls) {
      if (call.file != calls.front().file) return;
      location = call;
    }
  }

  std::uint32_t number_of(const std::vector<Location>& calls) {
    std::uint32_t caller = 0;
    for (const Location& call : calls) {
      const auto [known, is_new] = numbers_.try_emplace(Call{caller, call.file, call.line, call.column},
                                                        static_cast<std::uint32_t>(module_.calls.size()));
      if (is_new) module_.calls.push_back({call, caller});
      caller = known->second;
    }
    return caller;
  }

  using Call = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

  Module& module_;
  std::map<std::string_view, LabelPlace> labels_;  // of all functions: labels of debug information are of one only
  std::vector<bool> of_library_;                   // by file
  std::vector<std::vector<std::vector<Location>>> calls_;  // by function and instruction, the outermost first
  std::size_t placed_ = 0;
  std::map<Call, std::uint32_t> numbers_;  // of calls, by their callers and places
};

}  // namespace

void place_inlined(Module& module, const DebugEntries& entries) {
  InlinedPlacer placer(module);
  for (const auto& [offset, entry] : entries) {
    if (entry.tag == DebugTag::inlined_subroutine) placer.add(entry);
  }
  placer.place();
}

void place_without_line(Module& module) {
  for (Function& function : module.functions) {
    Location last;
    for (Instruction& instruction : function.instructions) {
      if (instruction.location.line != 0) {
        last = instruction.location;
      } else if (facts_of(instruction.code).findings == Findings::yes) {
        instruction.location = last;
      }
    }
  }
}

}  // namespace cudalabs::vgpu::ptx
