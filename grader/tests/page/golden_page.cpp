// Pages, held against files in golden/, and kept for the browser that looks at them.
#include "golden_page.h"

#include <filesystem>
#include <fstream>

#include "golden.h"
#include "tree/tree_paths.h"

namespace cudalabs::test {
namespace {

/// `html` without what is between `begin` and `end`.
std::string without(std::string html, const std::string& begin, const std::string& end) {
  const std::size_t from = html.find(begin);
  const std::size_t to = from == std::string::npos ? from : html.find(end, from + begin.size());
  return to == std::string::npos ? html : html.erase(from + begin.size(), to - from - begin.size());
}

}  // namespace

void check_golden_page(const std::string& file, const std::string& html) {
  const std::filesystem::path folder = build_path("pages");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / file) << html;
  check_golden(file, without(without(html, "<style>", "</style>"), "style-src 'sha256-", "'"));
}

}  // namespace cudalabs::test
