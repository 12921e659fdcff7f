// Making, limiting, reading and removing control groups through their files.
#include "sandbox/control_group.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

#include "sandbox/sandbox.h"

namespace cudalabs::sandbox {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kGroupPrefix = "cudalabs-";

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool put(const fs::path& path, const std::string& value) {
  const Fd file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file && write(file.get(), value.data(), value.size()) == static_cast<ssize_t>(value.size());
}

bool has_word(const std::string& list, char separator, const std::string& word) {
  std::istringstream words(list);
  for (std::string each; std::getline(words, each, separator);) {
    if (each == word) return true;
  }
  return false;
}

/// The number after `key` in a file of "key value" lines; 0 when there is none.
std::uint64_t counter(const fs::path& path, const std::string& key) {
  std::ifstream file(path);
  std::string name;
  std::uint64_t value = 0;
  while (file >> name >> value) {
    if (name == key) return value;
  }
  return 0;
}

void remove_group(const fs::path& group) {
  if (group.empty()) return;
  // The last process is reaped, but the kernel may take a moment to count it out.
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (rmdir(group.c_str()) == 0 || errno != EBUSY) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Sends SIGKILL to every process in the group; one of another process namespace has no number here and is spared.
void kill_members(const fs::path& group) {
  constexpr int kRounds = 100;  // a process may fork meanwhile
  for (int round = 0; round < kRounds; ++round) {
    std::ifstream members(group / "cgroup.procs");
    bool any = false;
    for (pid_t member = 0; members >> member;) any = (member > 0 && ::kill(member, SIGKILL) == 0) || any;
    if (!any) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

/// Groups left by graders that were killed, with what is left in them: a bubblewrap that was starting has not yet asked
/// to die with its parent.
void remove_abandoned_groups(const fs::path& parent) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kGroupPrefix)) continue;
    const pid_t owner = std::atoi(name.c_str() + kGroupPrefix.size());
    if (owner <= 0 || kill(owner, 0) == 0 || errno != ESRCH) continue;
    kill_members(entry.path());
    remove_group(entry.path());
  }
}

fs::path fresh_name(const fs::path& parent) {
  static std::atomic<unsigned> number{0};
  return parent / (std::string(kGroupPrefix) + std::to_string(getpid()) + "-" + std::to_string(number++));
}

bool set_memory(const fs::path& group, std::uint64_t bytes, bool version_2) {
  const std::string value = std::to_string(bytes);
  if (version_2) {
    put(group / "memory.swap.max", "0");
    return put(group / "memory.max", value);
  }
  // Memory and swap together cannot be less than memory, so memory is set first; no swap accounting is fine.
  if (!put(group / "memory.limit_in_bytes", value)) return false;
  put(group / "memory.memsw.limit_in_bytes", value);
  return true;
}

bool set_processes(const fs::path& group, std::uint64_t most) {
  return put(group / "pids.max", std::to_string(most));
}

std::optional<GroupFolder> usable_folder(const std::string& controller) {
  const std::string mountinfo = text_of("/proc/self/mountinfo"), memberships = text_of("/proc/self/cgroup");
  for (const GroupFolder& place : group_folders(mountinfo, memberships, controller)) {
    if (place.version_2 && !has_word(text_of(place.folder / "cgroup.subtree_control"), ' ', controller)) continue;
    remove_abandoned_groups(place.folder);
    const fs::path group = fresh_name(place.folder);
    if (mkdir(group.c_str(), 0700) != 0) continue;
    const bool works =
        controller == "memory" ? set_memory(group, 1u << 30, place.version_2) : set_processes(group, 1000);
    rmdir(group.c_str());
    if (works) return place;
  }
  return std::nullopt;
}

}  // namespace

std::vector<GroupFolder> group_folders(const std::string& mountinfo, const std::string& memberships,
                                       const std::string& controller) {
  // The group this process is in, by hierarchy: "4:memory:/a/b", and "0::/a/b" for version 2.
  std::optional<std::string> own_1, own_2;
  std::istringstream lines(memberships);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (controllers.empty()) own_2 = line.substr(second + 1);
    if (has_word(controllers, ',', controller)) own_1 = line.substr(second + 1);
  }

  std::vector<GroupFolder> folders;
  std::istringstream mounts(mountinfo);
  for (std::string line; std::getline(mounts, line);) {
    // "id parent device root mountpoint options … - type source superoptions"
    std::istringstream fields(line);
    std::string skip, root, at, type, source, options;
    fields >> skip >> skip >> skip >> root >> at;
    while (fields >> skip && skip != "-") continue;
    fields >> type >> source >> options;
    const bool version_2 = type == "cgroup2";
    if (!version_2 && !(type == "cgroup" && has_word(options, ',', controller))) continue;
    const std::optional<std::string>& own = version_2 ? own_2 : own_1;
    if (own && own->size() > 1 && root == "/") folders.push_back({at + *own, version_2});
    folders.push_back({at, version_2});
  }
  return folders;
}

const ControlGroupPlaces& control_group_places() {
  static const ControlGroupPlaces places = [] {
    ControlGroupPlaces found;
    if (const auto memory = usable_folder("memory")) {
      found.memory = memory->folder;
      found.version_2 = memory->version_2;
    }
    if (const auto processes = usable_folder("pids")) found.processes = processes->folder;
    return found;
  }();
  return places;
}

ControlGroups::ControlGroups(std::uint64_t memory_bytes, std::uint64_t processes) {
  const ControlGroupPlaces& places = control_group_places();
  const auto limit_memory = [&](const fs::path& at) { return set_memory(at, memory_bytes, places.version_2); };
  const auto limit_processes = [&](const fs::path& at) { return set_processes(at, processes); };
  const auto add = [this](const fs::path& parent, auto&& set_limit) -> fs::path {
    fs::path made = fresh_name(parent);
    if (mkdir(made.c_str(), 0700) != 0) return {};
    Fd join;
    if (set_limit(made)) join = Fd(open((made / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
    if (!join) {
      rmdir(made.c_str());
      return {};
    }
    join_.push_back(std::move(join));
    return made;
  };
  if (places.memory && places.memory == places.processes) {
    // One hierarchy: a process is in one group only, so that group has both limits.
    memory_ = add(*places.memory, [&](const fs::path& at) { return limit_memory(at) && limit_processes(at); });
    processes_ = memory_;
    return;
  }
  if (places.memory) memory_ = add(*places.memory, limit_memory);
  if (places.processes) processes_ = add(*places.processes, limit_processes);
}

ControlGroups::~ControlGroups() {
  join_.clear();
  remove_group(memory_);
  if (processes_ != memory_) remove_group(processes_);
}

void ControlGroups::take_in(pid_t process) const {
  const std::string number = std::to_string(process);
  for (const Fd& group : join_) {
    if (write(group.get(), number.data(), number.size()) != static_cast<ssize_t>(number.size())) {
      throw SandboxError(std::string("cannot move a process into its control group: ") + std::strerror(errno));
    }
  }
}

void ControlGroups::kill_all() const {
  for (const fs::path& group : {memory_, processes_}) {
    if (!group.empty()) kill_members(group);
  }
}

bool ControlGroups::out_of_memory() const {
  if (memory_.empty()) return false;
  return counter(memory_ / "memory.oom_control", "oom_kill") + counter(memory_ / "memory.events", "oom_kill") != 0;
}

bool ControlGroups::out_of_processes() const {
  return !processes_.empty() && counter(processes_ / "pids.events", "max") != 0;
}

}  // namespace cudalabs::sandbox
