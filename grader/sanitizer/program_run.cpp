// A program on the virtual GPU.
#include "sanitizer/program_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "sanitizer/needed_libraries.h"
#include "vgpu/cudart/origins.h"
#include "vgpu/cudart/protocol.h"

namespace cudalabs::sanitizer {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

/// Puts a path before those that a variable of the environment has.
void put_first(const char* variable, std::string path) {
  if (const char* before = std::getenv(variable); before && *before) path += std::string(":") + before;
  ::setenv(variable, path.c_str(), 1);
}

/// Where the library for programs that compile by NVRTC is: it must be loaded before NVRTC's own. No other program gets
/// it, for some do not bear a library before theirs; nor can a path with blanks be told to the loader.
std::string nvrtc_library(const std::string& program, const fs::path& runtime) {
  const std::vector<std::string> needed =
      needed_libraries(resolve_program(program)).value_or(std::vector<std::string>{});
  const bool uses_nvrtc =
      std::ranges::any_of(needed, [](const std::string& library) { return library.starts_with("libnvrtc.so"); });
  const std::string library = (runtime / "libcudalabs-nvrtc.so").string();
  return uses_nvrtc && library.find_first_of(" :\t") == std::string::npos ? library : "";
}

void set_environment(const fs::path& runtime, const std::string& nvrtc, int connection) {
  put_first("LD_LIBRARY_PATH", runtime.string());
  if (!nvrtc.empty()) put_first("LD_PRELOAD", nvrtc);
  ::setenv(vgpu::wire::kConnectionVariable, std::to_string(connection).c_str(), 1);
}

std::vector<char*> arguments_of(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

/// Signals that ask for an end wait while it lives, or until the server lets them in.
class EndSignalsHeld {
 public:
  EndSignalsHeld() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGTERM, SIGINT}) sigaddset(&signals, signal);
    ::pthread_sigmask(SIG_BLOCK, &signals, &before_);
  }
  ~EndSignalsHeld() { let_in(); }
  EndSignalsHeld(const EndSignalsHeld&) = delete;
  EndSignalsHeld& operator=(const EndSignalsHeld&) = delete;
  void let_in() const { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

/// Starts the program with one end of a connection and returns the other; a program that cannot be executed throws.
pid_t start(const std::vector<std::string>& command, const fs::path& runtime, const EndSignalsHeld& held,
            int* connection) {
  int ends[2], failure[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
  if (::pipe2(failure, O_CLOEXEC) != 0) fail("pipe");
  std::vector<char*> arguments = arguments_of(command);
  const std::string nvrtc = nvrtc_library(command[0], runtime);
  const pid_t child = ::fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    held.let_in();
    ::fcntl(ends[1], F_SETFD, 0);
    set_environment(runtime, nvrtc, ends[1]);
    ::execvp(arguments[0], arguments.data());
    const int error = errno;
    [[maybe_unused]] const auto written = ::write(failure[1], &error, sizeof error);
    ::_exit(127);
  }
  ::close(ends[1]);
  ::close(failure[1]);
  int error = 0;
  const bool failed = ::read(failure[0], &error, sizeof error) == static_cast<ssize_t>(sizeof error);
  ::close(failure[0]);
  if (failed) {
    ::waitpid(child, nullptr, 0);
    ::close(ends[0]);
    errno = error;
    fail(command[0]);
  }
  *connection = ends[0];
  return child;
}

int exit_code_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) fail("waitpid");
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// What a command prints; empty when it cannot be run.
std::string output_of(const std::vector<std::string>& command) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return "";
  std::vector<char*> arguments = arguments_of(command);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    const int null = ::open("/dev/null", O_WRONLY);
    ::dup2(null, STDERR_FILENO);
    ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string output;
  if (child > 0) {
    char part[4096];
    for (ssize_t count = 0; (count = ::read(ends[0], part, sizeof part)) > 0;)
      output.append(part, static_cast<std::size_t>(count));
    exit_code_of(child);
  }
  ::close(ends[0]);
  return output;
}

void place_host_findings(vgpu::ServerReport& report, const std::string& program) {
  const auto addresses = vgpu::origin_addresses(report);
  if (addresses.empty()) return;
  const std::string output = output_of(vgpu::addr2line_command(resolve_program(program), addresses));
  vgpu::place_findings(report, vgpu::parse_addr2line(output, addresses.size()));
}

}  // namespace

std::string resolve_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const auto end = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, end)) / name;
    if (::access(candidate.c_str(), X_OK) == 0) return candidate.string();
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  }
  return name;
}

ProgramRun run_on_virtual_gpu(const std::vector<std::string>& command, vgpu::ServeOptions serve,
                              const fs::path& runtime) {
  int ended_by = 0;
  serve.ended_by = &ended_by;
  ProgramRun run;
  {
    const EndSignalsHeld held;
    const pid_t child = start(command, runtime, held, &serve.connection);
    run.report = serve_client(serve);
    // Who asks for an end does not mean the virtual GPU alone.
    if (ended_by != 0) ::kill(child, ended_by);
    run.exit_code = exit_code_of(child);
  }
  place_host_findings(run.report, command[0]);
  return run;
}

}  // namespace cudalabs::sanitizer
