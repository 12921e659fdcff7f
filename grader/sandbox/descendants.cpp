// Walks /proc: stopping first means that nobody in the tree forks while it is being killed.
#include "sandbox/descendants.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

namespace cudalabs::sandbox {
namespace {

struct Entry {
  pid_t parent = 0;
  char state = '?';
};

std::map<pid_t, Entry> all_processes() {
  std::map<pid_t, Entry> found;
  DIR* folder = opendir("/proc");
  if (!folder) return found;
  while (const dirent* entry = readdir(folder)) {
    const pid_t process = std::atoi(entry->d_name);
    if (process <= 0) continue;
    char path[32];
    std::snprintf(path, sizeof path, "/proc/%d/stat", process);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) continue;
    char text[512];
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) continue;
    text[length] = '\0';
    // The name in parentheses may hold anything, parentheses too: the fields start after the last one.
    const char* fields = std::strrchr(text, ')');
    Entry process_entry;
    if (fields && std::sscanf(fields + 1, " %c %d", &process_entry.state, &process_entry.parent) == 2) {
      found[process] = process_entry;
    }
  }
  closedir(folder);
  return found;
}

std::vector<pid_t> descendants_of(pid_t ancestor, bool running_only) {
  const std::map<pid_t, Entry> all = all_processes();
  std::vector<pid_t> tree{ancestor}, found;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    for (const auto& [process, entry] : all) {
      if (entry.parent != tree[i]) continue;
      tree.push_back(process);
      if (!running_only || (entry.state != 'T' && entry.state != 'Z')) found.push_back(process);
    }
  }
  return found;
}

}  // namespace

void kill_descendants(pid_t ancestor) {
  constexpr int kRounds = 64;  // a process may continue its siblings; give up stopping then and kill what is there
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<pid_t> running = descendants_of(ancestor, true);
    if (running.empty()) break;
    for (const pid_t process : running) kill(process, SIGSTOP);
  }
  for (const pid_t process : descendants_of(ancestor, false)) kill(process, SIGKILL);
}

}  // namespace cudalabs::sandbox
