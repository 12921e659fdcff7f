// One line on the terminal for work that takes longer than a second.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace cudalabs {

/// Rewrites one line on standard error, if that is a terminal, once a second has passed; erases it at the end.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// May be called from several threads.
  void say(const std::string& text);

 private:
  std::mutex mutex_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool terminal_, shown_ = false;
};

}  // namespace cudalabs
