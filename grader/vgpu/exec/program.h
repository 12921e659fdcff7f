// A module ready to run: its instructions as a flat list that observers can ask about, its kernels and its functions.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/exec/observer.h"
#include "vgpu/finding.h"
#include "vgpu/ptx/module.h"
#include "vgpu/ptx/opcode.h"
#include "vgpu/ptx/refusal.h"
#include "vgpu/ptx/work_kind.h"

namespace cudalabs::vgpu {

class GlobalMemory;
namespace exec {
struct KernelCode;  // the micro-operations of a kernel
}

/// A module uses something the virtual GPU does not execute. `what()` names the instruction and its PTX line.
class UnsupportedPtx : public std::runtime_error {
 public:
  UnsupportedPtx(std::uint32_t line, const std::string& message, ptx::Defect defect = ptx::Defect::not_executed,
                 ptx::Location place = {});
  std::uint32_t line() const { return line_; }  // in the PTX text, from 1
  ptx::Defect defect() const { return defect_; }
  const ptx::Location& place() const { return place_; }  // in the source; line 0: where the text says

 private:
  std::uint32_t line_;
  ptx::Defect defect_;
  ptx::Location place_;
};

/// One PTX instruction, as facts that do not depend on the launch.
struct InstructionInfo {
  ptx::Opcode opcode = ptx::Opcode::unknown;
  OpcodeClass opcode_class = OpcodeClass::other;
  std::uint32_t function = 0;  // into Program::functions()
  std::uint32_t ptx_line = 0;
  std::uint32_t file = 0;  // into Program::files(); 0: no source place known
  std::uint32_t line = 0;  // 0: no source place known
  std::uint32_t column = 0;
  std::uint32_t call = 0;  // of what was inlined
  bool always = false;     // of a kernel: every thread that comes to the kernel's end executes it
  // load, store, atomic only:
  std::optional<MemorySpace> space;  // nullopt: generic, known only when it executes
  std::uint8_t bytes = 0;            // per lane: vector accesses count as one access of their whole width
  bool parameter = false;            // of a parameter; its class is move
  bool strong = false;               // volatile, or ordered with other threads' accesses
  bool read_only = false;            // promised not to change while the kernel runs
  bool compares_and_swaps = false;
  bool waits_for_copies = false;  // cp.async.wait_*
  // arithmetic only:
  std::uint8_t operations = 0;  // floating-point operations a lane performs: 2 for fma; doubled for packed halves
};

struct FunctionInfo {
  std::string name;     // mangled
  std::string display;  // demangled, without parameters and return type
  bool kernel = false;
  std::uint32_t first = 0;  // its instructions: [first, first + count)
  std::uint32_t count = 0;
  std::uint32_t ptx_line = 0;
};

struct ParameterInfo {
  std::uint32_t offset = 0, size = 0;  // bytes, in the parameter buffer
};

/// A `__shared__` variable of a kernel or of what it calls.
struct SharedVariable {
  std::string name;  // as in the module: mangled, with its function
  std::uint32_t offset = 0;
  std::uint64_t size = 0;  // bytes; 0: what the launch gives it
};

struct KernelInfo {
  std::string name;            // mangled
  std::string display;         // demangled, without parameters
  std::uint32_t function = 0;  // into Program::functions()
  std::vector<ParameterInfo> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t static_shared_bytes = 0;
  std::vector<SharedVariable> shared;  // by offset
  std::uint32_t local_bytes = 0;       // per thread, without what calls need
  std::uint32_t registers = 0;         // estimate, 32-bit registers a thread
  std::uint32_t max_threads = 1024;
  std::optional<Index3> required_cluster;            // that every launch has
  bool explicit_cluster = false;                     // a launch has to have one
  std::optional<std::uint32_t> most_cluster_blocks;  // that a cluster may have
  bool allocates = false;                            // calls malloc or free
  bool uses_clusters = false;                        // has instructions for the blocks of its cluster
  bool copies_in_bulk = false;                       // has instructions that do
  bool uses_grid_group = false;                      // asks whether its launch is a cooperative one
  bool concurrent = false;                // its blocks may run at once without changing what it computes, races aside
  std::vector<std::uint32_t> functions;   // it and all that it may call, into Program::functions()
  std::optional<UnsupportedPtx> refusal;  // why it cannot be launched
};

struct GlobalVariable {
  std::string name;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool constant = false;
  bool managed = false;   // has whole pages for itself: the host may map them
  bool floating = false;  // it holds a floating-point number
};

/// A call that names its function.
struct DirectCall {
  std::uint32_t instruction = 0;
  std::uint32_t callee = 0;  // into Program::functions()
};

/// Decoded once, immutable afterwards; all members may be called from several threads.
class Program {
 public:
  /// Gives the module's variables their addresses in `memory`, with their initial values, and decodes all kernels. A
  /// kernel from which an instruction can be reached that is not executed keeps the reason: only its launch is refused.
  /// Throws UnsupportedPtx for variables and parameters that cannot be.
  Program(const ptx::Module& module, GlobalMemory& memory);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::span<const InstructionInfo> instructions() const { return instructions_; }
  std::span<const FunctionInfo> functions() const { return functions_; }
  std::span<const KernelInfo> kernels() const { return kernels_; }
  std::span<const GlobalVariable> variables() const { return variables_; }
  std::span<const std::string> files() const { return files_; }
  const KernelInfo* find_kernel(std::string_view mangled) const;
  /// The kernel at this address of code; null: there is none.
  const KernelInfo* kernel_at(std::uint64_t address) const;
  /// The kernel that is this function of the module; null: it is none.
  const KernelInfo* kernel_of(std::uint32_t function) const;

  const InstructionInfo& instruction(std::uint32_t index) const { return instructions_[index]; }
  SourcePlace location(std::uint32_t instruction) const;
  /// Of what was inlined: the places of the calls, the outermost first. Very many are as good as none.
  std::vector<SourcePlace> calls(std::uint32_t instruction) const;
  /// The instructions of a kernel that call a function, or others that call it. Calls by pointers are not seen.
  std::vector<std::uint32_t> calls_leading_to(std::uint32_t function, const KernelInfo& kernel) const;
  const FunctionInfo& function_of(std::uint32_t instruction) const {
    return functions_[instructions_[instruction].function];
  }

  /// The executable form, for the launcher; of a kernel that is not refused.
  const exec::KernelCode& code(const KernelInfo& kernel) const;

 private:
  std::vector<InstructionInfo> instructions_;
  std::vector<FunctionInfo> functions_;
  std::vector<KernelInfo> kernels_;
  std::map<std::string, std::size_t, std::less<>> kernel_numbers_;  // by mangled name; of several the first
  std::vector<GlobalVariable> variables_;
  std::vector<std::string> files_;
  std::vector<ptx::InlinedCall> calls_;
  std::vector<DirectCall> direct_calls_;
  std::vector<std::unique_ptr<exec::KernelCode>> codes_;  // by kernel
  GlobalMemory& memory_;
};

/// "_Z5tiledPKfS0_Pfiii" -> "tiled", of a name as the module has it (ptx::name_in_text()); names that are not mangled
/// stay as they are. At most a few hundred letters: what would be longer is cut, or loses its template arguments.
std::string display_name(const std::string& unique);
/// The name of a variable alone: "_ZZ5tiledPKfPfE4tile", which is `tile` of the function `tiled`, is "tile".
std::string variable_name(const std::string& unique);

}  // namespace cudalabs::vgpu
