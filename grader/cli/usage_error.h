// A command line that cannot be carried out as given; the message says what to do instead.
#pragma once

#include <stdexcept>

namespace cudalabs {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace cudalabs
