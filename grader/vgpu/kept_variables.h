// Variables of the device that a launch begins with as an earlier launch has left them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "vgpu/kept_variable.h"

namespace cudalabs::vgpu {

class GlobalMemory;
class Program;
struct KernelInfo;

/// Looks at variables that hold one number. A launch begins with a kept value where the last to change the variable was
/// a launch, and where the kernel, or any instance of its template, had changed it before from its first value on, or
/// where the program's caller has called it anew. What the host has set is as the program means it.
class KeptVariables {
 public:
  /// `reset`: the numbers, as bits, of variables that are set back instead.
  explicit KeptVariables(std::uint64_t reset) : reset_(reset) {}

  void watch(const Program& program, const GlobalMemory& memory);
  /// The launches from now on are of the caller's call of that number.
  void begin_call(std::uint64_t call);
  void begin_launch(const KernelInfo& kernel, GlobalMemory& memory);
  void end_launch(const KernelInfo& kernel, const GlobalMemory& memory);
  /// One for each variable and template of kernels: the first time. The first ones only.
  const std::vector<KeptVariable>& seen() const { return seen_; }

 private:
  struct Watched {
    std::string name;
    std::uint64_t address = 0;
    bool floating = false;
    std::vector<std::byte> first, at_begin, at_end;  // its value at first; at the ends of the last launch
    bool by_launch = false;                          // a launch was the last to change it
    std::set<std::string, std::less<>> changed_by;   // templates that found it as it was at first
  };

  void note(const Watched& variable, std::uint32_t number, const KernelInfo& kernel);

  const std::uint64_t reset_;
  std::vector<Watched> watched_;
  std::uint64_t call_ = 0;
  bool first_of_call_ = false;
  std::vector<KeptVariable> seen_;
};

}  // namespace cudalabs::vgpu
