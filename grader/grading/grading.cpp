#include "grading/grading.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "build/own_headers.h"
#include "check/catch_session.h"
#include "check/cause_order.h"
#include "check/merge.h"
#include "check/submission_run.h"
#include "explain/explain.h"
#include "explain/open_todo.h"
#include "explain/repairs/repair.h"
#include "grading/boundary_cases.h"
#include "grading/case_runs.h"
#include "grading/counted_elements.h"
#include "grading/input_reads_run.h"
#include "grading/patch_search.h"
#include "grading/real_gpu_runs.h"
#include "grading/repair_search.h"
#include "grading/request_error.h"
#include "grading/toolchain_choice.h"
#include "run/call_sites.h"
#include "run/device_host.h"
#include "run/gpu_session.h"
#include "run/run.h"
#include "sandbox/budget.h"
#include "sandbox/machine_speed.h"
#include "score/blame.h"
#include "score/score.h"
#include "score/unpaid_errors.h"
#include "speed/double_precision.h"
#include "speed/model_case.h"
#include "speed/modelled_speed.h"
#include "text/file_text.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/model/device_model.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// What a whole grading may use: compilers, host processes and the virtual GPU together, runs on a real GPU apart.
/// Nobody waits longer than half a minute on an idle machine, one core or many. The solutions take 2 to 5 s,
/// compiled anew and the grader's own part included; right code with barriers of libcu++, which
/// nvcc compiles and leaves as it is, takes up to 22 s. A slower machine gives as much more time.
sandbox::Budget most_for_a_grading() {
  constexpr double kProcessor = 28, kIdle = 9, kTogether = 30;
  const double slowness = sandbox::slowness_of_machine();
  return sandbox::Budget({.cpu_seconds = kProcessor * slowness, .idle_seconds = kIdle},
                         kProcessor * slowness + (kTogether - kProcessor));
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void note_observations(const SubmissionRun& submission_run, Report& report) {
  double kernels = 0;
  for (const CaseRun& case_run : submission_run.case_runs) {
    kernels += case_run.observed.kernel_seconds;
    // What is printed of a failure that was asked for would look like one that was not.
    if (report.console.empty() && !case_run.test.spec.faults.any()) report.console = case_run.observed.console;
    if (!case_run.fast) continue;
    for (const auto& launch : case_run.fast->launches) {
      for (const auto& [name, value] : launch.values) {
        report.counters[fmt::format("{}.{}", case_run.test.spec.name, name)] += value;
      }
    }
  }
  report.timings["kernels"] = kernels;
}

/// A GPU that does not work is no verdict on the submission: when it was asked for the grading breaks off, and when it
/// was there by chance the virtual GPU's verdict stands.
void go_on_without(Report& report, const GradingRequest& request, const GpuUnfit& why) {
  if (request.device == DeviceChoice::cuda) throw GpuUnfit(why);
  report.device += fmt::format("; {}", why.what());
}

/// Asked before anything is compiled.
bool reaches_real_device(Report& report, const GradingRequest& request) {
  try {
    runner::require_real_device();
    return true;
  } catch (const GpuUnfit& why) {
    go_on_without(report, request, why);
    return false;
  }
}

void add_real_device(Report& report, SubmissionRun& submission_run, const BuildRequest& submission,
                     const GradingRequest& request, const Toolchain& nvcc) {
  const auto start = Clock::now();
  try {
    add_real_gpu(submission_run, submission, nvcc, request.progress);
    report.device = fmt::format("{} and {}", submission_run.real_gpu, report.device);
  } catch (const GpuUnfit& why) {
    go_on_without(report, request, why);
  }
  report.timings["real_gpu"] = seconds_since(start);
}

/// Inline assembly is read when a kernel is launched. What is wrong with it is found no sooner, and means that the
/// submission does not build all the same.
void fail_build_of_bad_assembly(SubmissionRun& submission_run) {
  for (const CaseRun& case_run : submission_run.case_runs) {
    for (const Finding& finding : case_run.observed.findings) {
      if (finding.id != finding_ids::kBuildFailed) continue;
      submission_run.build.ok = false;
      submission_run.build.findings = {finding};
      submission_run.case_runs.clear();
      return;
    }
  }
}

/// A call of the submission did not do its work where the real GPU measures.
bool fails_when_timed(const SpeedResult& result) {
  return result.finding &&
         (result.finding->id == finding_ids::kWrongWhenTimed || result.finding->id == finding_ids::kFailedWhenTimed);
}

/// Of a test with two results the one to report.
SpeedResult of_both(SpeedResult measured, SpeedResult modelled) {
  if (fails_when_timed(measured)) {
    // Of a grid that is too large the virtual GPU knows the launch.
    const bool knows_cause = modelled.finding && modelled.finding->id == finding_ids::kInvalidLaunch;
    if (knows_cause) measured.finding = std::move(modelled.finding);
    return measured;
  }
  if (!modelled.doubt.empty()) modelled.doubt = "; " + modelled.doubt;
  modelled.doubt = fmt::format("the {} cannot tell: {}{}", measured.device, measured.doubt, modelled.doubt);
  return modelled;
}

/// Models the speeds that no real GPU told, keeping the doubt that one had, and looks for causes of what failed there.
void model_what_was_not_measured(SubmissionRun& submission_run, FastBuild& fast, const fs::path& source,
                                 const Toolchain& toolchain, sandbox::Budget& budget, runner::DeviceHost& host) {
  const Lab& lab = *submission_run.lab;
  for (const SpeedTest& test : lab.speed) {
    const auto known = std::ranges::find(submission_run.speed, test.check, &SpeedResult::check);
    const bool measured = known != submission_run.speed.end();
    if (measured && known->kind != SpeedResult::Kind::unknown && !fails_when_timed(*known)) continue;
    if (!fast.get().ok) {
      submission_run.build = fast.get();
      return;
    }
    const speed::Executable executable{fast.get().runner, fast.get().device_code, source};
    SpeedResult modelled = speed::modelled_speed(lab, test, executable, toolchain, &budget, host);
    if (measured) {
      *known = of_both(std::move(*known), std::move(modelled));
    } else {
      submission_run.speed.push_back(std::move(modelled));
    }
  }
}

void model_speed(Report& report, SubmissionRun& submission_run, FastBuild& fast, const GradingRequest& request,
                 const Toolchain& toolchain, sandbox::Budget& budget, runner::DeviceHost& host) {
  const auto start = Clock::now();
  request.progress(fmt::format("{}: modelling the time it would take", submission_run.lab->id));
  model_what_was_not_measured(submission_run, fast, request.submission.source, toolchain, budget, host);
  report.timings["model"] = seconds_since(start);
}

/// From what the cases of right results counted.
void advise_on_measured_speeds(SubmissionRun& submission_run) {
  std::vector<vgpu::LaunchCounters> launches;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (case_run.fast) launches.insert(launches.end(), case_run.fast->launches.begin(), case_run.fast->launches.end());
  }
  for (SpeedResult& result : submission_run.speed) speed::advise_on_measured(result, launches);
}

/// What is known of a speed says more than a check can say of all.
void advise_on_speed(Report& report) {
  for (const SpeedResult& result : report.speed) {
    const auto check = std::ranges::find(report.checks, result.check, &CheckResult::id);
    if (check != report.checks.end() && check->status == CheckStatus::failed && !result.advice.empty())
      check->help = result.advice;
  }
}

/// What a lab says of its header helps where the header is what the submission does not keep to.
void advise_on_build(Report& report, const BuildResult& build) {
  if (build.breaks_contract) return;
  for (CheckResult& check : report.checks) {
    if (check.category == Category::build) check.help.clear();
  }
}

/// In its place among the others.
void add_unfinished(std::vector<MergedFinding>& findings, const SubmissionRun& submission_run,
                    const std::vector<TestOutcome>& outcomes, const GradingRequest& request) {
  const Lab& lab = *submission_run.lab;
  const std::string skeleton = text_of(lab.folder / lab.contract.source);
  const std::vector<OpenTodo> open = open_todos(skeleton, request.submission.text.value_or(std::string()));
  auto finding = unfinished(open, request.submission.source, submission_run, findings, outcomes);
  if (!finding) return;
  const auto later = [&](const MergedFinding& other) { return is_before(*finding, other); };
  findings.insert(std::ranges::find_if(findings, later), *std::move(finding));
}

std::vector<std::string> cases_failed_by(const std::vector<TestOutcome>& outcomes, const std::string& check) {
  std::vector<std::string> names;
  for (const TestOutcome& outcome : outcomes) {
    if (!outcome.test.has_tag(check)) continue;
    for (const FailedCase& failed : outcome.failed_in) {
      if (!failed.name.empty()) names.push_back(failed.name);
    }
  }
  return names;
}

void judge_into(GradingResult& result, const SubmissionRun& submission_run, const GradingRequest& request) {
  Report& report = result.report;
  report.build_output = submission_run.build.diagnostics;
  note_observations(submission_run, report);
  report.speed = submission_run.speed;
  std::vector<MergedFinding> findings = merge_findings(submission_run);
  explain_findings(findings, request.submission.text.value_or(std::string()), request.submission.source.string(),
                   submission_run);
  const Lab& lab = *submission_run.lab;
  register_asked_checks(lab);
  std::vector<TestOutcome> outcomes = run_session(submission_run, lab.id, request.catch_arguments);
  charge_errors(lab, findings, outcomes);
  add_unfinished(findings, submission_run, outcomes, request);
  report.checks = score(lab, registered_tests(), outcomes);
  advise_on_build(report, submission_run.build);
  advise_on_speed(report);
  blame(report.checks, lab, outcomes, findings);
  report.first_check = first_check(report.checks, findings);
  report.findings.assign(findings.begin(), findings.end());
  if (const std::string check = check_of_changes(report); !check.empty()) {
    result.failed_in = cases_failed_by(outcomes, check);
  } else if (!findings.empty()) {
    result.proposed = findings.front().proposed;
  }
}

/// Everything but the score.
SubmissionRun observe(Report& report, const GradingRequest& request, const Toolchain& toolchain,
                      std::optional<Toolchain> nvcc, sandbox::Budget& budget) {
  if (nvcc && !reaches_real_device(report, request)) nvcc.reset();
  const Lab& lab = *request.lab;
  SubmissionRun submission_run;
  submission_run.lab = &lab;
  submission_run.source = request.submission.text.value_or(std::string());
  request.progress(fmt::format("{}: compiling", lab.id));
  auto start = Clock::now();
  const BuildRequest submission{.program = &lab,
                                .source = request.submission.source,
                                .beneath = request.submission.beneath,
                                .text = request.submission.text,
                                .frontend = toolchain.frontend,
                                .kind = BuildKind::checked,
                                .budget = &budget,
                                .is_kept = request.keeps_builds,
                                .own_headers = request.own_headers};
  submission_run.build = build(submission, toolchain);
  report.timings["build"] = seconds_since(start);
  FastBuild fast(submission, toolchain, submission_run.build.runner,
                 request.optimises ? FastBuild::Use::when_asked_for : FastBuild::Use::never);

  start = Clock::now();
  std::optional<runner::DeviceHost> host;
  runner::SourceLines lines;
  if (submission_run.build.ok) {
    host.emplace(lab.limits.cases_at_a_time);
    const std::string recorded = request.record_accesses ? case_to_explain(lab) : std::string();
    const CaseRunSetup setup{&lab,   submission.source,     report.seed, recorded, &budget, &*host,
                             &lines, request.waits_for_calm};
    submission_run.case_runs = run_cases(setup, submission_run.build, fast, request.progress);
  }
  report.timings["run"] = seconds_since(start);
  start = Clock::now();
  if (submission_run.build.ok) {
    const AuditSetup again{&lab, submission_run.build.runner, submission.source, &budget, &*host, &lines};
    submission_run.repairs =
        find_repairs(submission_run.case_runs, effort_for_repair(merge_findings(submission_run)), again);
    // What to change in the code says more than what is missing, and this more than what a launch might have given.
    const std::string text = request.submission.text.value_or(std::string());
    const Repair* repair = best_repair(submission_run.repairs, text);
    const bool has_repair = has_words(submission_run.repairs, text);
    if (!has_repair || repair->mutant.change == vgpu::Mutant::Change::argument)
      count_product_reads(submission_run.case_runs, again);
    if (!has_repair) count_elements(submission_run.case_runs, lab.explanations, again);
  }
  report.timings["repair"] = seconds_since(start);
  fail_build_of_bad_assembly(submission_run);
  // What fails with optimisation alone is the submission's failure, too.
  if (fast.failed()) submission_run.build = fast.get();
  if (nvcc && submission_run.build.ok) add_real_device(report, submission_run, submission, request, *nvcc);
  if (submission_run.all_right()) model_speed(report, submission_run, fast, request, toolchain, budget, *host);
  advise_on_measured_speeds(submission_run);
  report.timings["fast_build"] = fast.seconds();
  report.timings["processor"] = budget.used().cpu_seconds;
  report.timings["processor_limit"] = budget.limit().cpu_seconds;
  return submission_run;
}

GradingResult grade_within(sandbox::Budget& budget, const GradingRequest& request, const Toolchain& toolchain,
                           const std::optional<Toolchain>& nvcc) {
  const auto start = Clock::now();
  const Lab& lab = *request.lab;
  GradingResult result;
  Report& report = result.report;
  report.lab = lab.id;
  report.title = lab.title;
  report.submission = request.submission.source.string();
  report.device = fmt::format("virtual ({})", vgpu::device_model(lab.device_model).name);
  report.frontend = toolchain.version;
  report.seed = request.seed.value_or(lab.seed);
  try {
    report.sandbox = sandbox_tier().name;
    SubmissionRun submission_run = observe(report, request, toolchain, nvcc, budget);
    judge_into(result, submission_run, request);
    result.submission_run = std::move(submission_run);
  } catch (const std::invalid_argument& error) {
    throw RequestError(error.what());
  } catch (const std::exception& error) {
    report.checks = score_of_broken(lab, error.what());
  }
  const Total sum = total(report.checks);
  report.points = sum.points;
  report.max = sum.max;
  report.timings["total"] = seconds_since(start);
  return result;
}

/// By which changes are tried: nvcc takes ten times as long, and would end the search after a few.
std::optional<Toolchain> toolchain_of_attempts(const Toolchain& own) {
  return own.frontend == Frontend::clang ? own : find_toolchain(Frontend::clang);
}

/// The grading as a whole keeps to what one may use.
void try_patches(GradingResult& result, const GradingRequest& request, const Toolchain& toolchain,
                 const sandbox::Budget& used) {
  constexpr double kShare = 0.4, kIdle = 3;
  const double most = used.limit().cpu_seconds;
  sandbox::Budget budget({std::min(kShare * most, most - used.used().cpu_seconds), kIdle});
  const std::optional<Toolchain> quick = toolchain_of_attempts(toolchain);
  if (!quick || budget.limit().cpu_seconds <= 0) return;
  const auto start = Clock::now();
  OwnHeaders headers;
  GradingRequest attempt = request;
  attempt.own_headers = &headers;
  attempt.device = DeviceChoice::virtual_gpu;
  attempt.record_accesses = attempt.keeps_builds = attempt.waits_for_calm = false;
  attempt.patches_at_a_time = 0;
  attempt.progress = [](const std::string&) {};
  const auto graded = [&](const Lab& lab, const std::string& text, const std::vector<std::string>& checks) {
    GradingRequest own = attempt;
    own.lab = &lab;
    own.submission.text = text;
    own.catch_arguments = checks;
    own.optimises = checks.empty();
    return grade_within(budget, own, checks.empty() ? toolchain : *quick, {}).report;
  };
  const auto helpful = find_patch({.request = &request,
                                   .report = &result.report,
                                   .submission_run = &*result.submission_run,
                                   .toolchain = &*quick,
                                   .is_other_toolchain = quick->frontend != toolchain.frontend,
                                   .budget = &budget,
                                   .own_headers = &headers,
                                   .proposed = result.proposed,
                                   .failed_in = result.failed_in,
                                   .grade = graded});
  if (helpful) show_patch(result.report, *helpful);
  result.report.timings["patches"] = seconds_since(start);
  result.report.timings["total"] += seconds_since(start);
}

}  // namespace

GradingResult grade(const GradingRequest& request) {
  const Toolchain toolchain = choose_toolchain(request.frontend);
  const std::optional<Toolchain> nvcc = choose_real_gpu(request.device);
  sandbox::Budget budget = most_for_a_grading();
  const auto lab =
      std::make_shared<const Lab>(with_boundary_cases(*request.lab, request.submission.text.value_or(std::string())));
  GradingRequest whole = request;
  whole.lab = lab.get();
  GradingResult result = grade_within(budget, whole, toolchain, nvcc);
  result.lab = lab;
  if (request.patches_at_a_time > 0 && result.submission_run &&
      is_worth_patches(result.report, result.proposed.has_value()))
    try_patches(result, whole, toolchain, budget);
  return result;
}

void prepare_gradings(const Lab& lab) {
  for (const SpeedTest& test : lab.speed) speed::model_case(test.work, test.modelled_parameters);
}

}  // namespace cudalabs
