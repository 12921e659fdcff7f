// One thread that waits for three things: orders, ends of processes, and links that are closed.
#include "vgpu/cudart/server/fork_server.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "vgpu/cudart/serve_order.h"
#include "vgpu/cudart/server/serve.h"

namespace cudalabs::vgpu {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::vector<sock_filter> read_filter(int descriptor) {
  std::vector<sock_filter> filter;
  if (descriptor < 0) return filter;
  sock_filter instruction{};
  while (::read(descriptor, &instruction, sizeof instruction) == static_cast<ssize_t>(sizeof instruction)) {
    filter.push_back(instruction);
  }
  ::close(descriptor);
  if (filter.empty()) throw std::runtime_error("the system call filter cannot be read");
  return filter;
}

/// An order and its descriptors.
struct Task {
  ServeOrder order;
  std::vector<int> descriptors;

  int link() const { return descriptors[0]; }
  int complaints() const { return descriptors[3]; }
};

/// Nothing when the other end is closed.
std::optional<Task> receive(int socket) {
  Task task;
  iovec data{&task.order, sizeof task.order};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(ServeOrder::kMostDescriptors * sizeof(int))> ancillary{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = ancillary.data();
  message.msg_controllen = ancillary.size();
  ssize_t count = 0;
  do {
    count = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  if (count == 0 || (count < 0 && errno == ECONNRESET)) return std::nullopt;
  if (count < 0) fail("cannot take an order");
  if (const cmsghdr* header = CMSG_FIRSTHDR(&message); header && header->cmsg_type == SCM_RIGHTS) {
    task.descriptors.resize((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    std::memcpy(task.descriptors.data(), CMSG_DATA(header), task.descriptors.size() * sizeof(int));
  }
  const std::size_t expected =
      4u + task.order.transfers + task.order.replacements + task.order.device_code + 2u * task.order.mutants;
  if (static_cast<std::size_t>(count) != sizeof task.order || task.order.magic != ServeOrder::kMagic ||
      (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0 || task.descriptors.size() != expected) {
    throw std::runtime_error("an order that is none");
  }
  return task;
}

ServeOptions options_of(const Task& task) {
  const ServeOrder& order = task.order;
  ServeOptions options;
  options.connection = task.descriptors[1];
  options.report = task.descriptors[2];
  options.model.assign(order.model, ::strnlen(order.model, sizeof order.model));
  options.check_races = options.check_initialized = order.checks != 0;
  options.access_counters = order.access_counters != 0;
  options.record_accesses = order.record_accesses != 0;
  options.sampled_blocks = order.sampled_blocks;
  options.reset_variables = order.reset_variables;
  options.output_kib = order.output_kib;
  options.device_mib = order.device_mib;
  options.kernel_seconds = order.kernel_seconds;
  options.instruction_limit = order.instruction_limit;
  options.stops_slow_blocks = order.stops_slow_blocks != 0;
  options.faults = order.faults;
  std::size_t next = 4;
  if (order.transfers != 0) options.transfers = task.descriptors[next++];
  if (order.replacements != 0) options.replacements = task.descriptors[next++];
  if (order.device_code != 0) options.device_code = task.descriptors[next++];
  if (order.mutants != 0) {
    options.mutant_order = task.descriptors[next];
    options.mutants = task.descriptors[next + 1];
  }
  return options;
}

/// Closes every descriptor but these and 0, 1 and 2.
void close_others(std::vector<int> keep) {
  std::ranges::sort(keep);
  unsigned first = 3;
  for (const int descriptor : keep) {
    const auto number = static_cast<unsigned>(descriptor);
    if (number > first && ::close_range(first, number - 1, 0) != 0) fail("cannot close descriptors");
    first = std::max(first, number + 1);
  }
  if (::close_range(first, ~0u, 0) != 0) fail("cannot close descriptors");
}

/// As the sandbox does it for the jobs that it starts: the soft CPU limit sends SIGXCPU, the hard one, a second later,
/// SIGKILL.
void set_limits(const ServeOrder& order) {
  rlimit cpu{};
  if (::getrlimit(RLIMIT_CPU, &cpu) != 0) fail("cannot read a limit");
  cpu.rlim_cur = std::min<rlim_t>(cpu.rlim_max, order.cpu_seconds);
  cpu.rlim_max = std::min<rlim_t>(cpu.rlim_max, order.cpu_seconds + 1);
  rlimit file{};
  if (::getrlimit(RLIMIT_FSIZE, &file) != 0) fail("cannot read a limit");
  file.rlim_cur = file.rlim_max = std::min<rlim_t>(file.rlim_max, order.file_bytes);
  if (::setrlimit(RLIMIT_CPU, &cpu) != 0 || ::setrlimit(RLIMIT_FSIZE, &file) != 0) fail("cannot set a limit");
}

void restrict_calls(const std::vector<sock_filter>& filter) {
  if (filter.empty()) return;
  const sock_fprog program{static_cast<unsigned short>(filter.size()), const_cast<sock_filter*>(filter.data())};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    fail("cannot filter system calls");
  }
}

bool say(int link, const ServeNews& news) {
  return ::send(link, &news, sizeof news, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof news);
}

/// True once the listener wants the client to be served.
bool told_to_begin(int link) {
  char byte = 0;
  ssize_t count = 0;
  do {
    count = ::recv(link, &byte, 1, 0);
  } while (count < 0 && errno == EINTR);
  return count == 1;
}

/// What the forked process does, up to its exit code.
int serve_one(const Task& task, pid_t server, const std::vector<sock_filter>& filter) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (::getppid() != server) return 1;  // it died before the wish was heard
  // First of all: from here on nothing of the server or of its other clients can be reached.
  close_others(task.descriptors);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(task.complaints(), stream);
  ::close(task.complaints());
  set_limits(task.order);
  // The order to end may come before there is anything to end, or when there is no more: until EndOnSignal
  // listens such a signal waits, and afterwards it is ignored.
  std::signal(SIGTERM, SIG_IGN);
  std::signal(SIGINT, SIG_IGN);
  sigset_t child_ends;
  sigemptyset(&child_ends);
  sigaddset(&child_ends, SIGCHLD);
  ::sigprocmask(SIG_UNBLOCK, &child_ends, nullptr);
  if (!say(task.link(), {}) || !told_to_begin(task.link())) return 0;  // nobody wants it any more
  ::close(task.link());
  restrict_calls(filter);
  return serve(options_of(task));
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// What became of a process that has ended, which stays there to be reaped; nothing while it runs.
std::optional<ServeNews> end_of(pid_t process) {
  siginfo_t info{};
  rusage usage{};
  // The C library's waitid does not tell what was used.
  if (::syscall(SYS_waitid, P_PID, process, &info, WEXITED | WNOHANG | WNOWAIT, &usage) != 0) fail("cannot wait");
  if (info.si_pid == 0) return std::nullopt;
  ServeNews news;
  news.kind = ServeNews::Kind::ended;
  news.wait_status = info.si_code == CLD_EXITED ? W_EXITCODE(info.si_status, 0) : W_EXITCODE(0, info.si_status);
  news.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  news.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return news;
}

/// A process that serves a client, or did until it ended.
struct Served {
  pid_t process = -1;
  int link = -1;
  bool told = false;  // that it has ended
};

class ForkServer {
 public:
  explicit ForkServer(const ForkServerOptions& options)
      : orders_(options.orders), filter_(read_filter(options.filter)) {
    sigset_t children, blocked;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    blocked = children;
    for (const int signal : {SIGTERM, SIGINT}) sigaddset(&blocked, signal);  // for those that will be forked
    if (::sigprocmask(SIG_BLOCK, &blocked, nullptr) != 0) fail("cannot block signals");
    signals_ = ::signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals_ < 0) fail("cannot listen to signals");
    // Nor may those that serve clients reach this process's memory, or each other's.
    if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) fail("cannot become unreadable");
  }

  int run() {
    for (;;) {
      std::vector<pollfd> events{{orders_, POLLIN, 0}, {signals_, POLLIN, 0}};
      // Whether it was closed: what is said there is not for the server.
      for (const Served& each : served_) events.push_back({each.link, 0, 0});
      if (::poll(events.data(), events.size(), -1) < 0 && errno != EINTR) fail("cannot wait for orders");
      if (events[1].revents != 0) tell_ends();
      for (std::size_t i = served_.size(); i-- > 0;) {
        if (events[2 + i].revents != 0) forget(i);
      }
      if (events[0].revents == 0) continue;
      const std::optional<Task> task = receive(orders_);
      if (!task) break;
      const pid_t server = ::getpid();
      const pid_t process = ::fork();
      if (process < 0) fail("cannot fork");
      if (process == 0) return serve_one(*task, server, filter_);
      served_.push_back({process, task->link()});
      for (const int descriptor : std::span(task->descriptors).subspan(1)) ::close(descriptor);
    }
    while (!served_.empty()) forget(served_.size() - 1);
    return 0;
  }

 private:
  void tell_ends() {
    signalfd_siginfo ignored[8];
    while (::read(signals_, ignored, sizeof ignored) > 0) continue;
    for (Served& each : served_) {
      if (each.told) continue;
      const std::optional<ServeNews> news = end_of(each.process);
      if (!news) continue;
      each.told = true;
      say(each.link, *news);  // a listener that is gone is seen at the next look
    }
  }

  void forget(std::size_t which) {
    const Served served = served_[which];
    served_.erase(served_.begin() + static_cast<std::ptrdiff_t>(which));
    ::kill(served.process, SIGKILL);
    while (::waitpid(served.process, nullptr, 0) < 0 && errno == EINTR) continue;
    ::close(served.link);
  }

  const int orders_;
  const std::vector<sock_filter> filter_;
  int signals_ = -1;
  std::vector<Served> served_;
};

}  // namespace

int serve_orders(const ForkServerOptions& options) {
  return ForkServer(options).run();
}

}  // namespace cudalabs::vgpu
