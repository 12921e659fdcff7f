// One misdeed a name: what a submission could do when it runs. Exits 0 when it got away with it, 42 when it was
// refused, unless the deed is to use something up or to stay.
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr int kRefused = 42;

int got(bool away) {
  return away ? 0 : kRefused;
}

int read_file(const char* path) {
  const int file = open(path, O_RDONLY);
  char byte;
  return got(file >= 0 && read(file, &byte, 1) == 1);
}

int open_device(const char* path) {
  return got(open(path, O_RDWR | O_NONBLOCK) >= 0);
}

int list_folder(const char* path) {
  DIR* folder = opendir(path);
  return got(folder && readdir(folder));
}

int write_file(const char* path) {
  const int file = open(path, O_WRONLY | O_CREAT, 0666);
  return got(file >= 0 && write(file, "x", 1) == 1);
}

int connect_to(int family, int type) {
  const int s = socket(family, type, 0);
  if (s < 0) return kRefused;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(53);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return got(connect(s, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
}

/// The name of an abstract socket that the test listens on.
int connect_abstract(const char* name) {
  const int s = socket(AF_UNIX, SOCK_STREAM, 0);
  if (s < 0) return kRefused;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s", name);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + std::strlen(name));
  return got(connect(s, reinterpret_cast<sockaddr*>(&address), size) == 0);
}

int fork_bomb() {
  for (;;) {
    if (fork() < 0 && errno != EAGAIN) return kRefused;
  }
}

int start_threads(unsigned number) {
  std::vector<std::thread> threads;
  try {
    while (threads.size() < number) threads.emplace_back([] { pause(); });
  } catch (const std::exception&) {
    _exit(kRefused);
  }
  _exit(0);
}

int memory_bomb() {
  constexpr std::size_t kChunk = 16u << 20;
  for (;;) {
    void* chunk = std::malloc(kChunk);
    if (!chunk) return kRefused;
    std::memset(chunk, 1, kChunk);
  }
}

int fill(const char* folder) {
  static char block[1 << 20];
  std::memset(block, 1, sizeof block);
  signal(SIGXFSZ, SIG_IGN);
  std::size_t written = 0;
  for (int i = 0; i < 10000; ++i) {
    const int file = open((std::string(folder) + "/" + std::to_string(i)).c_str(), O_WRONLY | O_CREAT, 0600);
    if (file < 0) break;
    while (write(file, block, sizeof block) > 0) written += sizeof block;
    close(file);
    if (written > (256u << 20)) return 0;
    if (errno == ENOSPC) break;
  }
  return kRefused;
}

/// Does not end by itself where it was let write.
int fill_and_stay(const char* folder) {
  if (const int end = fill(folder); end != 0) return end;
  for (;;) pause();
}

int flood() {
  static char block[1 << 16];
  std::memset(block, 'x', sizeof block);
  for (;;) {
    if (write(1, block, sizeof block) < 0 && errno != EINTR) return 0;
  }
}

volatile unsigned long g_counter;

int spin() {
  for (;;) g_counter = g_counter + 1;
}

int spin_ignoring() {
  for (int number = 1; number < 65; ++number) signal(number, SIG_IGN);
  return spin();
}

/// Says that it is there on descriptor 3, if it has one.
int sleep_on() {
  if (write(3, "x", 1) < 0) errno = 0;
  for (int number = 1; number < 65; ++number) signal(number, SIG_IGN);
  for (;;) pause();
}

/// Leaves a process behind that has its own session and has closed everything.
int daemonise() {
  if (fork() != 0) return 0;
  setsid();
  if (fork() != 0) _exit(0);
  for (int i = 0; i < 64; ++i) close(i);
  for (;;) pause();
}

int kill_everybody() {
  signal(SIGTERM, SIG_IGN);
  kill(-1, SIGKILL);
  kill(getppid(), SIGKILL);
  kill(getppid(), SIGSTOP);
  kill(1, SIGKILL);
  return kRefused;  // the test looks at who is still alive
}

int trace_parent() {
  if (ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0) return 0;
  char there[16];
  iovec here{there, sizeof there}, remote{reinterpret_cast<void*>(0x400000), sizeof there};
  if (process_vm_readv(getppid(), &here, 1, &remote, 1, 0) > 0) return 0;
  const std::string memory = "/proc/" + std::to_string(getppid()) + "/mem";
  if (open(memory.c_str(), O_RDWR) >= 0) return 0;
  if (syscall(SYS_pidfd_open, getppid(), 0) >= 0) return 0;
  return kRefused;
}

int limit_parent() {
  rlimit limit{1, 1};
  return got(prlimit(getppid(), RLIMIT_CPU, &limit, nullptr) == 0);
}

int use_kernel() {
  bool away = unshare(CLONE_NEWUSER) == 0 || unshare(CLONE_NEWNS) == 0;
  away |= mount("none", "/tmp", "tmpfs", 0, nullptr) == 0 || umount2("/tmp", MNT_DETACH) == 0;
  away |= syscall(SYS_bpf, 0, nullptr, 0) >= 0 || errno != EPERM;
  away |= syscall(SYS_io_uring_setup, 1, nullptr) >= 0 || errno != ENOSYS;
  away |= syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, -3, 0) >= 0 || errno != EPERM;
  away |= syscall(SYS_userfaultfd, 0) >= 0 || errno != EPERM;
  away |= syscall(SYS_perf_event_open, nullptr, 0, 0, -1, 0) >= 0 || errno != EPERM;
  away |= syscall(SYS_shmget, IPC_PRIVATE, 4096, 0600) >= 0;
  away |= syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, nullptr, nullptr, nullptr, nullptr) >= 0;
  away |= chroot("/tmp") == 0 || setuid(0) == 0;
  char byte = 'x';
  away |= ioctl(0, TIOCSTI, &byte) == 0 || errno != EPERM;
  // A 64-bit request whose low half is TIOCSTI: the kernel would take it for that.
  away |= syscall(SYS_ioctl, 0, 0x100000000ul | TIOCSTI, &byte) == 0 || errno != EPERM;
  return got(away);
}

/// Any descriptor beyond the three is one too many; so is one of those that is not what it should be.
int inherited() {
  for (int i = 3; i < 4096; ++i) {
    if (fcntl(i, F_GETFD) >= 0) return 0;
  }
  char byte;
  return got(read(0, &byte, 1) != 0);
}

int run_shell() {
  execl("/bin/sh", "sh", "-c", "exit 0", nullptr);
  return kRefused;
}

int show_environment() {
  for (char** variable = environ; *variable; ++variable) std::puts(*variable);
  return 0;
}

int dump_core() {
  if (chdir("/tmp") != 0) return 1;
  rlimit most{RLIM_INFINITY, RLIM_INFINITY};
  setrlimit(RLIMIT_CORE, &most);
  std::abort();
}

int show_identity() {
  std::printf("uid %d gid %d groups %d\n", getuid(), getgid(), getgroups(0, nullptr));
  return 0;
}

int scratch() {
  const std::string folder = std::getenv("TMPDIR");
  if (write_file((folder + "/mine").c_str()) != 0 || read_file((folder + "/mine").c_str()) != 0) return 1;
  return read_file("tmp/mine");
}

/// Spends about a second in children that the kernel forgets at once, where it lets a process have such.
int disown() {
  const bool allowed = signal(SIGCHLD, SIG_IGN) != SIG_ERR;
  for (int i = 0; i < 10; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      while (std::clock() < CLOCKS_PER_SEC / 10) continue;
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  }
  return allowed ? 0 : kRefused;
}

/// Waits in the kernel for a child that never comes to an end, where it lets a process do that.
int lend_memory() {
  for (const unsigned long flags : {0ul, static_cast<unsigned long>(CLONE_PARENT)}) {
    if (syscall(SYS_clone, CLONE_VM | CLONE_VFORK | flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr) == 0)
      sleep_on();
  }
  return got(errno != EPERM);
}

int tell_descriptor(int number) {
  return write(number, "told", 4) == 4 ? 0 : kRefused;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view deed = count > 1 ? arguments[1] : "";
  const char* with = count > 2 ? arguments[2] : "";
  if (deed == "read") return read_file(with);
  if (deed == "open") return open_device(with);
  if (deed == "list") return list_folder(with);
  if (deed == "write") return write_file(with);
  if (deed == "tcp") return connect_to(AF_INET, SOCK_STREAM);
  if (deed == "udp") return connect_to(AF_INET, SOCK_DGRAM);
  if (deed == "vsock") return got(socket(40, SOCK_STREAM, 0) >= 0);
  if (deed == "netlink") return got(socket(AF_NETLINK, SOCK_RAW, 0) >= 0);
  if (deed == "abstract") return connect_abstract(with);
  if (deed == "fork-bomb") return fork_bomb();
  if (deed == "thread-bomb") return start_threads(std::numeric_limits<unsigned>::max());
  if (deed == "threads") return start_threads(static_cast<unsigned>(std::atoi(with)));
  if (deed == "memory-bomb") return memory_bomb();
  if (deed == "fill") return fill(with);
  if (deed == "fill-and-stay") return fill_and_stay(with);
  if (deed == "flood") return flood();
  if (deed == "spin") return spin();
  if (deed == "spin-ignoring") return spin_ignoring();
  if (deed == "sleep") return sleep_on();
  if (deed == "daemonise") return daemonise();
  if (deed == "kill") return kill_everybody();
  if (deed == "trace") return trace_parent();
  if (deed == "limit-parent") return limit_parent();
  if (deed == "kernel") return use_kernel();
  if (deed == "inherited") return inherited();
  if (deed == "shell") return run_shell();
  if (deed == "environment") return show_environment();
  if (deed == "core") return dump_core();
  if (deed == "identity") return show_identity();
  if (deed == "scratch") return scratch();
  if (deed == "disown") return disown();
  if (deed == "lend-memory") return lend_memory();
  if (deed == "tell") return tell_descriptor(std::atoi(with));
  if (deed == "say") return std::puts(with) < 0;
  if (deed == "complain") return std::puts("before") < 0 || std::fflush(stdout) != 0 || std::fputs(with, stderr) < 0;
  if (deed == "exit") return std::atoi(with);
  if (deed == "segfault") return raise(SIGSEGV);
  return 99;
}
