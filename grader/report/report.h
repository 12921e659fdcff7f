// One Report; every renderer is a pure function of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab.h"
#include "report/finding_words.h"
#include "report/source_paths.h"
#include "report/terminal_style.h"
#include "speed/speed_result.h"
#include "vgpu/finding.h"

namespace cudalabs {

enum class CheckStatus : std::uint8_t { passed, failed, skipped, error };
std::string_view name_of(CheckStatus status);

/// The message of a check that nobody asked for.
inline constexpr std::string_view kNotSelected = "not selected";

struct CheckResult {
  std::string id, title;
  Category category = Category::correctness;
  double points = 0, max = 0;
  CheckStatus status = CheckStatus::error;
  std::string message;  // why it failed or was skipped; several lines; of one that passed: what it did not see
  std::string help;
  std::vector<std::size_t> because = {};  // numbers of the findings, from 1, that explain why it did not pass

  bool operator==(const CheckResult&) const = default;
};

struct Report {
  std::string lab;  // "lab3"
  std::string title;
  std::string submission;  // path as the user gave it
  std::string device;      // "virtual (NVIDIA T4)" or the GPU's name
  std::string frontend;    // "clang 14.0.6"
  std::string sandbox;     // tier
  std::uint64_t seed = 0;
  double points = 0, max = 0;
  std::vector<CheckResult> checks;
  std::vector<SpeedResult> speed;  // what stands behind the checks of category speed
  std::vector<Finding> findings;   // in the order in which they are to be fixed
  std::string first_check;         // to be fixed before all findings; empty: none, or the first finding is first
  std::string build_output;        // compiler diagnostics, verbatim
  std::string console;             // what the submission printed, cut
  std::map<std::string, std::uint64_t> counters;
  std::map<std::string, double> timings;  // seconds by stage: "build", "run", "kernels", "total"
  std::vector<std::string> next_steps;    // what to do now, a sentence or a command each
};

/// Gives the text of source lines for findings. Passed in so that the renderers stay pure.
class SourceText;

// All text in a report may come from a submission: every renderer makes it harmless for its format.

/// All there is.
std::string render_terminal(const Report& report, const SourceText& sources, const TerminalStyle& style);

/// The rows of a screen less one for the prompt.
constexpr std::size_t kScreenRows = 23;

/// At most kScreenRows rows from 80 columns on: what to fix first with its place, its reason and its cure, the other
/// checks in a line each, and what comes next. Of a submission that does not compile all that the compiler said,
/// however long it is.
std::string render_screen(const Report& report, const SourceText& sources, const TerminalStyle& style);

/// One check with all the findings because of which it did not pass; empty where the lab has no check `id`.
std::string render_check(const Report& report, std::string_view id, const SourceText& sources,
                         const TerminalStyle& style);

/// The finding with this number, from 1; empty where there are fewer.
std::string render_finding_of(const Report& report, std::size_t number, const SourceText& sources,
                              const TerminalStyle& style);

std::string render_json(const Report& report);  // version 1, see the README
std::string render_junit(const Report& report);

/// SARIF 2.1.0. Places are relative to the top of the repository, by `paths`; lines are quoted from `sources`.
std::string render_sarif(const Report& report, const SourceText& sources, const SourcePaths& paths);

/// A workflow command of GitHub Actions for each finding, for each failed check that no finding explains, and for the
/// points: marks beside the lines of a change.
std::string render_github(const Report& report, const SourcePaths& paths);

/// The same as compilers print it, `file:line:column: error: message [id]`, files as the user gave them: for what marks
/// the lines that a compiler complains of. The last line says the points.
std::string render_gcc(const Report& report);

}  // namespace cudalabs
