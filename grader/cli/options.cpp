// The command line of `grade` as data.
#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/choices.h"
#include "cli/invocation.h"
#include "cli/usage_error.h"

#ifndef CUDALABS_VERSION
#error "the build defines CUDALABS_VERSION"
#endif

namespace cudalabs {
namespace {

void add_target(CLI::App& app, Target& target) {
  auto* submission =
      app.add_option("--submission", target.submission, "The file to grade, or the folder it is in")->type_name("PATH");
  app.add_flag("--solution", target.solution, "Grade the reference solution")->excludes(submission);
  add_choice(app, "--device", target.device, kDevices, "Where kernels run: the virtual GPU, or a real one");
  add_choice(app, "--frontend", target.frontend, kFrontends, "The compiler of device code");
}

/// All that the command line can fill in; the parsed subcommand says which part counts.
struct Parsed {
  GradeCommand grade;
  BuildCommand build;
  StartCommand start;
  DatasetCommand dataset;
  HintCommand hint;
  LintCommand lint;
  NewLabCommand new_lab;
  WatchCommand watch;
};

class Parser {
 public:
  explicit Parser(std::span<const FurtherCommand> further)
      : app_("Grades CUDA lecture exercises, with or without a GPU.", invocation().name) {
    app_.set_version_flag("--version", invocation().name + " " CUDALABS_VERSION);
    app_.set_help_flag("-h,--help", "Print this help and exit");
    app_.footer("Arguments after -- go to Catch2: " + invocation().name +
                " lab3 -- [edges]\n"
                "Exit code: 0 full marks, 1 the submission fell short, 2 usage, 3 the grader itself failed.");
    app_.add_option("lab", parsed_.grade.target.lab, "The lab: its id (lab3) or its folder's name")->type_name("LAB");
    add_target(app_, parsed_.grade.target);
    add_seed(app_, parsed_.grade.seed);
    add_sandbox(app_, parsed_.grade.sandbox);
    auto* json = app_.add_option("--json", parsed_.grade.json, "Also write the report as JSON")->type_name("FILE");
    auto* junit =
        app_.add_option("--junit", parsed_.grade.junit, "Also write the report as JUnit XML")->type_name("FILE");
    auto* sarif = app_.add_option("--sarif", parsed_.grade.sarif,
                                  "Also write the findings as SARIF 2.1.0, for editors and code scanning")
                      ->type_name("FILE");
    auto* html = app_.add_option("--html", parsed_.grade.html,
                                 "Also write a page for a browser: findings at their lines, coverage, pictures, speed")
                     ->type_name("FILE");
    for (CLI::Option* file : {json, junit, sarif, html}) file->check(&objection_to_file);

    auto* all = app_.add_flag("--all", parsed_.grade.excerpt.all, "Show the whole report, not only what fits a screen");
    auto* check =
        app_.add_option("--check", parsed_.grade.excerpt.check, "Show one check, and the findings it failed for")
            ->type_name("ID")
            ->excludes(all);
    auto* finding = app_.add_option("--finding", parsed_.grade.excerpt.finding, "Show one finding, by its number")
                        ->check(CLI::PositiveNumber)
                        ->type_name("N")
                        ->excludes(all, check);

    auto* format = add_choice(app_, "--format", parsed_.grade.format, kOutputFormats,
                              "What to print: the report, annotations for GitHub Actions, or lines as gcc prints them")
                       ->excludes(all, check, finding);

    app_.add_flag_callback(
        "--no-patches", [this] { parsed_.grade.tries_patches = false; },
        "Do not look for a small change with which a wrong submission passes: some seconds less");
    auto* coverage =
        app_.add_option("--coverage", parsed_.grade.coverage,
                        "Also show which lines and conditions of the kernel the cases tried; lcov files go into DIR")
            ->type_name("DIR");
    auto* explain =
        app_.add_option_function<std::vector<std::string>>(
                "--explain",
                [this](const std::vector<std::string>& file) {
                  parsed_.grade.explain = file.empty() ? "" : file.front();
                },
                "Also show how a warp of the kernel accesses memory; drawn into FILE.svg (default: LAB-access.svg)")
            ->expected(0, 1)
            ->type_name("[FILE.svg]");
    auto* pictures =
        app_.add_option(
                "--pictures", parsed_.grade.pictures,
                "Also write what went into each case, what came out and where it is wrong as PNG files into DIR")
            ->type_name("DIR");
    auto* image = app_.add_option("--image", parsed_.grade.image,
                                  "Instead of grading: run on a picture of your own (labs that work on pictures)")
                      ->excludes(json, junit, sarif, html, format, coverage, explain, all, check, finding)
                      ->type_name("FILE.png");
    app_.add_option("--case", parsed_.grade.case_name, "Instead of grading: run one case, and show all that it prints")
        ->excludes(image, pictures, json, junit, sarif, html, format, coverage, explain, all, check, finding)
        ->type_name("NAME");

    build_ = app_.add_subcommand("build", "Compile a submission and show what the compiler says");
    add_lab(*build_, parsed_.build.target.lab);
    add_target(*build_, parsed_.build.target);
    list_ = app_.add_subcommand("list", "List the labs");
    start_ = app_.add_subcommand("start", "Copy a lab's skeleton and header into a folder, to work on");
    add_lab(*start_, parsed_.start.lab);
    start_->add_option("--out", parsed_.start.out, "The folder to write into (default: this one)")->type_name("DIR");
    dataset_ = app_.add_subcommand("dataset", "Write the generated cases as .npy files");
    add_lab(*dataset_, parsed_.dataset.lab);
    dataset_->add_option("--out", parsed_.dataset.out, "The folder to write into")->required()->type_name("DIR");
    add_seed(*dataset_, parsed_.dataset.seed);
    hint_ = app_.add_subcommand("hint", "Print a hint for the first check that fails; a higher level says more");
    add_lab(*hint_, parsed_.hint.target.lab);
    add_target(*hint_, parsed_.hint.target);
    hint_->add_option("--check", parsed_.hint.check, "For this check, without grading")->type_name("ID");
    hint_->add_option("level", parsed_.hint.level, "1, 2, ... (default: 1)")->type_name("LEVEL");
    watch_ = app_.add_subcommand("watch", "Grade again on every save; Ctrl-C ends");
    add_lab(*watch_, parsed_.watch.grade.target.lab);
    add_target(*watch_, parsed_.watch.grade.target);
    add_seed(*watch_, parsed_.watch.grade.seed);
    lint_ = app_.add_subcommand("lint", "Prove that labs are whole and their sample submissions get what they must");
    lint_->add_option("lab", parsed_.lint.lab, "The lab (default: all)")->type_name("LAB");
    add_choice(*lint_, "--frontend", parsed_.lint.frontend, kFrontends, "The compiler (default: all there are)");
    add_choice(*lint_, "--device", parsed_.lint.device, kDevices,
               "Where kernels run (default: virtual; cuda: on the virtual GPU and on the real one)");
    add_sandbox(*lint_, parsed_.lint.sandbox);
    add_seed(*lint_, parsed_.lint.seed, "Seed of the generated data (default: each lab's)");
    lint_->add_option("--json", parsed_.lint.json, "Write what was graded, and how it went")
        ->check(&objection_to_file)
        ->type_name("FILE");
    lint_->add_option("--jobs", parsed_.lint.jobs, "Gradings at a time (default: one a core)")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
    lint_->add_option("--only", parsed_.lint.only, "Only samples with this in their paths, or one of several texts")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("TEXT,...");
    lint_->add_flag("--judge-time", parsed_.lint.judges_time,
                    "A sample with more processor time than a student's grading has is not as expected; for a machine "
                    "that does nothing else");
    lint_->add_flag(
        "--brief", parsed_.lint.brief,
        "Of the wrong ones, one for each finding of all labs and each check of a lab; of the right ones, one for "
        "each device code");
    lint_->add_option("--cache", parsed_.lint.cache, "Keep what samples are compiled to for the next time in DIR")
        ->envname("CUDALABS_LINT_CACHE")
        ->type_name("DIR");
    add_choice(*lint_, "--ladder", parsed_.lint.ladder, kLadders, "The steps of ladders to grade (default: all)");
    lint_->add_flag("!--no-grading", parsed_.lint.grade, "Look at the files only");
    lint_->add_flag("--write", parsed_.lint.write, "Write the tables of points, labs and samples anew");
    new_lab_ = app_.add_subcommand("new-lab", "Write the files of a new lab: a small one that works, to be changed");
    new_lab_->add_option("slug", parsed_.new_lab.slug, "The lab's folder: its id, _ and a name, such as lab7_saxpy")
        ->required()
        ->type_name("SLUG");
    for (const FurtherCommand& each : further) app_.add_subcommand(each.name, each.description);
  }

  Command parse(std::vector<std::string> arguments, std::vector<std::string> catch_arguments) {
    const bool nothing = arguments.empty() && catch_arguments.empty();
    std::ranges::reverse(arguments);  // as CLI11 takes them
    try {
      app_.parse(arguments);
    } catch (const CLI::CallForHelp&) {
      return PrintCommand{help()};
    } catch (const CLI::CallForVersion& version) {
      return PrintCommand{std::string(version.what()) + "\n"};
    } catch (const CLI::ParseError& error) {
      throw UsageError(std::string(error.what()) + "; " + invocation().name + " --help lists commands and options");
    }
    if (!catch_arguments.empty() && !app_.get_subcommands().empty()) {
      throw UsageError("arguments after -- go to Catch2, which only grading uses");
    }
    if (build_->parsed()) return parsed_.build;
    if (list_->parsed()) return ListCommand{};
    if (start_->parsed()) return parsed_.start;
    if (dataset_->parsed()) return parsed_.dataset;
    if (hint_->parsed()) return parsed_.hint;
    if (lint_->parsed()) return parsed_.lint;
    if (new_lab_->parsed()) return parsed_.new_lab;
    if (watch_->parsed()) return parsed_.watch;
    if (nothing) return OverviewCommand{};
    if (parsed_.grade.target.lab.empty()) {
      const std::string& name = invocation().name;
      throw UsageError("which lab? " + name + " list names them; " + name + " lab3 grades one");
    }
    parsed_.grade.catch_arguments = std::move(catch_arguments);
    return parsed_.grade;
  }

 private:
  static void add_lab(CLI::App& app, std::string& lab) {
    app.add_option("lab", lab, "The lab: its id (lab3) or its folder's name")->required()->type_name("LAB");
  }

  std::string help() const {
    for (const CLI::App* command : app_.get_subcommands()) return command->help();
    return app_.help();
  }

  Parsed parsed_;
  CLI::App app_;
  CLI::App *build_ = nullptr, *list_ = nullptr, *start_ = nullptr, *dataset_ = nullptr, *hint_ = nullptr,
           *lint_ = nullptr, *new_lab_ = nullptr, *watch_ = nullptr;
};

}  // namespace

std::string_view name_of(DeviceChoice choice) {
  return std::ranges::find(kDevices, choice, [](const auto& known) { return known.second; })->first;
}

std::string_view name_of(FrontendChoice choice) {
  return std::ranges::find(kFrontends, choice, [](const auto& known) { return known.second; })->first;
}

Command parse_command_line(const std::vector<std::string>& arguments, std::span<const FurtherCommand> further) {
  // CLI11 would take what follows -- for the lab's name.
  const auto separator = std::ranges::find(arguments, "--");
  std::vector<std::string> catch_arguments;
  if (separator != arguments.end()) catch_arguments.assign(separator + 1, arguments.end());
  std::vector<std::string> words(arguments.begin(), separator);
  // "grade help", and "grade help build"
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  return Parser(further).parse(std::move(words), std::move(catch_arguments));
}

}  // namespace cudalabs
