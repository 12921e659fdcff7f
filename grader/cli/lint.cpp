// `grade lint`: are the labs whole, and does every sample submission get what it must?
#include "cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "build/builder.h"
#include "check/catch_session.h"
#include "cli/exit_code.h"
#include "cli/progress.h"
#include "cli/project.h"
#include "cli/show.h"
#include "cli/usage_error.h"
#include "grading/grading.h"
#include "lint/lab_tables.h"
#include "lint/nearest_right.h"
#include "lint/programs.h"
#include "lint/sample_grading.h"
#include "lint/sample_table.h"
#include "lint/structure.h"
#include "report/write_file.h"
#include "run/run.h"
#include "sandbox/machine_speed.h"
#include "sandbox/sandbox.h"
#include "score/rubric.h"
#include "text/file_text.h"
#include "vgpu/usable_processors.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

std::vector<Lab> labs_of(const LintCommand& command) {
  if (command.lab) return {load_lab(*command.lab)};
  std::vector<Lab> labs;
  const fs::path root = project_root();
  for (const fs::path& folder : find_labs(root / "labs")) labs.push_back(read_lab(folder, root / "solutions"));
  return labs;
}

/// The front ends that were asked for; by default all that are installed.
std::vector<std::string> frontends_of(const LintCommand& command) {
  std::vector<std::string> found;
  for (const auto& [frontend, choice] :
       {std::pair{Frontend::clang, FrontendChoice::clang}, std::pair{Frontend::nvcc, FrontendChoice::nvcc}}) {
    if (command.frontend != FrontendChoice::automatic && command.frontend != choice) continue;
    if (find_toolchain(frontend)) found.emplace_back(name_of(frontend));
  }
  if (found.empty()) throw UsageError("the front end is not installed; see the table of packages in README.md");
  return found;
}

/// What the samples of the labs before `lab` cover when only representatives are graded.
std::set<std::string> covered_before(const Lab& lab) {
  std::set<std::string> covered;
  const fs::path root = project_root();
  for (const fs::path& folder : find_labs(root / "labs")) {
    const Lab other = read_lab(folder, root / "solutions");
    if (other.id == lab.id) break;
    std::vector<lint::Sample> samples = lint::samples_of(other);
    lint::keep_representatives(samples, covered);
  }
  return covered;
}

std::vector<lint::Sample> samples_for(const LintCommand& command, const Lab& lab) {
  std::vector<lint::Sample> samples = lint::samples_of(lab);
  if (command.ladder == LadderChoice::last) lint::keep_last_step(samples);
  if (command.ladder == LadderChoice::none)
    std::erase_if(samples, [](const auto& s) { return s.kind == lint::SampleKind::ladder; });
  // Each is followed by an honest grading, and some take as long as a grading may: only where they are asked for.
  const bool attacked = std::ranges::any_of(
      command.only, [](const std::string& text) { return text.find("hostile") != std::string::npos; });
  if (!attacked) std::erase_if(samples, [](const auto& s) { return s.kind == lint::SampleKind::hostile; });
  if (command.brief) {
    std::set<std::string> covered = covered_before(lab);
    lint::keep_representatives(samples, covered);
    lint::keep_device_codes(samples);
  }
  return samples;
}

/// What every grading would find out again about this machine, once.
void prepare(const LintCommand& command) {
  if (command.sandbox) {
    const auto tier = static_cast<sandbox::Tier>(*command.sandbox - 'A');
    if (const std::string problem = sandbox::choose_tier(tier); !problem.empty())
      throw UsageError(fmt::format("--sandbox {}: {}", *command.sandbox, problem));
  }
  sandbox_tier();
  sandbox::slowness_of_machine();
}

/// What `grade LAB --submission FILE --json FILE` does.
int grade_for(const LintCommand& command, const lint::Order& order) {
  sandbox::allow_more_time(order.more_time);
  GradeCommand grading;
  grading.target.lab = order.lab;
  grading.target.submission = order.submission;
  grading.target.device = command.device;
  grading.target.frontend = order.frontend == name_of(Frontend::nvcc) ? FrontendChoice::nvcc : FrontendChoice::clang;
  grading.seed = command.seed;
  grading.tries_patches = false;  // what a submission's own finding says is what is proved
  if (!order.report.empty()) grading.json = order.report;
  return run_command(grading);
}

/// A file beside labs/ and solutions/, and the table that it must have.
struct TableOfFile {
  fs::path file;
  std::string table;
};

/// Of all labs together; without files that are not there: what students get has none of solutions/. A lab whose
/// samples do not say what they expect has none here: structure_faults() names them.
std::vector<TableOfFile> tables_of_all(const std::vector<Lab>& labs) {
  std::vector<TableOfFile> tables = {{project_root() / "README.md", lint::table_of_labs(labs)}};
  std::vector<std::pair<Lab, std::vector<lint::Sample>>> samples;
  for (const Lab& lab : labs) {
    try {
      samples.emplace_back(lab, lint::samples_of(lab));
    } catch (const LabError&) {
      continue;
    }
  }
  tables.push_back({project_root() / "solutions" / "README.md", lint::table_of_samples(samples)});
  std::erase_if(tables, [](const TableOfFile& table) { return !fs::exists(table.file); });
  return tables;
}

/// Makes the tables that follow from lab.toml and from the samples, and says which files changed.
void write_tables(const LintCommand& command, const std::vector<Lab>& labs) {
  const auto write = [](const fs::path& file, const std::string& table) {
    if (lint::write_table(file, table)) show(fmt::format("wrote {}\n", file.string()));
  };
  for (const Lab& lab : labs) write(lab.folder / "README.md", lint::points_table(lab));
  if (command.lab) return;
  for (const TableOfFile& table : tables_of_all(labs)) write(table.file, table.table);
}

std::vector<std::string> faults_of_tables(const std::vector<Lab>& labs) {
  std::vector<std::string> faults;
  for (const TableOfFile& table : tables_of_all(labs)) {
    for (const std::string& sentence : lint::differences(text_of(table.file), table.table))
      faults.push_back(fmt::format("{}: {}; `grade lint --write` writes it", table.file.string(), sentence));
  }
  return faults;
}

struct Tally {
  std::size_t as_expected = 0, all = 0;
  std::string text() const { return all == 0 ? "-" : fmt::format("{}/{}", as_expected, all); }
};

Tally tally(const std::vector<lint::SampleResult>& results, const Lab& lab, lint::SampleKind kind) {
  Tally tally;
  for (const lint::SampleResult& result : results) {
    if (result.lab != lab.id || result.sample.kind != kind) continue;
    ++tally.all;
    if (result.objection.empty()) ++tally.as_expected;
  }
  return tally;
}

constexpr const char* kRow = "{:<8}{:>8}{:>8}{:>10}{:>10}{:>13}{:>9}{:>9}{:>9}{:>9}\n";

std::string row_of(const Lab& lab, const std::vector<lint::SampleResult>& results) {
  using enum lint::SampleKind;
  const auto cell = [&](lint::SampleKind kind) { return tally(results, lab, kind).text(); };
  double seconds = 0;
  for (const lint::SampleResult& result : results) {
    if (result.lab == lab.id) seconds += result.seconds;
  }
  return fmt::format(kRow, lab.id, lab.max_points(), lab.cases.size(), cell(skeleton), cell(solution),
                     cell(alternative), cell(wrong), cell(ladder), cell(hostile), fmt::format("{:.0f} s", seconds));
}

/// The shares of reports that say the cause first and that fit a screen.
std::string screens_of(const std::vector<lint::SampleResult>& results) {
  Tally first, screen;
  for (const lint::SampleResult& result : results) {
    if (result.rows == 0) continue;  // no report
    ++screen.all;
    screen.as_expected += result.fits_screen() ? 1 : 0;
    if (!result.sample.first) continue;
    ++first.all;
    first.as_expected += result.first.empty() ? 1 : 0;
  }
  return fmt::format("first finding is the cause: {} of {}; one screen: {} of {}\n", first.as_expected, first.all,
                     screen.as_expected, screen.all);
}

std::string likeness_of(const std::vector<Lab>& labs) {
  lint::PlacesOfWrong counts;
  for (const Lab& lab : labs) lint::count_places(counts, lint::samples_of(lab));
  return lint::described(counts);
}

/// What became of each hostile submission; empty where there was none.
std::string attacks_of(const std::vector<lint::SampleResult>& results) {
  constexpr const char* kAttack = "{:<40}{:<7}{:<3}{:>8}{:>8}{:>8}  {}\n";
  std::string table;
  for (const lint::SampleResult& result : results) {
    if (result.sample.kind != lint::SampleKind::hostile) continue;
    if (table.empty()) table = fmt::format(kAttack, "attack", "by", "in", "points", "s", "CPU s", "verdict");
    table += fmt::format(kAttack, result.sample.file.stem().string(), result.frontend, result.tier.substr(0, 1),
                         result.points, fmt::format("{:.1f}", result.seconds),
                         fmt::format("{:.1f}", result.processor_seconds),
                         result.verdict + (result.objection.empty() ? "" : "  NOT AS EXPECTED"));
  }
  return table;
}

/// The samples that used more processor time than a student's grading has; empty where there are none.
std::string long_times_of(const std::vector<lint::SampleResult>& results) {
  std::string list;
  for (const lint::SampleResult& result : results) {
    if (result.long_time.empty()) continue;
    list += fmt::format("  {} ({}): {}\n", result.sample.file.string(), result.frontend, result.long_time);
  }
  return list.empty()
             ? list
             : "samples that took long (other work on this machine adds to it; --judge-time judges it):\n" + list;
}

/// Says what is not as expected as soon as it is known, and keeps what is known in a file: all of it may take long.
class Listening {
 public:
  explicit Listening(const std::optional<fs::path>& json) : json_(json) {}

  void hear(const lint::SampleResult& result) {
    if (!result.objection.empty()) {
      ++unmet_;
      show(fmt::format("{} ({})\n  expected: {}\n  got:      {}\n", result.sample.file.string(), result.frontend,
                       lint::describe(result.sample.expected), result.objection));
    }
    all_.push_back(lint::to_json(result));
    if (json_) write_file(*json_, all_.dump(1) + "\n");
  }
  std::size_t unmet() const { return unmet_; }

 private:
  std::optional<fs::path> json_;
  nlohmann::ordered_json all_ = nlohmann::ordered_json::array();
  std::size_t unmet_ = 0;
};

}  // namespace

int run_command(const LintCommand& command) {
  using Clock = std::chrono::steady_clock;
  const std::vector<Lab> labs = labs_of(command);
  for (const Lab& lab : labs) register_asked_checks(lab);
  std::vector<std::string> faults = rubric_faults(labs, registered_tests());
  if (command.lab) {  // the test cases of other labs have no rubric here
    std::erase_if(faults, [&](const std::string& fault) { return fault.find(labs[0].id) == std::string::npos; });
  }
  if (command.write) write_tables(command, labs);
  if (!command.lab) std::ranges::move(faults_of_tables(labs), std::back_inserter(faults));
  std::vector<std::string> to_do;
  for (const Lab& lab : labs) {
    std::ranges::move(lint::structure_faults(lab), std::back_inserter(faults));
    std::ranges::move(lint::left_to_do(lab), std::back_inserter(to_do));
  }
  for (const std::string& fault : faults) show(fault + "\n");
  for (const std::string& place : to_do) show("to do: " + place + "\n");
  const bool whole = faults.empty() && to_do.empty();
  if (!command.grade) return whole ? kFullMarks : kFellShort;

  prepare(command);
  if (command.only.empty()) std::ranges::for_each(labs, prepare_gradings);
  lint::GradingPlan plan{.grade = [&](const lint::Order& order) { return grade_for(command, order); },
                         .frontends = frontends_of(command),
                         .device = std::string(name_of(command.device)),
                         .jobs = command.jobs.value_or(vgpu::usable_processors()),
                         .judges_time = command.judges_time,
                         .only = command.only,
                         .cache = command.cache.value_or(fs::path())};
  std::vector<lint::LabSamples> samples;
  samples.reserve(labs.size());
  for (const Lab& lab : labs)
    samples.push_back({lab.id, lab.solution_folder / lab.contract.source, samples_for(command, lab)});
  Listening listening(command.json);
  const auto start = Clock::now();
  const std::vector<lint::SampleResult> results = [&] {
    Progress progress;
    return lint::grade_samples(samples, plan,
                               {.say = [&](const std::string& text) { progress.say(text); },
                                .finished = [&](const lint::SampleResult& result) { listening.hear(result); }});
  }();
  std::string table = fmt::format(kRow, "lab", "points", "cases", "skeleton", "solution", "alternative", "wrong",
                                  "ladder", "hostile", "in all");
  for (const Lab& lab : labs) table += row_of(lab, results);
  show(attacks_of(results));
  show(table + fmt::format("{} gradings by {} in {:.0f} s, {} at a time; {} not as expected; {} faults in the labs' "
                           "files\n",
                           results.size(), fmt::join(plan.frontends, " and "),
                           std::chrono::duration<double>(Clock::now() - start).count(), plan.jobs, listening.unmet(),
                           faults.size()));
  if (command.device == DeviceChoice::virtual_gpu) show(screens_of(results));
  if (!command.judges_time) show(long_times_of(results));
  if (command.only.empty()) show(likeness_of(labs));
  if (results.empty())
    throw UsageError(fmt::format("no sample submission has `{}` in its path", fmt::join(plan.only, "` or `")));
  return whole && listening.unmet() == 0 ? kFullMarks : kFellShort;
}

}  // namespace cudalabs
