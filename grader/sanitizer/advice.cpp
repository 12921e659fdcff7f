// What the author of a program should do so that it is checked, and checked well.
#include "sanitizer/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "vgpu/check/finding_table.h"

namespace cudalabs::sanitizer {
namespace {

constexpr std::string_view kRuntime = "libcudart.so";
constexpr std::string_view kOwnRuntime = "libcudart.so.13";

/// Why no call of the program reached the virtual GPU.
std::string without_calls(const std::string& program, const std::optional<std::vector<std::string>>& needed) {
  const std::string start =
      fmt::format("`{}` made no CUDA call that reached the virtual GPU, so nothing was checked", program);
  if (!needed) return start + ": start the CUDA program itself, not a script";
  const auto runtime = std::ranges::find_if(*needed, [](const auto& name) { return name.starts_with(kRuntime); });
  if (runtime == needed->end()) {
    return start +
           ": it does not need `libcudart.so`, because nvcc links the CUDA runtime statically unless it is told "
           "not to. Link it with `nvcc -cudart shared`";
  }
  if (*runtime != kOwnRuntime) {
    return start +
           fmt::format(": it needs `{}`, and the virtual GPU has `{}`. Compile it with CUDA 13", *runtime, kOwnRuntime);
  }
  return start;
}

bool has_race(const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings, [](const Finding& finding) { return is_of(finding.id, FindingGroup::races); });
}

}  // namespace

std::vector<std::string> what_was_not_checked(const std::string& program, const vgpu::ServerReport& seen,
                                              const std::optional<std::vector<std::string>>& needed) {
  std::vector<std::string> reasons;
  if (!seen.protocol_error.empty())
    reasons.push_back(fmt::format("`{}` broke the protocol of the virtual GPU: {}", program, seen.protocol_error));
  if (!seen.internal_error.empty())
    reasons.push_back(fmt::format("the virtual GPU itself failed: {}", seen.internal_error));
  if (!seen.exhausted.empty()) reasons.push_back(seen.exhausted);
  for (const std::string& text : seen.module_errors)
    reasons.push_back(fmt::format("device code cannot be loaded: {}", text));
  reasons.insert(reasons.end(), seen.not_executed.begin(), seen.not_executed.end());
  if (seen.interrupted) reasons.push_back(fmt::format("a kernel was still running when `{}` ended", program));
  if (seen.call_count == 0) reasons.push_back(without_calls(program, needed));
  return reasons;
}

std::vector<std::string> how_to_compile(const vgpu::ServerReport& seen, const Checks& checks) {
  std::vector<std::string> ways;
  const auto without_line = [&](bool of_kernel) {
    return std::ranges::any_of(seen.findings, [&](const Finding& finding) {
      return finding.kernel.empty() != of_kernel && !finding.where.known();
    });
  };
  if (without_line(true))
    ways.emplace_back(
        "findings in kernels have no lines: compile with `nvcc -lineinfo`, or `clang++ -gline-tables-only`");
  if (without_line(false)) ways.emplace_back("findings in host code have no lines: compile with `-g`");
  if (seen.optimised && seen.launch_count > 0 && checks.has(Check::race) && !has_race(seen.findings)) {
    ways.emplace_back(
        "no race was found, and the device code is optimised: the compiler may have removed accesses, and races with "
        "them. To be sure compile with `nvcc -G`");
  }
  return ways;
}

}  // namespace cudalabs::sanitizer
