// Kernels in PTX whose statements have lines of a source, and what the virtual GPU finds in them, by line.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "vgpu/virtual_gpu.h"

namespace cudalabs::vgpu::test {

/// Statements by line of the source.
using Lines = std::map<int, std::string>;

inline Lines without(Lines lines, int line) {
  lines.erase(line);
  return lines;
}

inline Lines with(Lines lines, int line, const std::string& statement) {
  lines[line] = statement;
  return lines;
}

/// The kernel that begins like this, up to its first statement.
inline std::string kernel_of(std::string head, const Lines& lines) {
  for (const auto& [line, statement] : lines) head += "  .loc 1 " + std::to_string(line) + " 1\n  " + statement + "\n";
  return head + "  ret;\n}\n";
}

inline VirtualGpuOptions as_h200() {
  VirtualGpuOptions options;
  options.model = device_model("h200");
  return options;
}

/// Of one launch, and words that it left in memory.
struct Outcome {
  std::vector<Finding> findings;
  std::vector<std::uint32_t> words;

  /// Takes `count` words from `address`; a kernel that was refused is a failure of the test.
  static Outcome of(VirtualGpu& gpu, DeviceAddress address, std::size_t count) {
    for (const ptx::Refusal& refusal : gpu.refusals()) FAIL_CHECK(ptx::describe(refusal));
    Outcome outcome{gpu.findings(), std::vector<std::uint32_t>(count)};
    REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(outcome.words)), address));
    return outcome;
  }

  /// "id@line, id@line", of errors.
  std::string brief() const {
    std::string text;
    for (const Finding& finding : findings) {
      if (finding.severity != Severity::error) continue;
      text += (text.empty() ? "" : ", ") + finding.id + "@" + std::to_string(finding.where.line);
    }
    return text;
  }

  const Finding& first(const std::string& id) const {
    const auto found = std::ranges::find(findings, id, &Finding::id);
    REQUIRE(found != findings.end());
    return *found;
  }

  const Finding& at(const std::string& id, std::uint32_t line) const {
    const auto found = std::ranges::find_if(
        findings, [&](const Finding& finding) { return finding.id == id && finding.where.line == line; });
    REQUIRE(found != findings.end());
    return *found;
  }
};

}  // namespace cudalabs::vgpu::test
