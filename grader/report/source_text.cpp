// Source lines for findings.
#include "report/source_text.h"

#include <fstream>
#include <sstream>
#include <system_error>

namespace cudalabs {
namespace {

constexpr std::uintmax_t kLargestSource = 4u << 20;

/// A line end may have two characters, as editors on Windows write it; neither is part of the line.
std::vector<std::string> lines_of(std::istream& stream) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

void FileSources::add(const std::string& name, const std::filesystem::path& file) {
  std::vector<std::string>& lines = lines_[name];
  lines.clear();
  std::error_code error;
  // Files of the kernel say that they are empty; reading them may wait for ever.
  const std::uintmax_t size =
      std::filesystem::is_regular_file(file, error) ? std::filesystem::file_size(file, error) : 0;
  if (error || size == 0 || size > kLargestSource) return;
  std::ifstream stream(file);
  lines = lines_of(stream);
}

void FileSources::add_text(const std::string& name, const std::string& text) {
  std::istringstream stream(text);
  lines_[name] = lines_of(stream);
}

std::string FileSources::line(std::string_view file, std::uint32_t line) const {
  const auto found = lines_.find(file);
  if (found == lines_.end() || line == 0 || line > found->second.size()) return {};
  return found->second[line - 1];
}

std::size_t FileSources::line_count(std::string_view file) const {
  const auto found = lines_.find(file);
  return found == lines_.end() ? 0 : found->second.size();
}

}  // namespace cudalabs
