// A deny list rather than an allow list: it stands behind namespaces or Landlock, and compilers of several versions and
// whatever a student's C library does must work under it.
#include "sandbox/seccomp_filter.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <string>

#include "sandbox/fd.h"
#include "sandbox/sandbox.h"

namespace cudalabs::sandbox {
namespace {

// By name, since a call may be younger than the headers this is compiled with; an unknown name is skipped.
constexpr std::array kDenied = {
    // other processes
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp", "pidfd_open",
    "pidfd_getfd", "pidfd_send_signal",
    // new namespaces, mounts, roots
    "unshare", "setns", "mount", "umount", "umount2", "move_mount", "fsopen", "fsconfig", "fsmount", "fspick",
    "open_tree", "open_tree_attr", "mount_setattr", "pivot_root", "chroot", "statmount", "listmount",
    // the kernel itself
    "bpf", "perf_event_open", "userfaultfd", "kexec_load", "kexec_file_load", "init_module", "finit_module",
    "delete_module", "create_module", "iopl", "ioperm", "modify_ldt", "lookup_dcookie", "syslog", "acct", "quotactl",
    "quotactl_fd", "swapon", "swapoff", "reboot", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex",
    "sethostname", "setdomainname", "vhangup", "fanotify_init", "name_to_handle_at", "open_by_handle_at",
    "memfd_secret", "uselib", "ustat", "sysfs", "_sysctl", "personality",
    // keys, and objects that would outlive the job where there is no namespace for them
    "keyctl", "add_key", "request_key", "shmget", "shmat", "shmctl", "msgget", "msgsnd", "msgrcv", "msgctl", "semget",
    "semop", "semctl", "semtimedop", "mq_open", "mq_unlink"};

constexpr std::array kMemoryPolicy = {"mbind", "set_mempolicy", "set_mempolicy_home_node", "migrate_pages",
                                      "move_pages"};

// Programs try these first and fall back when the kernel seems not to have them.
constexpr std::array kUnknown = {"clone3", "io_uring_setup", "io_uring_enter", "io_uring_register"};

// What a process that needs no other can do without, beyond what is denied to all.
// `kill` and its like name their target by a number, and a filter does not know which is the caller's own.
constexpr std::array kOfOthers = {
    // starting one, or another program
    "fork", "vfork", "execve", "execveat",
    // stopping it or slowing it down
    "kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "setpriority", "ioprio_set", "sched_setaffinity",
    "sched_setscheduler", "sched_setparam", "sched_setattr",
    // leaving it something
    "creat", "mkdir", "mkdirat", "mknod", "mknodat", "link", "linkat", "symlink", "symlinkat", "bind", "socketpair"};

class Builder {
 public:
  Builder() : context_(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release) {
    if (!context_) throw SandboxError("cannot make a system call filter");
    // A binary tree over the call number: a dozen comparisons a call instead of over a hundred.
    check(seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, 2));
  }

  void refuse(const char* name, int error) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call >= 0) check(seccomp_rule_add(context_.get(), SCMP_ACT_ERRNO(error), call, 0));
  }
  void refuse_if(const char* name, int error, scmp_arg_cmp condition) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call >= 0) check(seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(error), call, 1, &condition));
  }

  std::vector<sock_filter> program() {
    const Fd file = make_memory_file("filter", {});
    check(seccomp_export_bpf(context_.get(), file.get()));
    const std::string bytes = read_all(file.get(), 1 << 20);
    std::vector<sock_filter> instructions(bytes.size() / sizeof(sock_filter));
    std::memcpy(instructions.data(), bytes.data(), instructions.size() * sizeof(sock_filter));
    return instructions;
  }

 private:
  static void check(int answer) {
    if (answer != 0) throw SandboxError(std::string("cannot make a system call filter: ") + std::strerror(-answer));
  }
  std::unique_ptr<void, decltype(&seccomp_release)> context_;
};

std::vector<sock_filter> make_filter(bool accelerator, bool counted) {
  Builder filter;
  for (const char* name : kDenied) filter.refuse(name, EPERM);
  for (const char* name : kUnknown) filter.refuse(name, ENOSYS);
  if (!accelerator) {
    for (const char* name : kMemoryPolicy) filter.refuse(name, EPERM);
  }

  // Not CLONE_NEWTIME: it lies in the byte that clone reads as the exit signal.
  for (const unsigned flag :
       {CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWCGROUP}) {
    filter.refuse_if("clone", EPERM, {0, SCMP_CMP_MASKED_EQ, flag, flag});
  }

  if (counted) {
    // A process that ignores SIGCHLD has its children vanish uncounted.
    filter.refuse_if("rt_sigaction", EPERM, {0, SCMP_CMP_EQ, SIGCHLD, 0});
    // One that lends its memory to a child waits for it like for a disk, and no clock of idle time would run.
    filter.refuse("vfork", EPERM);
    filter.refuse_if("clone", EPERM, {0, SCMP_CMP_MASKED_EQ, CLONE_VFORK, CLONE_VFORK});
  }

  // Typing into the terminal the grader was started from. The kernel looks at the low 32 bits only, so does the filter.
  constexpr std::uint64_t kLow = 0xffffffffu;
  filter.refuse_if("ioctl", EPERM, {1, SCMP_CMP_MASKED_EQ, kLow, TIOCSTI});
  filter.refuse_if("ioctl", EPERM, {1, SCMP_CMP_MASKED_EQ, kLow, 0x541c /* TIOCLINUX */});

  // Limits of another process of the same user.
  filter.refuse_if("prlimit64", EPERM, {0, SCMP_CMP_NE, 0, 0});

  // Namespaces and Landlock leave holes here: vsock is in no network namespace, Landlock does not stop UDP.
  if (accelerator) {
    filter.refuse_if("socket", EACCES, {0, SCMP_CMP_NE, AF_UNIX, 0});
  } else {
    filter.refuse("socket", EACCES);
  }
  filter.refuse_if("socketpair", EACCES, {0, SCMP_CMP_NE, AF_UNIX, 0});
  return filter.program();
}

std::vector<sock_filter> make_lone_process_filter() {
  Builder filter;
  for (const char* name : kOfOthers) filter.refuse(name, EPERM);
  for (const char* name : kUnknown) filter.refuse(name, ENOSYS);
  filter.refuse("openat2", ENOSYS);
  filter.refuse_if("clone", EPERM, {0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0});
  // O_TMPFILE has O_DIRECTORY's bit in it.
  constexpr unsigned kTemporary = O_TMPFILE & ~O_DIRECTORY;
  for (const unsigned flag : {static_cast<unsigned>(O_CREAT), static_cast<unsigned>(O_TRUNC), kTemporary}) {
    filter.refuse_if("open", EACCES, {1, SCMP_CMP_MASKED_EQ, flag, flag});
    filter.refuse_if("openat", EACCES, {2, SCMP_CMP_MASKED_EQ, flag, flag});
  }
  // A descriptor can be made to send any signal to any process.
  constexpr std::uint64_t kLow = 0xffffffffu;
  for (const unsigned command : {F_SETOWN, F_SETOWN_EX, F_SETSIG}) {
    filter.refuse_if("fcntl", EPERM, {1, SCMP_CMP_MASKED_EQ, kLow, command});
  }
  for (const unsigned request : {FIOSETOWN, SIOCSPGRP}) {
    filter.refuse_if("ioctl", EPERM, {1, SCMP_CMP_MASKED_EQ, kLow, request});
  }
  return filter.program();
}

}  // namespace

const std::vector<sock_filter>& lone_process_filter() {
  static const std::vector<sock_filter> filter = make_lone_process_filter();
  return filter;
}

const std::vector<sock_filter>& seccomp_filter(bool accelerator, bool counted) {
  static const std::vector<sock_filter> plain = make_filter(false, false), plain_counted = make_filter(false, true);
  static const std::vector<sock_filter> driving = make_filter(true, false), driving_counted = make_filter(true, true);
  if (accelerator) return counted ? driving_counted : driving;
  return counted ? plain_counted : plain;
}

}  // namespace cudalabs::sandbox
