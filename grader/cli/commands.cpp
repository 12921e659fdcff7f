// The commands of `grade`.
#include "cli/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include "build/builder.h"
#include "cli/best_scores.h"
#include "cli/exit_code.h"
#include "cli/graded.h"
#include "cli/hints.h"
#include "cli/image.h"
#include "cli/invocation.h"
#include "cli/next_steps.h"
#include "cli/overview.h"
#include "cli/project.h"
#include "cli/repository_paths.h"
#include "cli/requested_artifacts.h"
#include "cli/show.h"
#include "cli/single_run.h"
#include "cli/sources.h"
#include "cli/start.h"
#include "cli/usage_error.h"
#include "datasets/write_case.h"
#include "grading/toolchain_choice.h"
#include "lab/lab.h"
#include "lab/new_lab.h"
#include "report/console_style.h"
#include "report/diagnostic.h"
#include "report/printable.h"
#include "report/report.h"
#include "report/write_file.h"
#include "sandbox/sandbox.h"

namespace cudalabs {
namespace {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw std::runtime_error("cannot read " + path.string());
  return std::move(text).str();
}

void require_known(const std::string& check, const Lab& lab) {
  if (std::ranges::find(lab.checks, check, &Check::id) != lab.checks.end()) return;
  std::vector<std::string> known;
  for (const Check& each : lab.checks) known.push_back(each.id);
  throw UsageError(fmt::format("--check {}: {} has no such check; it has {}", check, lab.id, fmt::join(known, ", ")));
}

/// A whole grading that a person at a terminal has asked for; not what tests and other programs have graded.
void remember(const GradeCommand& command, const Report& report) {
  if (command.target.solution || !command.catch_arguments.empty() || isatty(STDOUT_FILENO) != 1) return;
  if (exit_code_of(report) == kInternalError) return;
  note_score(progress_file(), report.lab, {report.points, report.max});
}

std::string shown_of(const Report& report, const GradeCommand& command, const SourceText& sources,
                     const SourcePaths& paths) {
  if (command.format == OutputFormat::github) return render_github(report, paths);
  if (command.format == OutputFormat::gcc) return render_gcc(report);
  const Excerpt& excerpt = command.excerpt;
  const TerminalStyle style = console_style(STDOUT_FILENO);
  if (excerpt.all) return render_terminal(report, sources, style);
  if (excerpt.check) return render_check(report, *excerpt.check, sources, style);
  if (!excerpt.finding) return render_screen(report, sources, style);
  const std::string text = render_finding_of(report, *excerpt.finding, sources, style);
  if (!text.empty()) return text;
  return report.findings.empty() ? "there is no finding\n"
                                 : fmt::format("there is no finding {}: the last is finding {}\n", *excerpt.finding,
                                               report.findings.size());
}

}  // namespace

int run_command(const GradeCommand& command) {
  if (command.sandbox) {
    const auto tier = static_cast<sandbox::Tier>(*command.sandbox - 'A');
    if (const std::string problem = sandbox::choose_tier(tier); !problem.empty()) {
      throw UsageError(fmt::format("--sandbox {}: {}", *command.sandbox, problem));
    }
  }
  const Lab lab = load_lab(command.target.lab);
  const Submission submission = find_submission(command.target, lab);
  if (command.image) {
    if (!command.catch_arguments.empty())
      throw UsageError("arguments after -- go to Catch2, which --image does not use");
    return grade_image(command, lab, submission);
  }
  if (command.case_name) return grade_case(command, lab, submission);
  if (command.excerpt.check) require_known(*command.excerpt.check, lab);
  RequestedArtifacts artifacts(command, lab, submission);
  const Report report = graded(command, lab, submission, &artifacts);
  const FileSources sources = sources_of(lab, submission);
  const SourcePaths paths = repository_paths(lab, submission);
  show(shown_of(report, command, sources, paths));
  // What a tool reads on standard output is for the tool alone.
  const std::string shown_artifacts = artifacts.show(sources, console_style(STDOUT_FILENO));
  std::fputs(shown_artifacts.c_str(), command.format == OutputFormat::text ? stdout : stderr);
  if (command.html) write_file(*command.html, artifacts.page(report, sources));
  if (command.sarif) write_file(*command.sarif, render_sarif(report, sources, paths));
  remember(command, report);
  if (command.json) write_file(*command.json, render_json(report));
  if (command.junit) write_file(*command.junit, render_junit(report));
  return exit_code_of(report);
}

int run_command(const BuildCommand& command) {
  const Lab lab = load_lab(command.target.lab);
  const Submission submission = find_submission(command.target, lab);
  const Toolchain toolchain = choose_toolchain(command.target.frontend);
  const BuildResult result = build({.program = &lab,
                                    .source = submission.source,
                                    .beneath = submission.beneath,
                                    .text = submission.text,
                                    .frontend = toolchain.frontend,
                                    .kind = BuildKind::checked},
                                   toolchain);
  show(printable(result.diagnostics));
  if (result.ok) {
    show(fmt::format("{} compiles; now: {} {}{}\n", submission.source.string(), invocation().typed, lab.id,
                     words_of(command.target)));
    return kFullMarks;
  }
  const FileSources sources = sources_of(lab, submission);
  std::set<std::string> told;
  for (const Finding& finding : result.findings) {
    // What the compiler said stands above, better than the report could say it again.
    if (result.diagnostics.find(finding.message) == std::string::npos) {
      show(render_finding(finding, sources, console_style(STDOUT_FILENO)));
    } else if (!finding.help.empty() && told.insert(finding.help).second) {
      show(fmt::format("help: {}\n", printable(finding.help)));
    }
  }
  show(fmt::format("{} does not compile\n", submission.source.string()));
  return kFellShort;
}

int run_command(const ListCommand&) {
  const std::filesystem::path root = project_root();
  for (const auto& folder : find_labs(root / "labs")) {
    const Lab lab = read_lab(folder, root / "solutions");
    show(fmt::format("{:<8}{:<32}{}\n", lab.id, lab.title, lab.slug));
  }
  return kFullMarks;
}

int run_command(const StartCommand& command) {
  const Lab lab = load_lab(command.lab);
  const std::filesystem::path skeleton = copy_skeleton(lab, command.out).front();
  show(fmt::format("what to do: {}\n", (lab.folder / "README.md").string()));
  // Its name alone is enough where an installed grader is started.
  const bool found = invocation().installed && command.out == ".";
  show(fmt::format("edit {}, then: {} {}{}\n", skeleton.lexically_normal().string(), invocation().typed, lab.id,
                   found ? "" : " --submission " + typed_word(skeleton.lexically_normal().string())));
  return kFullMarks;
}

int run_command(const DatasetCommand& command) {
  const Lab lab = load_lab(command.lab);
  const datasets::Generator generate = datasets::generator_for(lab.generator);
  if (generate == nullptr) throw std::runtime_error("no data generator is called " + lab.generator);
  unsigned number = 0;
  for (const datasets::CaseSpec& spec : lab.cases) {
    const datasets::Case test = generate(spec, command.seed.value_or(lab.seed));
    show(datasets::write_case(test, command.out, ++number).string() + "\n");
  }
  return kFullMarks;
}

int run_command(const OverviewCommand&) {
  const std::filesystem::path root = project_root();
  std::vector<OverviewLab> labs;
  for (const auto& folder : find_labs(root / "labs")) {
    const Lab lab = read_lab(folder, root / "solutions");
    labs.push_back({lab.id, lab.title, lab.slug, lab.contract.source});
  }
  show(render_overview(labs, read_best_scores(progress_file()), console_style(STDOUT_FILENO)));
  return kFullMarks;
}

int run_command(const HintCommand& command) {
  const Lab lab = load_lab(command.target.lab);
  const std::string hints = read_text(lab.folder / "hints.md");
  const unsigned levels = hint_levels(hints);
  if (command.level < 1 || command.level > levels) {
    throw UsageError(fmt::format("{} has hints of level 1 to {}", lab.id, levels));
  }
  std::string check = command.check.value_or("");
  if (command.check) {
    require_known(check, lab);
  } else {
    GradeCommand grade;
    grade.target = command.target;
    grade.tries_patches = false;
    check = check_to_fix(graded(grade, lab, find_submission(command.target, lab)));
    if (check.empty()) {
      show(fmt::format("Nothing fails in {}: there is no hint to give.\n", lab.id));
      return kFullMarks;
    }
  }
  const auto named = std::ranges::find(lab.checks, check, &Check::id);
  const TerminalStyle style = console_style(STDOUT_FILENO);
  show(plain_text(fmt::format("{}, {}: {}\n\n", lab.id, check, named->title), style.width));
  std::string hint = hint_for(hints, check, command.level);
  if (hint.empty())
    hint = fmt::format("There is no hint of level {} for this check. {}.\n", command.level, named->help);
  show(plain_text(hint, style.width));
  for (unsigned level = command.level + 1; level <= levels; ++level) {
    if (hint_for(hints, check, level).empty()) continue;
    show(fmt::format("\nStill stuck? {} hint {} {}{}{}\n", invocation().typed, lab.id, level,
                     command.check ? " --check " + *command.check : "", words_of(command.target)));
    break;
  }
  return kFullMarks;
}

int run_command(const NewLabCommand& command) {
  try {
    for (const std::filesystem::path& file : write_new_lab(project_root(), command.slug)) show(file.string() + "\n");
  } catch (const LabError& error) {
    throw UsageError(error.what());
  }
  show(fmt::format("\nThe lab works; now make it yours. Every {} says what there is to do:\n", kTodo));
  show(fmt::format("    ./grade lint {} --no-grading     what is left to do, and what does not agree\n", command.slug));
  show(
      fmt::format("    ./grade lint {} --write          the points table in README.md, from lab.toml\n", command.slug));
  show(fmt::format("    ./grade lint {}                  grades the solution and every sample\n", command.slug));
  return kFullMarks;
}

int run_command(const PrintCommand& command) {
  show(command.text);
  return kFullMarks;
}

}  // namespace cudalabs
