// Coverage as an lcov tracefile.
#include <fmt/format.h>

#include <cctype>
#include <iterator>

#include "report/kernel_coverage.h"

namespace cudalabs {
namespace {

/// Test names hold letters, digits and underscores only.
std::string test_name(std::string name) {
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

/// One line of a tracefile: a path with a line end in it would begin another record.
std::string path_text(std::string path) {
  for (char& c : path) {
    if (c == '\n' || c == '\r') c = '?';
  }
  return path;
}

std::string taken(const vgpu::BranchCount& branch, const vgpu::BranchSide& side) {
  // A condition that was never evaluated is told from one that never went this way.
  if (branch.next.threads == 0 && branch.other.threads == 0) return "-";
  return std::to_string(side.threads);
}

void add_branches(std::string& out, const vgpu::BranchCoverage& branches, const std::string& file) {
  std::size_t found = 0, hit = 0, on_line = 0;
  std::uint32_t line = 0;
  for (const vgpu::BranchCount& branch : branches) {
    if (branch.where.file != file) continue;
    on_line = branch.where.line == line ? on_line + 1 : 0;
    line = branch.where.line;
    fmt::format_to(std::back_inserter(out), "BRDA:{0},{1},0,{2}\nBRDA:{0},{1},1,{3}\n", line, on_line,
                   taken(branch, branch.next), taken(branch, branch.other));
    found += 2;
    hit += (branch.next.threads != 0) + (branch.other.threads != 0);
  }
  fmt::format_to(std::back_inserter(out), "BRF:{}\nBRH:{}\n", found, hit);
}

}  // namespace

std::string render_lcov(const KernelCoverage& coverage, const std::string& test) {
  std::string out = fmt::format("TN:{}\n", test_name(test));
  for (const auto& [file, lines] : coverage.lines) {
    out += fmt::format("SF:{}\n", path_text(file));
    add_branches(out, coverage.branches, file);
    std::size_t hit = 0;
    for (const auto& [line, threads] : lines) {
      fmt::format_to(std::back_inserter(out), "DA:{},{}\n", line, threads);
      hit += threads != 0;
    }
    fmt::format_to(std::back_inserter(out), "LF:{}\nLH:{}\nend_of_record\n", lines.size(), hit);
  }
  return out;
}

}  // namespace cudalabs
