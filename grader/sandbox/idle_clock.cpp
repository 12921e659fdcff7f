// Reads /proc: the states of all threads, and their processor time.
#include "sandbox/idle_clock.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

namespace cudalabs::sandbox {
namespace {

namespace fs = std::filesystem;

struct Status {
  char state = '?';
  pid_t parent = 0;
  std::uint64_t ticks = 0;  // of processor time, with that of children that are gone
};

/// What `stat` of a process or a thread says; nothing when it is gone.
std::optional<Status> status_of(const fs::path& folder) {
  std::ifstream file(folder / "stat");
  std::string text;
  std::getline(file, text);
  // The name in parentheses may hold anything, parentheses too: the fields start after the last one.
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(end + 1));
  Status status;
  fields >> status.state >> status.parent;
  std::string skipped;
  for (int i = 0; i < 9; ++i) fields >> skipped;
  for (int i = 0; i < 4; ++i) {
    std::uint64_t time = 0;
    fields >> time;
    status.ticks += time;
  }
  if (!fields) return std::nullopt;
  return status;
}

/// Of every process there is, its children.
std::multimap<pid_t, pid_t> children_of_all() {
  std::multimap<pid_t, pid_t> children;
  std::error_code error;
  for (auto entry = fs::directory_iterator("/proc", error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const pid_t process = std::atoi(entry->path().filename().c_str());
    if (process <= 0) continue;
    if (const auto status = status_of(entry->path())) children.emplace(status->parent, process);
  }
  return children;
}

/// The children of processes. A kernel that keeps lists of them is asked for no other process: a machine has thousands.
/// On a busy one, four of five files that a grading opened were for looking at all of them.
class Children {
 public:
  /// Those of one of its threads, whose folder in /proc this is.
  void append_to(std::vector<pid_t>& processes, const fs::path& thread) const {
    std::ifstream file(thread / "children");
    for (pid_t child = 0; file >> child;) processes.push_back(child);
  }
  /// Those of a process, where there are no such lists.
  void append_to(std::vector<pid_t>& processes, pid_t process) const {
    const auto [first, last] = all_.equal_range(process);
    for (auto child = first; child != last; ++child) processes.push_back(child->second);
  }

 private:
  std::multimap<pid_t, pid_t> all_ =
      fs::exists("/proc/thread-self/children") ? std::multimap<pid_t, pid_t>() : children_of_all();
};

IdleClock::Duration duration_of(std::uint64_t ticks) {
  return ticks * (IdleClock::Duration(std::chrono::seconds(1)) / sysconf(_SC_CLK_TCK));
}

}  // namespace

IdleClock::IdleClock(std::vector<pid_t> roots) : roots_(std::move(roots)), at_(Clock::now()) {}

IdleClock::Sample IdleClock::take() const {
  Sample sample;
  const Children children;
  std::vector<pid_t> processes = roots_;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    children.append_to(processes, processes[i]);
    const fs::path folder = "/proc/" + std::to_string(processes[i]);
    if (const auto status = status_of(folder)) sample.ticks += status->ticks;
    std::error_code gone;
    for (auto task = fs::directory_iterator(folder / "task", gone); !gone && task != fs::directory_iterator();
         task.increment(gone)) {
      children.append_to(processes, task->path());
      const auto status = status_of(task->path());
      // Running, or in the queue of a processor; waiting for a disk.
      sample.moving = sample.moving || (status && (status->state == 'R' || status->state == 'D'));
    }
  }
  return sample;
}

void IdleClock::look() {
  const Clock::time_point now = Clock::now();
  const Sample sample = take();
  busy_ = std::max(busy_, duration_of(sample.ticks));
  if (last_ && !sample.moving && !last_->moving) {
    // Processes that are gone take their ticks with them when nobody waited for them: then something moved.
    const std::uint64_t ticks = sample.ticks < last_->ticks ? 0 : sample.ticks - last_->ticks;
    const Duration busy = duration_of(ticks);
    // A looker who was kept from looking saw less than the clock says.
    constexpr Duration kMostAtOnce = std::chrono::milliseconds(500);
    const Duration passed = std::min<Duration>(now - at_, kMostAtOnce);
    if (sample.ticks >= last_->ticks) idle_ += std::max(Duration::zero(), passed - busy);
  }
  last_ = sample;
  at_ = now;
}

void IdleClock::pause() {
  last_.reset();
  at_ = Clock::now();
}

}  // namespace cudalabs::sandbox
