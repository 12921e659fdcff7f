// Finds clang with its opt and llc, or nvcc.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <tuple>

#include "build/builder.h"
#include "build/recipe.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

// The versions this project is tested with come first, then those it is written for.
constexpr std::array kClangVersions = {14, 16, 15, 17, 18, 19, 20, 21};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// `name` itself when it has a slash, else its place on PATH; empty when it is not an executable file.
fs::path find_program(const std::string& name) {
  const auto executable = [](const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return executable(name) ? fs::absolute(name) : fs::path();
  std::istringstream folders(variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    // A relative folder on PATH means another program in every place the grader is started from.
    if (!folder.starts_with('/')) continue;
    if (executable(fs::path(folder) / name)) return fs::path(folder) / name;
  }
  return {};
}

std::string output_of(const fs::path& program, const std::string& option) {
  const std::string command = builder::shell_word(program.string()) + " " + option + " 2>/dev/null </dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "re"), &pclose);
  std::string output;
  std::array<char, 4096> chunk;
  while (pipe) {
    const std::size_t count = fread(chunk.data(), 1, chunk.size(), pipe.get());
    if (count == 0) break;
    output.append(chunk.data(), count);
  }
  return output;
}

/// What a compiler says of its version, asked once as long as the file stays what it is: to start one takes 20 ms, and
/// lint forks for each of hundreds of samples.
std::string version_text(const fs::path& compiler) {
  using State = std::tuple<std::string, dev_t, ino_t, time_t, long>;
  static std::mutex mutex;
  static std::map<State, std::string> known;
  struct stat status {};
  if (stat(compiler.c_str(), &status) != 0) return "";
  const State state{compiler.string(), status.st_dev, status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
  const std::lock_guard lock(mutex);
  const auto at = known.find(state);
  return at != known.end() ? at->second : known.emplace(state, output_of(compiler, "--version")).first->second;
}

/// The line of `text` that holds `mark`, without what surrounds it.
std::string line_with(const std::string& text, const std::string& mark) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(mark) != std::string::npos) return line;
  }
  return "";
}

/// The number after "version "; 0 when there is none.
int major_version(const std::string& line) {
  constexpr std::string_view kMark = "version ";
  const std::size_t at = line.find(kMark);
  int major = 0;
  if (at != std::string::npos) std::from_chars(line.data() + at + kMark.size(), line.data() + line.size(), major);
  return major;
}

/// LLVM's own tool of the same version: beside the compiler, or with the version in its name on PATH.
fs::path find_companion(const fs::path& compiler, const std::string& name, int major) {
  std::error_code error;
  const fs::path beside = fs::canonical(compiler, error).parent_path() / name;
  if (!error) {
    if (fs::path found = find_program(beside.string()); !found.empty()) return found;
  }
  return find_program(name + "-" + std::to_string(major));
}

std::optional<Toolchain> clang_at(const fs::path& compiler) {
  if (compiler.empty()) return std::nullopt;
  Toolchain toolchain{Frontend::clang, line_with(version_text(compiler), "version "), compiler, {}, {}};
  const int major = major_version(toolchain.version);
  if (toolchain.version.find("clang") == std::string::npos || major == 0) return std::nullopt;
  toolchain.optimizer = find_companion(compiler, "opt", major);
  toolchain.code_generator = find_companion(compiler, "llc", major);
  if (toolchain.optimizer.empty() || toolchain.code_generator.empty()) return std::nullopt;
  return toolchain;
}

std::optional<Toolchain> find_clang() {
  if (const std::string given = variable("CUDALABS_CLANG"); !given.empty()) return clang_at(find_program(given));
  for (const int version : kClangVersions) {
    if (auto found = clang_at(find_program("clang++-" + std::to_string(version)))) return found;
  }
  return clang_at(find_program("clang++"));
}

std::optional<Toolchain> nvcc_at(const fs::path& compiler) {
  if (compiler.empty()) return std::nullopt;
  const std::string line = line_with(version_text(compiler), "release ");
  if (line.empty()) return std::nullopt;
  // "Cuda compilation tools, release 13.0, V13.0.48"
  const std::size_t full = line.rfind(", V");
  const std::string version = full == std::string::npos ? line : "nvcc " + line.substr(full + 3);
  return Toolchain{Frontend::nvcc, version, compiler, {}, {}};
}

std::optional<Toolchain> find_nvcc() {
  if (const std::string given = variable("CUDALABS_NVCC"); !given.empty()) return nvcc_at(find_program(given));
  if (auto found = nvcc_at(find_program("nvcc"))) return found;
  return nvcc_at(find_program("/usr/local/cuda/bin/nvcc"));
}

}  // namespace

std::string_view name_of(Frontend frontend) {
  return frontend == Frontend::clang ? "clang" : "nvcc";
}
std::string_view name_of(Device device) {
  return device == Device::cuda ? "cuda" : "virtual";
}

std::optional<Toolchain> find_toolchain(Frontend frontend) {
  return frontend == Frontend::clang ? find_clang() : find_nvcc();
}

}  // namespace cudalabs
