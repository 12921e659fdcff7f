// One run of a program under `vgpu run`: what was found, what was not looked at, and what would make findings better.
// Renderers are functions of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/kernel_coverage.h"
#include "report/source_paths.h"
#include "report/source_text.h"
#include "report/terminal_style.h"
#include "sanitizer/suppressions.h"
#include "vgpu/finding.h"

namespace cudalabs::sanitizer {

struct RunReport {
  std::vector<std::string> command;  // the program as it was called, and its arguments
  int exit_code = 0;                 // the program's own
  std::string device;                // the GPU that was stood for: "NVIDIA T4"
  std::string checks;                // what was looked for: "memory, race"
  std::vector<Finding> findings;     // in the order in which they are to be fixed
  std::vector<Finding> others;       // that have the cause of one of these, whose note tells of them
  std::vector<SuppressedFinding> suppressed;
  std::vector<std::string> failures;  // why the program, or a part of it, was not checked; sentences
  std::vector<std::string> remarks;   // what else its author should know; sentences
  std::uint64_t launches = 0;
  double kernel_seconds = 0;  // wall time
  KernelCoverage coverage;

  /// Those that are told, then the others.
  std::vector<Finding> all_findings() const;

  /// Whether a run that has ended with 0 is still no success: an error was found, or something was not checked.
  bool failed() const;
};

/// For a terminal or a log: the first `most` findings, the rest as a number (0: all of them); failures, remarks, and
/// one line that counts. Ends with a line end.
std::string render_text(const RunReport& report, const SourceText& sources, const TerminalStyle& style,
                        std::size_t most);

/// SARIF 2.1.0, with all findings, and with suppressed findings marked as such. Paths as `paths` has them.
std::string render_sarif(const RunReport& report, const SourceText& sources, const SourcePaths& paths);

/// A page for a browser that needs no other file, no network and no script. `files` are shown whole.
std::string render_page(const RunReport& report, const FileSources& sources, const std::vector<std::string>& files);

}  // namespace cudalabs::sanitizer
