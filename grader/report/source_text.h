// Source lines for findings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

class SourceText {
 public:
  virtual ~SourceText() = default;
  /// Line `line` (from 1) of `file`, without its end; empty when there is none.
  virtual std::string line(std::string_view file, std::uint32_t line) const = 0;
};

/// The lines of files that were added, and of no others: a finding's file name comes from the submission, which may
/// name any file of this machine in a `#line` directive.
class FileSources : public SourceText {
 public:
  /// Makes the lines of `file` known under `name`. A file that cannot be read, is no regular file or is larger than
  /// 4 MiB has no lines.
  void add(const std::string& name, const std::filesystem::path& file);

  /// The same with text that was read before.
  void add_text(const std::string& name, const std::string& text);

  std::string line(std::string_view file, std::uint32_t line) const override;

  /// The number of lines that are known of `file`; 0 for a file that was not added.
  std::size_t line_count(std::string_view file) const;

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> lines_;
};

}  // namespace cudalabs
