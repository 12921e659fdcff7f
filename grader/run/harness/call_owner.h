// The harness's side of a Call: the case's data as mapped memory, and what was allocated on the device for it.
#pragma once

#include <cuda_runtime_api.h>
#include <cudalabs/runner.h>

#include "run/harness/channel.h"
#include "run/harness/guarded_array.h"

namespace cudalabs {

namespace harness {

/// Ends the program, and says why, unless a CUDA call of the harness went well. `during` continues the error's text.
void check(cudaError_t error, const char* during);

/// A file of the grader's in memory; null when it is empty. Ends the program when that cannot be.
void* map(int descriptor, int protection, std::size_t& bytes);

std::size_t bytes_of(const ArrayRecord& record);

}  // namespace harness

struct Call::State {
  static constexpr int kMostArrays = 32;

  struct Input {
    const harness::ArrayRecord* record = nullptr;
    const unsigned char* host = nullptr;
    unsigned char* device = nullptr;
    std::size_t window = 0;  // bytes into a pool
    harness::GuardedArray guarded;
  };
  struct Output {
    const harness::ArrayRecord* record = nullptr;
    unsigned char* host = nullptr;
    unsigned char* device = nullptr;
    harness::GuardedArray guarded;
  };

  bool measured = false;  // a call of a plan: only enqueues, and others wait for the device
  bool virtual_device = true;
  bool calls_fail = false;    // an error left behind means nothing
  bool kernel_fails = false;  // nor does a device that is lost
  bool outputs_wanted = true;
  bool finished = false;
  const harness::ParameterRecord* parameters = nullptr;
  int parameter_count = 0, input_count = 0, output_count = 0;
  Input inputs[kMostArrays];
  Output outputs[kMostArrays];

  Input& input(const char* name);
  Output& output(const char* name, std::size_t count);
  /// Whether the lab's host arrays are copies with guards around them; what is timed is as it comes.
  bool guards_host() const { return virtual_device && !measured; }
};

class CallOwner {
 public:
  using State = Call::State;

  /// Maps the case's files; they come from the grader and are taken at their word.
  explicit CallOwner(const harness::Received& received);
  Call& call() { return call_; }
  State& state() { return state_; }
  /// Ends the program when runner.cpp forgot finish().
  void require_finished() const;
  /// Frees what the harness allocated, so that a leak is the submission's.
  void clean_up();

 private:
  const void* inputs_ = nullptr;
  void* outputs_ = nullptr;
  std::size_t input_bytes_ = 0, output_bytes_ = 0;
  State state_;
  Call call_;
};

}  // namespace cudalabs
