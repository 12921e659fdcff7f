// The name of a file in a folder or an archive that comes from a student.
#include "course/entry_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "report/printable.h"
#include "text/lower_case.h"

namespace cudalabs::course {
namespace {

constexpr std::size_t kLongestPart = 255, kLongestPath = 4096, kDeepest = 32;

EntryPath refuse(std::string problem) {
  return {{}, std::move(problem)};
}

}  // namespace

EntryPath parse_entry_path(std::string_view path) {
  if (path.size() > kLongestPath) return refuse(fmt::format("its path is longer than {} bytes", kLongestPath));
  const bool drive = path.size() >= 2 && path[1] == ':' && std::isalpha(static_cast<unsigned char>(path[0])) != 0;
  if (path.starts_with('/') || path.starts_with('\\') || drive) return refuse("its path is absolute");
  EntryPath parsed;
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find_first_of("/\\"));
    path.remove_prefix(std::min(part.size() + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == "..") return refuse("its path leads out of its folder");
    if (part.size() > kLongestPart) return refuse(fmt::format("its name is longer than {} bytes", kLongestPart));
    if (std::ranges::any_of(part, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
      return refuse("its name has control characters in it");
    parsed.parts.push_back(printable_line(part));
  }
  if (parsed.parts.empty()) return refuse("it has no name");
  if (parsed.parts.size() > kDeepest) return refuse(fmt::format("it lies more than {} folders deep", kDeepest));
  return parsed;
}

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, "/"));
}

bool is_left_by_a_tool(const std::vector<std::string>& parts) {
  constexpr std::array<std::string_view, 9> kFolders = {".git",  ".svn",         ".hg",        "__MACOSX", ".vscode",
                                                        ".idea", "node_modules", "CMakeFiles", ".github"};
  constexpr std::array<std::string_view, 3> kFiles = {".DS_Store", "Thumbs.db", "desktop.ini"};
  const bool in_folder =
      std::ranges::any_of(parts, [&](const auto& part) { return std::ranges::find(kFolders, part) != kFolders.end(); });
  return in_folder || std::ranges::find(kFiles, parts.back()) != kFiles.end() || parts.back().starts_with("._");
}

std::string archive_stem(std::string_view name) {
  constexpr std::array<std::string_view, 9> kEnds = {".zip",     ".tar.gz", ".tgz", ".tar.xz", ".txz",
                                                     ".tar.zst", ".tzst",   ".tar", ".tar.bz2"};
  const std::string small = lower(name);
  for (const std::string_view end : kEnds) {
    if (small.ends_with(end) && small.size() > end.size()) return std::string(name.substr(0, name.size() - end.size()));
  }
  return "";
}

}  // namespace cudalabs::course
