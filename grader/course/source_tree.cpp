// What was handed in, as files in memory.
#include "course/source_tree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>

#include "build/intake.h"
#include "course/entry_path.h"
#include "course/gradescope.h"
#include "course/tree_builder.h"
#include "text/lower_case.h"

namespace cudalabs::course {
using sandbox::Fd;

Interest interest_in(const std::vector<std::string>& path) {
  constexpr std::array<std::string_view, 8> kSources = {".cu", ".cuh", ".cpp", ".cc", ".cxx", ".c", ".cu.txt", ".txt"};
  const std::string name = lower(path.back());
  if (!archive_stem(name).empty()) return Interest::archive;
  if (name == kGradescopeMetadata) return Interest::metadata;
  return std::ranges::any_of(kSources, [&](std::string_view end) { return name.ends_with(end); }) ? Interest::source
                                                                                                  : Interest::none;
}

std::uint64_t most_bytes(Interest interest, const TreeLimits& limits) {
  return interest == Interest::source ? builder::kMostSourceBytes : limits.packed_bytes;
}

void TreeBuilder::count_entry() {
  if (++entries_ > limits_.entries) throw TreeError(fmt::format("more than {} files and folders", limits_.entries));
}

void TreeBuilder::count_bytes(std::uint64_t bytes) {
  bytes_ += bytes;
  if (bytes_ > limits_.bytes) throw TreeError(fmt::format("more than {} MiB, unpacked", limits_.bytes >> 20));
}

void TreeBuilder::keep(TreeFile file) {
  kept_ += file.bytes.size();
  if (kept_ > limits_.kept_bytes) throw TreeError(fmt::format("more than {} MiB of source", limits_.kept_bytes >> 20));
  file.kept = true;
  tree_.files.push_back(std::move(file));
}

void TreeBuilder::refuse(std::vector<std::string> path, std::string reason) {
  tree_.refused.push_back({std::move(path), std::move(reason)});
}

void TreeBuilder::go_back(const Mark& mark) {
  tree_.files.resize(mark.files);
  tree_.refused.resize(mark.refused);
  kept_ = mark.kept;
}

void TreeBuilder::look_for_clone(const std::vector<std::string>& path) {
  const auto git = std::ranges::find(path, ".git");
  if (git == path.end()) return;
  std::vector<std::string> folder(path.begin(), git);
  if (std::ranges::find(tree_.clones, folder) == tree_.clones.end()) tree_.clones.push_back(std::move(folder));
}

SourceTree read_source_tree(const std::filesystem::path& path, const TreeLimits& limits) {
  TreeBuilder builder(limits);
  Fd file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status {};
  if (!file || fstat(file.get(), &status) != 0)
    throw TreeError(fmt::format("{}: {}", path.string(), std::strerror(errno)));
  try {
    if (S_ISDIR(status.st_mode)) {
      add_folder(builder, std::move(file), {});
    } else if (S_ISREG(status.st_mode)) {
      add_archive(builder, file, static_cast<std::uint64_t>(status.st_size));
    } else {
      throw TreeError("this is neither a folder nor an archive");
    }
  } catch (const TreeError& error) {
    throw TreeError(fmt::format("{}: {}", path.string(), error.what()));
  }
  return std::move(builder.tree());
}

}  // namespace cudalabs::course
