// `vgpu run`: a program on the virtual GPU, what was found in it, and in which files and with which exit code that is
// said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sanitizer/checks.h"
#include "sanitizer/run_report.h"
#include "sanitizer/suppressions.h"
#include "vgpu/cudart/server/serve.h"
#include "vgpu/cudart/server_report.h"

namespace cudalabs::sanitizer {

enum class Color : std::uint8_t { automatic, always, never };

struct RunCommand {
  std::vector<std::string> command;  // program and arguments
  Checks checks = Checks::all();
  int error_exit_code = 1;          // of a run that failed where the program has ended with 0
  std::size_t most_findings = 100;  // that are shown as text; 0: all
  Color color = Color::automatic;
  std::optional<std::filesystem::path> log;  // for the text, in place of standard error; `%p` is the process's number
  std::optional<std::filesystem::path> json, sarif, html;
  std::optional<std::filesystem::path> suppressions;        // read
  std::optional<std::filesystem::path> write_suppressions;  // for what was found
  vgpu::ServeOptions serve;                                 // connection, report and what is checked are set here
};

/// Returns the program's exit code (128 + signal when it was killed), or error_exit_code. Throws std::runtime_error
/// when the program cannot be started, or a file not be read or written.
int run(const RunCommand& command);

/// What the server saw, as a report: filtered by what was asked for, in order, with what its author should know.
/// `suppressions` are those of the command.
RunReport report_of(const RunCommand& command, int exit_code, vgpu::ServerReport seen,
                    std::span<const Suppression> suppressions);

/// "out.%p" with the number; "%%" is a percent sign.
std::string log_name(std::string_view pattern, int process);

}  // namespace cudalabs::sanitizer
