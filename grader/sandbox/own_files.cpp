// Finds what belongs to the grader relative to the running program, so that an installed tree can be moved.
#include "sandbox/own_files.h"

#include <sys/stat.h>

#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace cudalabs::sandbox {
namespace {

namespace fs = std::filesystem;

/// What CMake writes into the build folder, and the archive for students has beside its programs.
constexpr const char* kList = "cudalabs-paths.txt";

bool same_owner(const fs::path& left, const fs::path& right) {
  struct stat one {
  }, other{};
  return stat(left.c_str(), &one) == 0 && stat(right.c_str(), &other) == 0 && one.st_uid == other.st_uid;
}

fs::path list_above(const fs::path& program) {
  std::error_code error;
  for (fs::path folder = program.parent_path();; folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / kList, error) && same_owner(folder / kList, program)) return folder / kList;
    if (folder == folder.root_path() || folder.empty()) return {};
  }
}

}  // namespace

OwnFiles::OwnFiles(fs::path program) : program_(std::move(program)) {
  const fs::path folder = program_.parent_path();
  std::error_code error;
  if (folder.filename() == "bin" && fs::is_directory(folder.parent_path() / "lib" / "cudalabs", error)) {
    prefix_ = folder.parent_path();
  } else if (folder.filename() == "cudalabs" && folder.parent_path().filename() == "lib") {
    prefix_ = folder.parent_path().parent_path();
  } else {
    list_ = list_above(program_);
  }
}

std::optional<fs::path> OwnFiles::in_list(std::string_view name) const {
  std::ifstream lines(list_);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos && std::string_view(line).substr(0, tab) == name)
      return (list_.parent_path() / line.substr(tab + 1)).lexically_normal();
  }
  return std::nullopt;
}

fs::path OwnFiles::listed(std::string_view name) const {
  if (list_.empty()) {
    throw std::runtime_error(program_.string() + ": the grader's own files are not beside this program (no " + kList +
                             ", no ../lib/cudalabs); install or build it again");
  }
  if (const std::optional<fs::path> path = in_list(name)) return *path;
  throw std::runtime_error(list_.string() + ": no path for \"" + std::string(name) + "\"; build the grader again");
}

bool OwnFiles::has(std::string_view name) const {
  std::error_code error;
  if (prefix_) return fs::exists(*prefix_ / "lib" / "cudalabs" / name, error);
  return in_list(name).has_value();
}

fs::path OwnFiles::file(std::string_view name) const {
  if (!prefix_) return listed(name);
  fs::path path = *prefix_ / "lib" / "cudalabs" / name;
  std::error_code error;
  if (!fs::exists(path, error)) throw std::runtime_error(path.string() + ": missing; install the grader again");
  return path;
}

fs::path OwnFiles::data() const {
  return prefix_ ? *prefix_ / "share" / "cudalabs" : listed("root");
}

const OwnFiles& own_files() {
  static const OwnFiles files(fs::read_symlink("/proc/self/exe"));
  return files;
}

bool everyone_may_execute(const fs::path& path) {
  constexpr fs::perms kNeeded = fs::perms::others_read | fs::perms::others_exec;
  std::error_code error;
  const fs::path file = fs::canonical(path, error);
  if (error || (fs::status(file, error).permissions() & kNeeded) != kNeeded) return false;
  for (fs::path folder = file.parent_path();; folder = folder.parent_path()) {
    if ((fs::status(folder, error).permissions() & fs::perms::others_exec) == fs::perms::none || error) return false;
    if (folder == folder.root_path()) return true;
  }
}

}  // namespace cudalabs::sandbox
