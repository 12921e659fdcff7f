// A job's own memory and process control groups, where this machine lets the grader make them (version 1 or 2).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/fd.h"

namespace cudalabs::sandbox {

/// Where groups can be made on this machine; an absent path means that the controller is not to be had.
struct ControlGroupPlaces {
  std::optional<std::filesystem::path> memory;
  std::optional<std::filesystem::path> processes;
  bool version_2 = false;
};

/// Probed once a process, by making and removing a group.
const ControlGroupPlaces& control_group_places();

/// Parses /proc/self/mountinfo and /proc/self/cgroup into folders that may hold new groups, best first. Pure.
struct GroupFolder {
  std::filesystem::path folder;
  bool version_2 = false;
  bool operator==(const GroupFolder&) const = default;
};
std::vector<GroupFolder> group_folders(const std::string& mountinfo, const std::string& memberships,
                                       const std::string& controller);

/// Groups made for one job and removed with this object. Processes enter by writing "0" into the `join` files.
class ControlGroups {
 public:
  /// Groups with these limits; without a group for which the machine has no place.
  ControlGroups(std::uint64_t memory_bytes, std::uint64_t processes);
  ~ControlGroups();
  ControlGroups(const ControlGroups&) = delete;
  ControlGroups& operator=(const ControlGroups&) = delete;

  const std::vector<Fd>& join() const { return join_; }
  /// Moves a process of another job into the groups, with what it will start; what it has used stays where it was.
  /// Throws SandboxError.
  void take_in(pid_t process) const;
  /// Ends whatever is in the groups.
  void kill_all() const;
  /// The kernel ended a process of the job for lack of memory.
  bool out_of_memory() const;
  /// A fork or a thread was refused.
  bool out_of_processes() const;

 private:
  std::filesystem::path memory_, processes_;
  std::vector<Fd> join_;
};

}  // namespace cudalabs::sandbox
