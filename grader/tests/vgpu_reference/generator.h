// Random PTX programs: valid, deterministic in their seed, and free of anything whose result the PTX ISA leaves to
// chance (races, uninitialised reads, out-of-range accesses, divergent warp operations).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "forms.h"
#include "machine.h"

namespace cudalabs::reference {

struct ProgramOptions {
  bool control_flow = true;  // ifs, loops, jump tables, calls
  bool memory = true;        // shared, local, constant, global memory and atomic operations
  bool together = true;      // barriers and warp operations
  /// Only what gives the same bits on every GPU: no approximations, every NaN whose bits the ISA leaves open replaced
  /// as soon as it is made, and nothing that NVIDIA's translator is known to get wrong.
  bool portable = false;
  std::uint32_t statements = 60;
};

/// Where a register ends up in a thread's part of the output.
struct OutputSlot {
  std::string name;
  std::uint32_t offset = 0, bytes = 0;
};

struct Program {
  std::string ptx;  // one kernel, "program"
  Launch launch;
  std::vector<std::byte> input;  // of all threads
  std::vector<OutputSlot> slots;
  std::uint32_t output_stride = 0;  // bytes a thread
  std::uint64_t output_bytes = 0;   // of all threads, and some more for all together; zero before the launch
  std::vector<std::size_t> forms;   // indices into all_forms() that the program uses

  std::uint64_t threads() const;
  /// The kernel's parameters for given addresses of input and output.
  std::vector<std::byte> parameters(std::uint64_t input_address, std::uint64_t output_address) const;
};

/// A random program. Uses form `seed % all_forms().size()` at least once, so that consecutive seeds cover them all.
Program generate(std::uint64_t seed, const ProgramOptions& options = {});

}  // namespace cudalabs::reference
