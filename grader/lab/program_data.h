// What building and running a program needs to know of it: the files, the GPU it runs on, what it may use. A lab's
// submissions are such programs, and so are the pinned baselines.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cudalabs {

/// What one run of one case may use. Each limit has its own verdict when it is hit. Times are for a machine whose
/// sandbox::slowness_of_machine() is 1.
struct Limits {
  double cpu_seconds = 20;     // host process
  double wall_seconds = 60;    // start to end of one case
  double kernel_seconds = 20;  // one launch on the virtual GPU: processor time of each of its workers
  /// Of one block on the virtual GPU, in warp instructions; 0: no limit. Unlike a time it is the same on every machine.
  std::uint64_t kernel_instructions = 0;
  std::uint64_t memory_mib = 1024;  // host process
  std::uint64_t device_mib = 1024;  // virtual GPU memory
  std::uint64_t output_kib = 256;   // stdout and stderr together
  std::uint64_t processes = 32;
  /// A case spends part of its time on one core (host process, sandbox) and part on all of them (kernels), so two
  /// share a machine well; 1 where times are measured.
  std::uint64_t cases_at_a_time = 2;
};

struct Contract {
  std::string header;  // "matmul.h", in the program's folder
  std::string source;  // "matmul.cu": the file the student edits
  std::string runner = "runner.cpp";
  std::vector<std::string> functions;  // "matmul": must be defined by the submission
};

struct Program {
  std::filesystem::path folder;  // of the contract's header and runner: labs/lab3_naive_matmul
  Contract contract;
  std::string device_model = "t4";  // the named GPU the virtual device poses as
  Limits limits;
};

}  // namespace cudalabs
