// `vgpu run`: a program on the virtual GPU, and what was found.
#include "vgpu/cudart/tool/run_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>

#include "vgpu/cudart/origins.h"
#include "vgpu/cudart/protocol.h"
#include "vgpu/cudart/tool/printed_finding.h"

namespace cudalabs::vgpu {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

/// Where the drop-in libcudart lies: beside this executable in a build, in lib/ of an installation.
fs::path runtime_folder() {
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const fs::path& folder : {here / "shared", here.parent_path() / "lib" / "cudalabs"})
    if (fs::exists(folder / "libcudart.so.13")) return folder;
  throw std::runtime_error(fmt::format("no libcudart.so.13 near {}", here.string()));
}

void set_environment(int connection) {
  std::string path = runtime_folder().string();
  if (const char* before = std::getenv("LD_LIBRARY_PATH"); before && *before) path += std::string(":") + before;
  ::setenv("LD_LIBRARY_PATH", path.c_str(), 1);
  ::setenv(wire::kConnectionVariable, std::to_string(connection).c_str(), 1);
}

std::vector<char*> arguments_of(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

/// Starts the program with one end of a connection and returns the other; a program that cannot be executed throws.
pid_t start(const std::vector<std::string>& command, int* connection) {
  int ends[2], failure[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("socketpair");
  if (::pipe2(failure, O_CLOEXEC) != 0) fail("pipe");
  const fs::path folder = runtime_folder();  // here, where it may throw
  std::vector<char*> arguments = arguments_of(command);
  const pid_t child = ::fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    ::fcntl(ends[1], F_SETFD, 0);
    set_environment(ends[1]);
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

/// The program as execvp would find it.
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

void place_host_findings(ServerReport& report, const std::string& program) {
  const auto addresses = origin_addresses(report);
  if (addresses.empty()) return;
  const std::string output = output_of(addr2line_command(resolve_program(program), addresses));
  place_findings(report, parse_addr2line(output, addresses.size()));
}

/// Source files, each read once.
class Sources {
 public:
  std::string line(const std::string& file, std::uint32_t number) {
    auto [found, fresh] = files_.try_emplace(file);
    if (fresh) {
      std::ifstream stream(file);
      for (std::string text; std::getline(stream, text);) found->second.push_back(text);
    }
    return number >= 1 && number <= found->second.size() ? found->second[number - 1] : "";
  }

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void print(const ServerReport& report, const std::string& program) {
  Sources sources;
  std::size_t counts[3] = {};
  for (const Finding& finding : report.findings) {
    ++counts[static_cast<int>(finding.severity)];
    fmt::print(stderr, "{}",
               render_diagnostic(finding, [&](const auto& file, auto line) { return sources.line(file, line); }));
  }
  if (!report.protocol_error.empty())
    fmt::print(stderr, "vgpu: `{}` broke the protocol: {}\n", program, report.protocol_error);
  if (!report.internal_error.empty()) fmt::print(stderr, "vgpu: internal error: {}\n", report.internal_error);
  for (const std::string& text : report.not_executed) fmt::print(stderr, "vgpu: {}\n", text);
  if (report.interrupted) fmt::print(stderr, "vgpu: a kernel was still running when `{}` ended\n", program);
  if (report.call_count == 0) {
    fmt::print(stderr,
               "vgpu: `{}` made no CUDA call that reached the virtual GPU; link it with `nvcc -cudart shared`\n",
               program);
    return;
  }
  fmt::print(stderr, "vgpu: {}, {}, {}; {}, {:.2f} s in kernels on a virtual {}\n",
             counted(counts[0], "error", "errors"), counted(counts[1], "warning", "warnings"),
             fmt::format("{} advice", counts[2]), counted(report.launch_count, "launch", "launches"),
             report.kernel_seconds, report.model);
}

bool has_errors(const ServerReport& report) {
  if (!report.module_errors.empty() || !report.not_executed.empty()) return true;
  for (const Finding& finding : report.findings)
    if (finding.severity == Severity::error) return true;
  return false;
}

}  // namespace

int run_program(const RunOptions& options) {
  ServeOptions serve = options.serve;
  const pid_t child = start(options.command, &serve.connection);
  ServerReport report = serve_client(serve);
  const int code = exit_code_of(child);
  place_host_findings(report, options.command[0]);
  for (Finding& advice : report.barriers.advice()) report.findings.push_back(std::move(advice));
  print(report, options.command[0]);
  if (!options.json.empty()) {
    std::ofstream file(options.json);
    file << to_json(report) << '\n';
    if (!file.flush()) throw std::runtime_error(fmt::format("{}: cannot be written", options.json));
  }
  return code != 0 ? code : has_errors(report) ? 1 : 0;
}

}  // namespace cudalabs::vgpu
