// The command line of `grade class` as data.
#include "course_cli/class_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/choices.h"
#include "cli/usage_error.h"
#include "lab/nearest.h"

namespace cudalabs {
namespace {

class Parser {
 public:
  Parser() : app_("Grades what a whole class has handed in.", "grade class") {
    app_.set_help_flag("-h,--help", "Print this help and exit");
    app_.add_option("lab", grade_.lab, "The lab: its id, its folder's name, or all")->type_name("LAB|all");
    app_.add_option("submissions", grade_.submissions,
                    "A folder, zip or tar as Moodle, Canvas, Gradescope or GitHub Classroom hands it out")
        ->type_name("SUBMISSIONS");
    app_.add_option("--out", grade_.out, "The folder for results and pages")->type_name("DIR");
    app_.add_option("--roster", grade_.roster, "Who is in the class: id,name,email,section,...")->type_name("FILE.csv");
    app_.add_option("--jobs", grade_.jobs,
                    "Gradings at a time (default: one a core, two where a lab's cases run one by one)")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
    app_.add_option("--seed", grade_.seed, "Seed of the generated data (default: the lab's)")
        ->check(CLI::NonNegativeNumber)
        ->type_name("N");
    add_choice(app_, "--device", grade_.device, kDevices, "Where kernels run: the virtual GPU, or a real one");
    add_choice(app_, "--frontend", grade_.frontend, kFrontends, "The compiler of device code");
    add_sandbox(app_, grade_.sandbox);
    app_.add_option("--regrade", grade_.regrade, "Grade again though there is a verdict: a lab, a student, or all")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("LAB|STUDENT,...");
    app_.add_flag("!--no-pages", grade_.pages, "Write no pages");
    app_.add_flag("!--no-patches", grade_.tries_patches,
                  "Try no small changes of a wrong submission, to tell which one makes it right");
    // A flag that takes a value only behind "=": a word that follows is the lab.
    app_.add_flag("--slurm", slurm_, "Grade by jobs of a Slurm cluster; --slurm=\"OPTIONS\" gives sbatch options");
    app_.add_option("--shards", grade_.shards, "With --slurm: so many jobs (default: one for 20 submissions)")
        ->check(CLI::Range(1, 1000))
        ->type_name("N");
    app_.add_flag("--similar", grade_.similar, "Then compare the submissions with each other, as `similar` does");

    missing_app_ = app_.add_subcommand("missing", "List who has handed in nothing");
    missing_app_->add_option("lab", missing_.lab, "The lab")->required()->type_name("LAB");
    add_out(*missing_app_, missing_.out);

    adjust_app_ = app_.add_subcommand("adjust", "Give or take points by hand, with a reason");
    adjust_app_->add_option("lab", adjust_.lab, "The lab")->required()->type_name("LAB");
    adjust_app_->add_option("student", adjust_.student, "The student's id")->required()->type_name("STUDENT");
    adjust_app_->add_option("--points", adjust_.points, "To add; below zero: to take")->required()->type_name("N");
    adjust_app_->add_option("--reason", adjust_.reason, "What the student is told")->required()->type_name("TEXT");
    add_out(*adjust_app_, adjust_.out);

    diff_app_ = app_.add_subcommand("diff", "Who has other points than before, and why");
    diff_app_->add_option("old", diff_.before, "The folder of a class graded before")->required()->type_name("OLD");
    diff_app_
        ->add_option("new", diff_.after,
                     "The folder of the class graded now; without it, two runs kept in OLD are compared")
        ->type_name("NEW");
    diff_app_
        ->add_option("--runs", diff_.runs,
                     "These two runs; `runs` lists them (default: the last, and the one before it)")
        ->delimiter(',')
        ->expected(2)
        ->type_name("OLD,NEW");

    runs_app_ = app_.add_subcommand("runs", "List the runs that graded, for diff");
    add_out(*runs_app_, runs_.out);

    export_app_ = app_.add_subcommand("export", "Grades for Canvas, Moodle, nbgrader or a spreadsheet");
    export_app_->add_option("format", export_.format, "Where they go")
        ->required()
        ->check(CLI::IsMember(std::vector<std::string>{"canvas", "moodle", "nbgrader", "csv"}))
        ->type_name("canvas|moodle|nbgrader|csv");
    add_out(*export_app_, export_.out);
    export_app_->add_option("--lab", export_.lab, "This lab alone; Moodle needs one, if the class has several")
        ->type_name("LAB");
    export_app_->add_option("--from", export_.from, "The gradebook or worksheet as it was downloaded (Canvas, Moodle)")
        ->type_name("FILE.csv");
    export_app_->add_option("--to", export_.to, "The file to write (default: standard output)")->type_name("FILE.csv");
    export_app_->add_flag("--missing-zero", export_.missing_is_zero,
                          "0 for a student without a submission, not an empty cell");

    pages_app_ = app_.add_subcommand("pages", "Write the pages again");
    add_out(*pages_app_, pages_.out);

    similar_app_ = app_.add_subcommand("similar", "Who has handed in what is alike: evidence, no verdict");
    similar_app_->add_option("lab", similar_.lab, "The lab")->required()->type_name("LAB");
    add_out(*similar_app_, similar_.out);
    similar_app_->add_option("--jobs", similar_.jobs, "Files at a time (default: one a core)")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");

    collect_app_ = app_.add_subcommand("collect", "Take in what jobs of --slurm have graded; their last job does that");
    add_out(*collect_app_, collect_.out);
    shard_app_ = app_.add_subcommand("shard", "What the jobs of --slurm run")->group("");
    shard_app_->add_option("folder", shard_.folder, "The folder of the jobs")->required()->type_name("DIR");
    shard_app_->add_flag("!--no-patches", shard_.tries_patches, "As of grade class");
    // Last, as commands take over the words that are there when they are made.
    app_.footer(
        "A second run with the same DIR grades only what is missing.\n"
        "Exit code: 0 everything handed in has a verdict, 1 some of it needs a person, 2 usage, 3 the grader itself "
        "failed.");
    app_.require_subcommand(0, 1);
  }

  ClassCommand parse(std::vector<std::string> arguments) {
    std::ranges::reverse(arguments);  // as CLI11 takes them
    try {
      app_.parse(arguments);
    } catch (const CLI::CallForHelp&) {
      return ClassHelpCommand{app_.help()};
    } catch (const CLI::ParseError& error) {
      throw UsageError(std::string(error.what()) + "; grade class --help lists commands and options");
    }
    if (missing_app_->parsed()) return missing_;
    if (adjust_app_->parsed()) return adjust_;
    if (diff_app_->parsed()) {
      if (!diff_.runs.empty() && !diff_.after.empty())
        throw UsageError("--runs compares runs of one folder: leave NEW out");
      return diff_;
    }
    if (runs_app_->parsed()) return runs_;
    if (export_app_->parsed()) return export_;
    if (pages_app_->parsed()) return pages_;
    if (similar_app_->parsed()) return similar_;
    if (collect_app_->parsed()) return collect_;
    if (shard_app_->parsed()) return shard_;
    if (grade_.submissions.empty() && !grade_.lab.empty() && !grade_.lab.starts_with("lab") && grade_.lab != "all")
      throw UsageError(fmt::format("`{}` is no command of grade class, and no lab{}", grade_.lab,
                                   suggestion(grade_.lab, command_names())));
    if (grade_.lab.empty() || grade_.submissions.empty() || grade_.out.empty())
      throw UsageError("grade class LAB SUBMISSIONS --out DIR grades a class; grade class --help says more");
    if (!slurm_.empty()) grade_.slurm = slurm_ == "true" ? std::string() : slurm_;
    if (grade_.shards && !grade_.slurm) throw UsageError("--shards belongs to --slurm");
    if (grade_.similar && grade_.slurm)
      throw UsageError(
          "--similar compares here, not on the cluster: grade class similar LAB --out DIR does that later");
    return grade_;
  }

 private:
  std::vector<std::string> command_names() {
    std::vector<std::string> names;
    for (const CLI::App* command :
         app_.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); }))
      names.push_back(command->get_name());
    return names;
  }

  static void add_out(CLI::App& app, std::filesystem::path& out) {
    app.add_option("--out", out, "The folder of the class")->required()->type_name("DIR");
  }

  ClassGradeCommand grade_;
  ClassMissingCommand missing_;
  ClassAdjustCommand adjust_;
  ClassDiffCommand diff_;
  ClassRunsCommand runs_;
  ClassExportCommand export_;
  ClassPagesCommand pages_;
  ClassSimilarCommand similar_;
  ClassCollectCommand collect_;
  ClassShardCommand shard_;
  std::string slurm_;
  CLI::App app_;
  CLI::App *adjust_app_ = nullptr, *diff_app_ = nullptr, *runs_app_ = nullptr, *export_app_ = nullptr,
           *pages_app_ = nullptr, *similar_app_ = nullptr, *collect_app_ = nullptr, *shard_app_ = nullptr,
           *missing_app_ = nullptr;
};

}  // namespace

ClassCommand parse_class_command(const std::vector<std::string>& arguments) {
  return Parser().parse(arguments);
}

}  // namespace cudalabs
