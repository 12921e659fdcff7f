// A lab that adds two vectors, a case of it, and runs of submissions to it.
#pragma once

#include <string>

#include "../build/small_lab.h"
#include "run/run.h"

namespace cudalabs::testing {

class AddLab {
 public:
  /// Builds with the front end given; throws when it is not installed.
  explicit AddLab(Frontend frontend = Frontend::clang, Device device = Device::virtual_gpu);

  Lab& lab() { return lab_; }
  const std::string& source() const { return source_; }
  datasets::Case& test() { return test_; }
  /// From now on a, b and c lie in host memory.
  void use_host_arrays();
  /// Builds and runs; a submission that does not compile is a failure of the test.
  Observation run(const std::string& text);
  BuildResult build(const std::string& text, BuildKind kind = BuildKind::checked, BuildPart part = BuildPart::program);
  Observation run_built(const BuildResult& built, sandbox::Budget* budget = nullptr) const;

 private:
  SmallLab small_;
  Lab lab_;
  Toolchain toolchain_;
  Device device_;
  std::string source_;
  datasets::Case test_;
};

/// n values a[i] = i, b[i] = 2i; c is expected to be their sum.
datasets::Case add_case(int n);
/// True when `observation` has the output c of `test`, right in every element.
bool is_right(const Observation& observation, const datasets::Case& test);
/// True when c is there and no byte of it was written.
bool is_poison(const Observation& observation);

/// A submission around `body`, the text of `add`; `before` is at namespace scope.
std::string submission(const std::string& body, const std::string& before = "");
/// A body that does the work on the host, with no kernel.
std::string host_body();

}  // namespace cudalabs::testing
