// What one warp instruction costs on the virtual GPU, by class.
#pragma once

#include <string>
#include <vector>

namespace cudalabs::bench {

struct ClassTime {
  std::string name;
  double plain_nanoseconds = 0;    // a warp instruction, no checks, one worker
  double checked_nanoseconds = 0;  // the same with every check on
};

/// Times a loop over a long run of one instruction for each class and takes the loop's own cost off.
std::vector<ClassTime> time_instruction_classes();

}  // namespace cudalabs::bench
