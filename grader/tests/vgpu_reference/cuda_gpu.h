// A real GPU by the CUDA driver API. The driver is found when the program runs, so that it builds without a CUDA
// Toolkit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "machine.h"

namespace cudalabs::reference {

/// The driver's translator does not take the PTX text.
class RefusedByDriver : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The first GPU. A process that has used one cannot use it after a fork().
class CudaGpu {
 public:
  /// Whether there is a driver and a GPU; asked in a process of its own.
  static bool found();

  /// Throws std::runtime_error, as all here do, when the driver reports an error.
  CudaGpu();

  /// "NVIDIA H200", and the version of CUDA that the driver is for: "13.0".
  std::string name() const;
  std::string cuda_version() const;

  class Module;
  /// Translates PTX text; throws RefusedByDriver. Unloaded by unload().
  Module load(const std::string& ptx);
  void unload(const Module& module);
  /// Runs a kernel with two parameters, the addresses of a copy of `input` and of as many zero bytes as come back.
  std::vector<std::byte> run(const Module& module, const std::string& kernel, const Launch& launch,
                             std::span<const std::byte> input, std::uint64_t output_bytes);

  class Module {
   private:
    friend class CudaGpu;
    void* handle_ = nullptr;
  };

 private:
  class Driver;
  static const Driver& driver();

  int device_ = 0;
};

}  // namespace cudalabs::reference
