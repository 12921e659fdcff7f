// The command line of `grade class` as data.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "grading/request.h"

namespace cudalabs {

/// Grades what is missing of a class.
struct ClassGradeCommand {
  std::string lab;  // an id, a folder's name, or "all"
  std::filesystem::path submissions, out;
  std::optional<std::filesystem::path> roster;
  std::optional<unsigned> jobs;  // gradings at a time; none: one a core
  std::optional<std::uint64_t> seed;
  DeviceChoice device = DeviceChoice::automatic;
  FrontendChoice frontend = FrontendChoice::automatic;
  std::optional<char> sandbox;
  std::vector<std::string> regrade;  // labs and students; "all"
  bool pages = true;
  bool tries_patches = true;         // small changes of a wrong text, where nothing tells what to change
  bool similar = false;              // compare the submissions, too
  std::optional<std::string> slurm;  // grade on a cluster, with these options for its jobs
  std::optional<unsigned> shards;    // jobs; none: by the number of submissions
};
/// What a job of a cluster runs: one shard.
struct ClassShardCommand {
  std::filesystem::path folder;
  bool tries_patches = true;
};
/// Takes in what jobs of a cluster have graded.
struct ClassCollectCommand {
  std::filesystem::path out;
};
/// Says who has handed in what is alike.
struct ClassSimilarCommand {
  std::filesystem::path out;
  std::string lab;
  std::optional<unsigned> jobs;  // files at a time; none: one a core
};
/// Lists who has handed in nothing.
struct ClassMissingCommand {
  std::filesystem::path out;
  std::string lab;
};
/// Gives or takes points by hand.
struct ClassAdjustCommand {
  std::filesystem::path out;
  std::string lab, student, reason;
  double points = 0;
};
/// What has become different between two classes graded, or between two runs of one.
struct ClassDiffCommand {
  std::filesystem::path before, after;  // no `after`: runs of one
  std::vector<std::int64_t> runs;       // two; none: the last, and what was before it
};
/// Lists the runs that are kept.
struct ClassRunsCommand {
  std::filesystem::path out;
};
/// Grades for a learning management system or a spreadsheet.
struct ClassExportCommand {
  std::string format;  // "canvas", "moodle", "nbgrader", "csv"
  std::filesystem::path out;
  std::optional<std::string> lab;             // Moodle's worksheets are one an assignment
  std::optional<std::filesystem::path> from;  // the file as the system has it now
  std::optional<std::filesystem::path> to;    // none: standard output
  bool missing_is_zero = false;
};
/// Writes the pages again.
struct ClassPagesCommand {
  std::filesystem::path out;
};
struct ClassHelpCommand {
  std::string text;
};

using ClassCommand = std::variant<ClassGradeCommand, ClassMissingCommand, ClassAdjustCommand, ClassDiffCommand,
                                  ClassRunsCommand, ClassExportCommand, ClassPagesCommand, ClassSimilarCommand,
                                  ClassShardCommand, ClassCollectCommand, ClassHelpCommand>;

/// Throws UsageError for what it does not understand. `arguments` begin behind `class`.
ClassCommand parse_class_command(const std::vector<std::string>& arguments);

}  // namespace cudalabs
