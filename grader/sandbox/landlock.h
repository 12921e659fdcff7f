// Landlock by system call: file access by listed paths only, no TCP, no signals or abstract sockets out of the domain.
//
// The kernel's header on Debian 12 is older than the kernels this runs on, so the few numbers are written out here;
// what a kernel does not know is left out by its ABI version (Linux, Documentation/userspace-api/landlock.rst).
#pragma once

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace cudalabs::sandbox::landlock {

struct RulesetAttributes {
  std::uint64_t handled_files;
  std::uint64_t handled_network;  // ABI 4
  std::uint64_t scoped;           // ABI 6
};

struct __attribute__((packed)) PathRule {
  std::uint64_t allowed;
  std::int32_t parent;
};

constexpr std::uint64_t kExecute = 1u << 0, kWriteFile = 1u << 1, kReadFile = 1u << 2, kReadFolder = 1u << 3;
constexpr std::uint64_t kTruncate = 1u << 14, kIoctl = 1u << 15;
constexpr std::uint64_t kReading = kExecute | kReadFile | kReadFolder;
constexpr std::uint64_t kOfFiles =
    kExecute | kWriteFile | kReadFile | kTruncate | kIoctl;  // rights a plain file can have
constexpr std::uint64_t kNetwork = (1u << 0) | (1u << 1);    // bind, connect
constexpr std::uint64_t kScopes = (1u << 0) | (1u << 1);     // abstract unix sockets, signals
constexpr int kScopesSince = 6;

/// The kernel's Landlock version; 0 when it has none.
inline int version() {
  const long answer = syscall(SYS_landlock_create_ruleset, nullptr, 0, 1u);
  return answer < 0 ? 0 : static_cast<int>(answer);
}

/// All rights on files that this version can refuse.
inline std::uint64_t all_file_rights(int abi) {
  if (abi >= 5) return (1u << 16) - 1;
  if (abi >= 3) return (1u << 15) - 1;
  if (abi == 2) return (1u << 14) - 1;
  return (1u << 13) - 1;
}

/// A ruleset that refuses everything; -1 with errno. Add paths, then restrict_self.
inline int make_ruleset(int abi) {
  RulesetAttributes attributes{all_file_rights(abi), abi >= 4 ? kNetwork : 0, abi >= kScopesSince ? kScopes : 0};
  const std::size_t size = abi >= kScopesSince ? sizeof attributes : abi >= 4 ? 16 : 8;
  return static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, size, 0u));
}

/// Allows `rights` beneath `path`; a path that does not exist is skipped. False with errno on failure.
inline bool allow(int ruleset, const char* path, std::uint64_t rights, bool folder) {
  const int parent = open(path, O_PATH | O_CLOEXEC);
  if (parent < 0) return errno == ENOENT;
  PathRule rule{folder ? rights : rights & kOfFiles, parent};
  const long answer = syscall(SYS_landlock_add_rule, ruleset, 1, &rule, 0u);
  const int error = errno;
  close(parent);
  errno = error;
  return answer == 0;
}

/// Needs no_new_privs. False with errno on failure.
inline bool restrict_self(int ruleset) {
  return syscall(SYS_landlock_restrict_self, ruleset, 0u) == 0;
}

}  // namespace cudalabs::sandbox::landlock
