// A grading that cannot be carried out as asked: this machine has no such compiler or GPU, or Catch2 does not
// understand the arguments meant for it. The message names the option of `grade` that asked for it, and says what to do
// instead.
#pragma once

#include <stdexcept>

namespace cudalabs {

class RequestError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace cudalabs
