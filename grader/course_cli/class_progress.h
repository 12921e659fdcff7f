// How far the grading of a class has come.
#pragma once

#include <chrono>
#include <string>

#include "cli/progress.h"
#include "course/grade_class.h"

namespace cudalabs {

/// "12 of 300 graded, 1 without a verdict, 9 a minute, about 31 min left".
std::string shown_progress(const course::Tally& tally);

/// One line that is rewritten where standard error is a terminal, else a line every half minute.
class ClassProgress {
 public:
  ClassProgress();
  void show(const course::Tally& tally);

 private:
  Progress line_;
  bool terminal_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace cudalabs
