// Writes the tracefile and lets genhtml make pages of it.
#include "cli/coverage_files.h"

#include <fmt/format.h>

#include "cli/run_tool.h"
#include "report/printable.h"
#include "report/write_file.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

/// genhtml reads the sources by the names in the tracefile, wherever it is started.
KernelCoverage with_absolute_paths(const KernelCoverage& coverage) {
  KernelCoverage absolute;
  absolute.cases = coverage.cases;
  absolute.branches = coverage.branches;
  for (const auto& [file, lines] : coverage.lines)
    absolute.lines[fs::absolute(file).lexically_normal().string()] = lines;
  for (auto& branch : absolute.branches)
    branch.where.file = fs::absolute(branch.where.file).lexically_normal().string();
  return absolute;
}

}  // namespace

std::string write_coverage(const KernelCoverage& coverage, const std::string& lab, const fs::path& folder) {
  if (coverage.lines.empty()) return {};
  const fs::path tracefile = folder / "kernel.info", pages = folder / "html";
  write_file(tracefile, render_lcov(with_absolute_paths(coverage), lab));
  const ToolRun genhtml =
      run_tool({"genhtml", "--quiet", "--branch-coverage", "--no-function-coverage", "--legend", "--title",
                lab + " kernel", "--output-directory", pages.string(), tracefile.string()});
  if (genhtml.status == ToolRun::kNotInstalled) {
    return fmt::format(
        "wrote {0}; pages need genhtml, which is not installed: sudo apt-get install lcov, then\n"
        "  genhtml --branch-coverage --output-directory {1} {0}\n",
        tracefile.string(), pages.string());
  }
  if (genhtml.status != 0) {
    return fmt::format("wrote {}; genhtml could make no pages of it: {}\n", tracefile.string(),
                       printable_line(genhtml.errors));
  }
  return fmt::format("wrote {} and {}\n", tracefile.string(), (pages / "index.html").string());
}

}  // namespace cudalabs
