// A case's data as the two memory files that the runner gets: sealed inputs, poisoned outputs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "datasets/dataset.h"
#include "datasets/timed_work.h"
#include "sandbox/fd.h"

namespace cudalabs::runner {

/// Value of every byte of an output nobody wrote: as f32 and f64 it is a NaN.
constexpr int kPoison = 0xff;

class Exchange {
 public:
  /// Throws std::runtime_error when a name is too long or there are more arrays than the harness takes.
  explicit Exchange(const datasets::Case& test);

  /// Parameters, inputs and the outputs' shapes; nobody can change a byte of it any more. No expected value is in it.
  const sandbox::Fd& inputs() const { return inputs_; }
  /// Writable by the runner, of fixed size.
  const sandbox::Fd& outputs() const { return outputs_; }
  /// What the outputs hold now, copied.
  std::vector<datasets::Array> copy_outputs() const;

 private:
  struct Place {
    std::size_t offset = 0, bytes = 0;
  };

  std::vector<datasets::Array> shapes_;  // of the outputs, without data
  std::vector<Place> places_;
  sandbox::Fd inputs_, outputs_;
};

/// The beginning of a file of pools: everything but the values. `places` become the pools' own beginnings, multiples of
/// `alignment` bytes.
std::vector<std::byte> head_of_pools(const datasets::TimedWork& work,
                                     const std::map<std::string, std::int64_t>& parameters, std::size_t alignment,
                                     std::vector<std::size_t>& places);

}  // namespace cudalabs::runner
