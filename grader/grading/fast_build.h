// The submission with full optimisation, built when it is first asked for: most wrong submissions never need it.
#pragma once

#include <mutex>
#include <utility>

#include "build/builder.h"

namespace cudalabs {

class FastBuild {
 public:
  /// `request`: of the checked build that worked. `toolchain` must outlive this.
  FastBuild(BuildRequest request, const Toolchain& toolchain) : request_(std::move(request)), toolchain_(toolchain) {
    request_.kind = BuildKind::fast;
  }

  /// From any thread. Throws what build() throws.
  const BuildResult& get() {
    std::call_once(once_, [&] {
      result_ = build(request_, toolchain_);
      asked_ = true;
    });
    return result_;
  }

  /// True when it was asked for, and did not compile: that is the submission's failure too.
  bool failed() const { return asked_ && !result_.ok; }
  /// Seconds it took; 0 when nobody asked.
  double seconds() const { return result_.seconds; }

 private:
  BuildRequest request_;
  const Toolchain& toolchain_;
  std::once_flag once_;
  bool asked_ = false;
  BuildResult result_;
};

}  // namespace cudalabs
