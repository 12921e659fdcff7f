// An attempt takes some 0.5 s of processor time, nearly all of it for the compiler, and 0.3 s where only device code is
// compiled, as for most; a whole grading, which only those get that have made the wrong cases right, more than a
// second. That is why headers are compiled once for all attempts, and why the smallest wrong case is run alone first:
// few changes make it right.
#include "grading/patch_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <span>
#include <thread>
#include <utility>

#include "build/recipe.h"
#include "grading/case_runs.h"
#include "grading/fast_build.h"
#include "patch/candidates.h"
#include "patch/device_change.h"
#include "patch/patch_reason.h"
#include "run/call_sites.h"
#include "run/device_host.h"
#include "sandbox/machine_speed.h"
#include "text/code_text.h"
#include "text/file_text.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMostCandidates = 48;
/// Where the help is general: for many of these mistakes there is no small change.
constexpr std::size_t kMostForGeneral = 24;
/// Where a check tells whether they help: its cases take longer.
constexpr std::size_t kMostForCheck = 20;
/// Letters of a text: students' programs are shorter.
constexpr std::size_t kMostText = 64u << 10;
/// Findings whose lines the candidates are looked for around.
constexpr std::size_t kMostFindings = 3;
/// Elements of a case's inputs and outputs together.
constexpr std::int64_t kMostElementsOfAttempt = 1 << 18;
constexpr std::size_t kMostWorkers = 8;

/// Lines that a text names as places of the file, "sum.cu:25".
void add_named_lines(std::string_view text, std::string_view file, std::vector<std::uint32_t>& lines) {
  const std::string name = std::string(file.substr(file.rfind('/') + 1)) + ":";
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    std::uint32_t line = 0;
    const std::string_view digits = text.substr(at + name.size());
    if (std::from_chars(digits.data(), digits.data() + digits.size(), line).ec == std::errc()) lines.push_back(line);
  }
}

/// What the first findings of the submission speak of, or the check that comes before them.
patch::Suspects suspects_of(const Report& report) {
  patch::Suspects suspects;
  suspects.only_leaks = report.first_check.empty() && !check_of_changes(report).empty();
  std::vector<std::uint32_t>& lines = suspects.lines;
  if (const CheckResult* first = check_of(report, report.first_check)) {
    add_named_lines(first->message, report.submission, lines);
    suspects.words = first->title + ' ' + first->message;
  }
  for (const Finding& finding : std::span(report.findings).first(std::min(kMostFindings, report.findings.size()))) {
    const auto add = [&](const SourcePlace& place) {
      if (place.known() && place.file == report.submission) lines.push_back(place.line);
    };
    add(finding.where);
    if (finding.other) add(finding.other->place);
    if (finding.cause) add(finding.cause->place);
  }
  return suspects;
}

using Cases = std::vector<datasets::CaseSpec>;

/// The wrong cases on which changes are tried, one after the other: the smallest and the largest of those that are
/// quickly run; only the smallest where none is. Those before which another one is run bring that along.
std::vector<Cases> wrong_cases(const SubmissionRun& submission_run) {
  std::vector<const CaseRun*> wrong;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (case_run.is_wrong()) wrong.push_back(&case_run);
  }
  const auto elements = [](const CaseRun* case_run) { return case_run->test.elements(); };
  std::ranges::stable_sort(wrong, {}, elements);
  const auto is_quick = [&](const CaseRun* case_run) {
    return !case_run->test.spec.large && elements(case_run) <= kMostElementsOfAttempt;
  };
  const auto quick = std::ranges::stable_partition(wrong, is_quick);
  wrong.resize(std::max<std::size_t>(wrong.size() - quick.size(), std::min<std::size_t>(wrong.size(), 1)));
  if (wrong.size() > 2) wrong = {wrong.front(), wrong.back()};
  std::vector<Cases> groups;
  for (const CaseRun* case_run : wrong) {
    Cases& cases = groups.emplace_back();
    for (const datasets::CaseSpec& spec : submission_run.lab->cases) {
      if (case_run->test.spec.name == spec.name || case_run->test.spec.after == spec.name) cases.push_back(spec);
    }
  }
  return groups;
}

/// Of the cases in which a check failed that no finding explains: the first and the last. In others it may pass, and
/// then every change seems to help.
Cases cases_of_check(const PatchSearch& search) {
  Cases cases;
  for (const datasets::CaseSpec& spec : search.submission_run->lab->cases) {
    const bool has_failed = std::ranges::find(search.failed_in, spec.name) != search.failed_in.end();
    if (!spec.large && has_failed) cases.push_back(spec);
  }
  if (cases.size() > 2) cases = {cases.front(), cases.back()};
  return cases;
}

std::vector<Cases> cases_of_attempts(const PatchSearch& search) {
  if (check_of_changes(*search.report).empty()) return wrong_cases(*search.submission_run);
  Cases cases = cases_of_check(search);
  return cases.empty() ? std::vector<Cases>() : std::vector<Cases>{std::move(cases)};
}

/// The lab with these cases alone, one at a time, and little time for each: a change may make a loop endless.
Lab lab_of_attempts(const Lab& lab, Cases cases) {
  constexpr double kProcessor = 3, kWall = 20, kKernel = 3;
  Lab own = lab;
  own.cases = std::move(cases);
  own.speed.clear();
  for (Check& check : own.checks) check.needs.clear();  // a check is asked alone; the whole grading comes after it
  own.limits.cases_at_a_time = 1;
  own.limits.cpu_seconds = std::min(own.limits.cpu_seconds, kProcessor);
  own.limits.wall_seconds = std::min(own.limits.wall_seconds, kWall);
  own.limits.kernel_seconds = std::min(own.limits.kernel_seconds, kKernel);
  return own;
}

/// Of processor time for each attempt, host and device together: many times what its cases took. A change may make a
/// loop of launches endless, and one such change must not use up what all have together.
double seconds_of_attempt(const SubmissionRun& submission_run, const std::vector<Lab>& labs) {
  constexpr double kLeast = 1, kMost = 4, kTimes = 10;
  double seconds = 0;
  for (const CaseRun& case_run : submission_run.case_runs) {
    for (const Lab& lab : labs) {
      if (std::ranges::find(lab.cases, case_run.test.spec.name, &datasets::CaseSpec::name) != lab.cases.end())
        seconds += case_run.observed.wall_seconds;
    }
  }
  return sandbox::slowness_of_machine() * std::clamp(kTimes * seconds, kLeast, kMost);
}

std::vector<Lab> labs_of_attempts(const PatchSearch& search) {
  std::vector<Lab> labs;
  for (Cases& cases : cases_of_attempts(search))
    labs.push_back(lab_of_attempts(*search.submission_run->lab, std::move(cases)));
  return labs;
}

std::size_t workers_for(const PatchSearch& search) {
  if (search.submission_run->lab->limits.cases_at_a_time < 2) return 1;
  return std::clamp<std::size_t>(search.request->patches_at_a_time, 1, kMostWorkers);
}

class Attempts {
 public:
  explicit Attempts(const PatchSearch& search)
      : search_(search),
        code_(without_comments(search.submission_run->source)),
        check_(check_of_changes(*search.report)),
        labs_(labs_of_attempts(search)),
        seconds_(seconds_of_attempt(*search.submission_run, labs_)),
        workers_(workers_for(search)),
        host_(workers_) {}

  std::optional<HelpfulPatch> first_helpful() {
    if (code_.size() > kMostText || labs_.empty()) return std::nullopt;
    if (!search_.is_other_toolchain) runner_ = search_.submission_run->build.runner;
    // Another compiler may make right code of it, and then no change tells anything.
    if (search_.is_other_toolchain && helps_at_first(code_, BuildPart::program)) return std::nullopt;
    if (search_.proposed && proposal_helps(*search_.proposed)) return std::nullopt;
    const std::size_t most = most_candidates();
    const patch::Suspects suspects = suspects_of(*search_.report);
    const std::vector<patch::Patch> candidates = patch::candidates(code_, suspects, most);
    for (std::size_t begin = 0; begin < candidates.size() && goes_on(); begin += workers_) {
      search_.request->progress(
          fmt::format("{}: trying change {} of {}", search_.request->lab->id, begin + 1, candidates.size()));
      const std::span group = std::span(candidates).subspan(begin, std::min(workers_, candidates.size() - begin));
      std::array<bool, kMostWorkers> helps{};
      {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < group.size(); ++i)
          threads.emplace_back([&, i] { helps[i] = helps_at_first(group[i]); });
      }
      for (std::size_t i = 0; i < group.size(); ++i) {
        if (!helps[i] || !goes_on()) continue;
        if (auto helpful = graded(group[i])) {
          // What the check says of the line is more than what to change in it.
          const bool says_line = !search_.report->first_check.empty();
          if (says_line && changes_one_of(suspects.lines, group[i])) return std::nullopt;
          return first_alike(*helpful, candidates);
        }
      }
    }
    return std::nullopt;
  }

 private:
  std::size_t most_candidates() const {
    if (!check_.empty()) return kMostForCheck;
    const std::vector<Finding>& findings = search_.report->findings;
    const bool general = !findings.empty() && findings.front().help.scope == HelpScope::general;
    return general ? kMostForGeneral : kMostCandidates;
  }

  bool proposal_helps(const ProposedChange& change) {
    const std::size_t place = place_of_line(code_, change.line, change.column);
    if (place == std::string::npos || code_.compare(place, change.before.size(), change.before) != 0) return false;
    std::string text = code_;
    text.replace(place, change.before.size(), change.after);
    return helps_at_first(text, BuildPart::program);
  }

  bool goes_on() const { return search_.budget->spent() == sandbox::Budget::Spent::nothing; }

  bool changes_one_of(const std::vector<std::uint32_t>& lines, const patch::Patch& patch) const {
    const std::uint32_t first = line_at(code_, patch.begin), last = line_at(code_, patch.begin + patch.length);
    return std::ranges::any_of(lines, [&](std::uint32_t line) { return first <= line && line <= last; });
  }

  /// Two values may be exchanged where they are used as well as where they are set, and nobody knows which of the two
  /// was meant: of changes with the same words that help, the one that stands first in the text, and the lines of the
  /// others.
  HelpfulPatch first_alike(const HelpfulPatch& found, std::span<const patch::Patch> candidates) {
    std::vector<HelpfulPatch> alike{found};
    for (const patch::Patch& other : candidates) {
      if (other.words != found.patch.words || other == found.patch || !goes_on()) continue;
      if (!helps_at_first(other)) continue;
      if (auto helpful = graded(other)) alike.push_back(*std::move(helpful));
    }
    std::ranges::sort(alike, {}, [](const HelpfulPatch& each) { return each.patch.begin; });
    HelpfulPatch first = alike.front();
    for (const HelpfulPatch& each : alike) {
      const bool is_new =
          each.where.line != first.where.line && (first.also.empty() || first.also.back() != each.where.line);
      if (is_new) first.also.push_back(each.where.line);
    }
    return first;
  }

  bool helps_at_first(const patch::Patch& patch) {
    const bool is_of_device = !runner_.empty() && patch::changes_device_code_only(code_, patch);
    return helps_at_first(applied(code_, patch), is_of_device ? BuildPart::device_code : BuildPart::program);
  }

  /// `changed`: what of the submission the text may have changed. From several threads. A failure of the grader's own
  /// machinery is no help: the verdict stands without it.
  bool helps_at_first(const std::string& text, BuildPart changed) {
    try {
      return check_.empty() ? makes_cases_right(text, changed) : passes_check(text);
    } catch (const std::exception&) {
      return false;
    }
  }

  bool passes_check(const std::string& text) const {
    const Report report = search_.grade(labs_.front(), text, {"[" + check_ + "]"});
    const CheckResult* check = check_of(report, check_);
    return check != nullptr && check->status == CheckStatus::passed;
  }

  /// Most changes are of a kernel: then its new code runs with the host code that is there, which need not be compiled.
  BuildResult built_with(BuildRequest request) const {
    BuildResult built = build(request, *search_.toolchain);
    if (request.part == BuildPart::program || !built.ok) return built;
    if (builder::has_names_of_one_compilation(text_of(built.device_code))) {
      request.part = BuildPart::program;
      return build(request, *search_.toolchain);
    }
    built.runner = runner_;
    return built;
  }

  bool makes_cases_right(const std::string& text, BuildPart changed) {
    const BuildRequest request{.program = search_.request->lab,
                               .source = search_.request->submission.source,
                               .beneath = search_.request->submission.beneath,
                               .text = text,
                               .frontend = search_.toolchain->frontend,
                               .kind = BuildKind::checked,
                               .part = changed,
                               .budget = search_.budget,
                               .is_kept = false,
                               .own_headers = search_.own_headers};
    const BuildResult built = built_with(request);
    if (!built.ok) return false;
    FastBuild fast(request, *search_.toolchain, built.runner, FastBuild::Use::never);
    runner::SourceLines lines;  // of this program alone: the next one may have its path
    sandbox::Budget own({seconds_, search_.budget->limit().idle_seconds});
    const bool are_right = std::ranges::all_of(labs_, [&](const Lab& lab) {
      const CaseRunSetup setup{&lab, request.source, search_.report->seed, "", &own, &host_, &lines, false};
      const std::vector<CaseRun> case_runs = run_cases(setup, built, fast, [](const std::string&) {});
      return case_runs.size() == lab.cases.size() && std::ranges::none_of(case_runs, &CaseRun::is_wrong);
    });
    search_.budget->charge(own.used());
    return are_right;
  }

  std::optional<HelpfulPatch> graded(const patch::Patch& patch) const {
    const Report report = search_.grade(*search_.request->lab, applied(code_, patch), {});
    std::vector<std::string> failing;
    for (const CheckResult& check : report.checks) {
      if (check.status == CheckStatus::passed) continue;
      if (check.status == CheckStatus::error || !may_fail(check) || fails_by_error(report, check)) return std::nullopt;
      failing.push_back(check.id);
    }
    return HelpfulPatch{.patch = patch,
                        .where = place_of(patch),
                        .failing = std::move(failing),
                        .reason = patch::reason_of(code_, patch)};
  }

  /// In spite of a change that helps: what did not pass before, and is not what is told first.
  bool may_fail(const CheckResult& check) const {
    const CheckResult* before = check_of(*search_.report, check.id);
    if (before == nullptr || before->status == CheckStatus::passed) return false;
    if (check.category == Category::speed) return true;
    const bool is_first = check.id == check_ || std::ranges::find(before->because, 1U) != before->because.end();
    return check.category == Category::quality && !is_first;
  }

  /// Comments may have moved it within its line.
  SourcePlace place_of(const patch::Patch& patch) const {
    const std::uint32_t line = line_at(code_, patch.begin);
    const std::size_t begin = place_of_line(code_, line, 1);
    const std::vector<std::string_view> lines = text_lines(search_.submission_run->source);
    const std::string_view before = std::string_view(code_).substr(begin, patch.begin - begin);
    const bool is_same = line <= lines.size() && lines[line - 1].starts_with(before);
    return {search_.report->submission, line, is_same ? static_cast<std::uint32_t>(before.size() + 1) : 0};
  }

  const PatchSearch& search_;
  const std::string code_;
  const std::string check_;       // that an attempt must pass; empty: it must make cases right
  const std::vector<Lab> labs_;   // one for each case that an attempt must make right, in this order
  const double seconds_;          // of processor time for the cases of an attempt
  std::filesystem::path runner_;  // of the unchanged text; empty: the attempts' toolchain has not built it
  const std::size_t workers_;     // as many as cases may run at a time: one where times are measured
  runner::DeviceHost host_;
};

}  // namespace

std::optional<HelpfulPatch> find_patch(const PatchSearch& search) {
  try {
    return Attempts(search).first_helpful();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace cudalabs
