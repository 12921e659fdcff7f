// Where the grader's own helper programs, libraries and data are: beside an installed grader, or where the build has
// them. No path of the machine that compiled it is part of a program.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace cudalabs::sandbox {

/// Of one program: what belongs to it, found from where it lies.
class OwnFiles {
 public:
  /// `program` (absolute, links followed) is `<prefix>/bin/NAME` of an installed grader, which has
  /// `<prefix>/lib/cudalabs`, or a program in that folder; or a list of paths, "NAME<tab>PATH" a line, lies beside it
  /// or in a folder above it. Such a list counts only when it belongs to the owner of the program: programs that it
  /// names are started. Its relative paths start from its folder.
  explicit OwnFiles(std::filesystem::path program);

  /// Of an installed grader.
  const std::optional<std::filesystem::path>& prefix() const { return prefix_; }

  /// `<prefix>/lib/cudalabs/NAME`, or what the list has for NAME. Throws std::runtime_error where there is neither.
  std::filesystem::path file(std::string_view name) const;

  /// Whether the installation has such a file, or the list names one, which need not be built yet.
  bool has(std::string_view name) const;

  /// What holds labs/ and, for instructors, solutions/: `<prefix>/share/cudalabs`, or what the list has for "root".
  std::filesystem::path data() const;

 private:
  std::optional<std::filesystem::path> in_list(std::string_view name) const;
  std::filesystem::path listed(std::string_view name) const;

  std::filesystem::path program_;
  std::optional<std::filesystem::path> prefix_;
  std::filesystem::path list_;  // empty: none
};

/// Of the running program.
const OwnFiles& own_files();

/// Whether any user of this machine may execute the file `path` (absolute, links followed): its own mode and that of
/// every folder above it say so. False when one of them cannot be asked.
bool everyone_may_execute(const std::filesystem::path& path);

}  // namespace cudalabs::sandbox
