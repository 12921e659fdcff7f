// Source lines for findings.
#include "report/source_text.h"

#include <fstream>
#include <system_error>

namespace cudalabs {
namespace {

constexpr std::uintmax_t kLargestSource = 4u << 20;

}  // namespace

void FileSources::add(const std::string& name, const std::filesystem::path& file) {
  std::vector<std::string>& lines = lines_[name];
  lines.clear();
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error) || std::filesystem::file_size(file, error) > kLargestSource)
    return;
  std::ifstream stream(file);
  for (std::string text; std::getline(stream, text);) lines.push_back(std::move(text));
}

std::string FileSources::line(std::string_view file, std::uint32_t line) const {
  const auto found = lines_.find(file);
  if (found == lines_.end() || line == 0 || line > found->second.size()) return {};
  return found->second[line - 1];
}

}  // namespace cudalabs
