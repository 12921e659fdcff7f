// The submission with full optimisation, built when it is first asked for: most wrong submissions never need it. Its
// device code runs with the checked build's host code, which is compiled alike.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <utility>

#include "build/builder.h"
#include "build/recipe.h"
#include "text/file_text.h"

namespace cudalabs {

class FastBuild {
 public:
  enum class Use : std::uint8_t { when_asked_for, never };

  /// `request`: of the checked build that worked, and gave `checked_runner`. `toolchain` must outlive this.
  FastBuild(BuildRequest request, const Toolchain& toolchain, std::filesystem::path checked_runner,
            Use use = Use::when_asked_for)
      : request_(std::move(request)), toolchain_(toolchain), checked_runner_(std::move(checked_runner)), use_(use) {}

  /// From any thread; not ok where it is never to be used. Throws what build() throws.
  const BuildResult& get() {
    std::call_once(once_, [&] {
      if (use_ == Use::never) return;
      request_.kind = BuildKind::fast;
      request_.part = BuildPart::device_code;
      result_ = build(request_, toolchain_);
      if (result_.ok && builder::has_names_of_one_compilation(text_of(result_.device_code))) {
        request_.part = BuildPart::program;
        result_ = build(request_, toolchain_);
      } else if (result_.ok) {
        result_.runner = checked_runner_;
      }
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
  const std::filesystem::path checked_runner_;
  const Use use_;
  std::once_flag once_;
  bool asked_ = false;
  BuildResult result_;
};

}  // namespace cudalabs
