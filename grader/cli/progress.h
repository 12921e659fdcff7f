// One line on the terminal for work that takes longer than a second.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace cudalabs {

/// Rewrites one line on standard error once a second has passed, and every second from then on: what is done, and for
/// how long; erases it at the end. Nothing where standard output or standard error is no terminal.
class Progress {
 public:
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// May be called from several threads.
  void say(const std::string& text);

 private:
  void tick(const std::stop_token& stop);
  void show();

  std::mutex mutex_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::string text_;
  bool shown_ = false;
  std::condition_variable_any wake_;
  std::jthread ticker_;  // last, so that it ends first
};

}  // namespace cudalabs
