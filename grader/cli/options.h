// The command line of `grade` as data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/further_commands.h"
#include "grading/request.h"

namespace cudalabs {

std::string_view name_of(DeviceChoice choice);  // "auto", as on the command line
std::string_view name_of(FrontendChoice choice);

/// Which lab, and which submission for it.
struct Target {
  std::string lab;                                  // as given: an id or a folder's name
  std::optional<std::filesystem::path> submission;  // a file, or a folder that holds one; none: the lab's own folder
  bool solution = false;                            // the reference solution instead
  DeviceChoice device = DeviceChoice::automatic;
  FrontendChoice frontend = FrontendChoice::automatic;
};

/// How much of a report the terminal shows.
struct Excerpt {
  bool all = false;                    // everything
  std::optional<std::string> check;    // one check, by its id
  std::optional<std::size_t> finding;  // one finding, by its number from 1; none of the three: what fits one screen
};

/// What standard output is for: a person, the log of GitHub Actions, or a tool that reads a compiler's messages.
enum class OutputFormat : std::uint8_t { text, github, gcc };

struct GradeCommand {
  Target target;
  Excerpt excerpt;
  OutputFormat format = OutputFormat::text;
  std::optional<char> sandbox;  // tier 'A' to 'D'; none: the strongest there is
  std::optional<std::uint64_t> seed;
  std::optional<std::filesystem::path> json, junit, sarif, html;
  std::optional<std::filesystem::path> coverage;  // a folder for the coverage of the kernel
  std::optional<std::filesystem::path> pictures;  // a folder for inputs, outputs and maps of wrong pixels
  std::optional<std::filesystem::path> image;     // a picture of one's own instead of the lab's cases
  std::optional<std::string> case_name;           // one case instead of all, without points
  std::optional<std::filesystem::path> explain;   // a file for the accesses of a warp; empty: named after the lab
  bool tries_patches = true;                      // small changes of a wrong text, where nothing tells what to change
  std::vector<std::string> catch_arguments;
};
/// Grades again on every save.
struct WatchCommand {
  GradeCommand grade;
};
struct BuildCommand {
  Target target;
};
struct ListCommand {};
/// The files to work on, copied.
struct StartCommand {
  std::string lab;
  std::filesystem::path out = ".";
};
/// Nothing was typed: how far the student has come.
struct OverviewCommand {};
struct DatasetCommand {
  std::string lab;
  std::filesystem::path out;
  std::optional<std::uint64_t> seed;
};
struct HintCommand {
  Target target;
  unsigned level = 1;                // from 1
  std::optional<std::string> check;  // the check that the hint is for; none: the first that fails, so that it grades
};
/// Which steps of each ladder are graded. The last step uses most of what those before it bring in.
enum class LadderChoice { all, last, none };
/// Are the labs whole, and do their sample submissions get what they must?
struct LintCommand {
  std::optional<std::string> lab;                       // none: all
  FrontendChoice frontend = FrontendChoice::automatic;  // automatic: every one that is installed
  DeviceChoice device = DeviceChoice::virtual_gpu;
  std::optional<char> sandbox;                 // as of GradeCommand
  std::optional<std::uint64_t> seed;           // of the generated data; none: each lab's
  std::optional<unsigned> jobs;                // gradings at a time; none: one a core
  std::vector<std::string> only;               // samples with one of these in their paths; none: all
  std::optional<std::filesystem::path> json;   // what was graded, and how it went
  bool judges_time = false;                    // a sample must not use more processor time than a student's grading has
  bool brief = false;                          // of the wrong ones, one for each finding and each check
  std::optional<std::filesystem::path> cache;  // keeps what samples were compiled to; none: it is made anew
  LadderChoice ladder = LadderChoice::all;
  bool grade = true;   // else the files are looked at only
  bool write = false;  // tables that follow from labs are written anew first
};
/// Writes the files of a lab that is to be.
struct NewLabCommand {
  std::string slug;
};
/// The text of --help or --version.
struct PrintCommand {
  std::string text;
};

using Command = std::variant<GradeCommand, OverviewCommand, BuildCommand, ListCommand, StartCommand, DatasetCommand,
                             HintCommand, LintCommand, NewLabCommand, PrintCommand, WatchCommand>;

/// Throws UsageError for what it does not understand. `arguments` without the program's name; `further` are listed by
/// --help, and parsed elsewhere.
Command parse_command_line(const std::vector<std::string>& arguments, std::span<const FurtherCommand> further = {});

}  // namespace cudalabs
