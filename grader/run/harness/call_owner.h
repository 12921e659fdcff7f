// The harness's side of a Call: the case's data as mapped memory, and what was allocated on the device for it.
#pragma once

#include <cudalabs/runner.h>

#include "run/harness/channel.h"

namespace cudalabs {

struct Call::State {
  static constexpr int kMostArrays = 32;

  struct Input {
    const harness::ArrayRecord* record = nullptr;
    const void* host = nullptr;
    void* device = nullptr;
  };
  struct Output {
    const harness::ArrayRecord* record = nullptr;
    void* host = nullptr;
    void* device = nullptr;
  };

  bool virtual_device = true;
  bool calls_fail = false;  // an error left behind means nothing
  bool finished = false;
  const harness::ParameterRecord* parameters = nullptr;
  int parameter_count = 0, input_count = 0, output_count = 0;
  Input inputs[kMostArrays];
  Output outputs[kMostArrays];

  Input& input(const char* name);
  Output& output(const char* name, std::size_t count);
};

class CallOwner {
 public:
  /// Maps the case's files; they come from the grader and are taken at their word.
  explicit CallOwner(const harness::Received& received);
  Call& call() { return call_; }
  /// Ends the program when runner.cpp forgot finish().
  void require_finished() const;
  /// Frees what the harness allocated, so that a leak is the submission's.
  void clean_up();

 private:
  Call::State state_;
  Call call_;
};

}  // namespace cudalabs
