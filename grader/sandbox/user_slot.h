// A user id of its own for a job of a grader that is root, so that jobs cannot touch each other and limits count.
#pragma once

#include "sandbox/fd.h"

namespace cudalabs::sandbox {

/// Holds one uid (and the gid of the same number) until it is destroyed. The range is 60706 to 60833, which Debian and
/// systemd leave unused; CUDALABS_USERS="first-last" names another.
class UserSlot {
 public:
  /// Throws SandboxError when every uid of the range is taken, or the range is not one.
  UserSlot();
  int user() const { return user_; }
  /// A process that holds a copy of this descriptor holds the slot.
  int descriptor() const { return lock_.get(); }

 private:
  int user_ = -1;
  Fd lock_;
};

}  // namespace cudalabs::sandbox
