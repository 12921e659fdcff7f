// The findings of all cases as one list in which every bug stands once.
#include "check/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "check/case_name.h"
#include "check/cause_order.h"
#include "vgpu/check/barrier_usage.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// Findings that are one bug, in the order of their cases.
struct Group {
  struct Member {
    const Finding* finding;
    const CaseRun* case_run;
    const Mismatch* mismatch = nullptr;
  };
  std::vector<Member> members;
};

/// "sum<float>" and "sum<int>" are instances of one kernel, with the same source lines.
std::string_view template_of(std::string_view kernel) {
  return kernel.substr(0, kernel.find('<'));
}

/// One statement goes wrong in one way: which of its operands, and against which other access, are details.
bool same_bug(const Finding& left, const Finding& right) {
  if (left.id != right.id || left.severity != right.severity) return false;
  const bool same_kernel = left.kernel.empty() || right.kernel.empty();  // one of them is about the host's line
  if (!same_kernel && template_of(left.kernel) != template_of(right.kernel)) return false;
  if (left.where.file != right.where.file || left.where.line != right.where.line) return false;
  // Without a place only the words tell two bugs apart.
  return left.where.known() || left.message == right.message;
}

/// It ended early, or was not run, because another case did not come to an end, and that one's finding says so.
bool follows_from_another(const CaseRun& case_run, const std::vector<CaseRun>& all) {
  return !case_run.observed.after.empty() && std::ranges::any_of(all, [&](const CaseRun& other) {
    return other.test.spec.name == case_run.observed.after && other.is_wrong();
  });
}

template <typename Same>
void add_to_groups(std::vector<Group>& groups, const Group::Member& member, const Same& same) {
  for (Group& group : groups) {
    if (same(group.members.front(), member)) {
      group.members.push_back(member);
      return;
    }
  }
  groups.push_back({{member}});
}

std::vector<std::string> case_names(const std::vector<Group::Member>& members) {
  std::vector<std::string> names;
  for (const auto& member : members) {
    const std::string& name = member.case_run->test.spec.name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

void append_line(std::string& text, const std::string& line) {
  if (!text.empty()) text += '\n';
  text += line;
}

std::uint64_t total_count(const Group& group) {
  std::uint64_t count = 0;
  for (const auto& member : group.members) count += member.finding->count;
  return count;
}

/// Seen only where a call was made to fail: what goes wrong by itself is to be fixed first.
bool only_in_failures(const Group& group) {
  return std::ranges::all_of(group.members, [](const auto& member) { return member.case_run->test.spec.faults.any(); });
}

/// Seen only where there are no elements: a case of its own, that few points depend on.
bool only_in_empty(const Group& group) {
  return std::ranges::all_of(group.members, [](const auto& member) {
    return std::ranges::any_of(member.case_run->test.inputs,
                               [](const datasets::Array& input) { return input.elements() == 0; });
  });
}

/// Which cases have shown a finding.
enum class SeenIn : std::uint8_t { ordinary, empty, failures };

SeenIn seen_in(const Group& group) {
  return only_in_failures(group) ? SeenIn::failures : only_in_empty(group) ? SeenIn::empty : SeenIn::ordinary;
}

bool is_between_blocks(const Group::Member& member) {
  const Finding& finding = *member.finding;
  return finding.block && finding.other && finding.other->block && *finding.block != *finding.other->block;
}

/// The columns of the statement's other operands, smallest first.
std::set<std::uint32_t> other_columns(const Group& group, const Finding& speaker) {
  std::set<std::uint32_t> columns;
  for (const auto& member : group.members) columns.insert(member.finding->where.column);
  columns.erase(speaker.where.column);
  columns.erase(0);
  return columns;
}

bool is_line(const std::vector<std::int64_t>& shape) {
  return shape.size() > 1 && std::ranges::any_of(shape, [](std::int64_t extent) { return extent <= 1; });
}

/// A single row or column, or not more than one element: it looks the same whichever way rows and columns are counted,
/// and most of what may be wrong does not show there.
bool is_degenerate(const datasets::Case& test) {
  std::int64_t most = 0;
  const auto looks_so = [&](const auto& array) {
    most = std::max(most, array.elements());
    return is_line(array.shape);
  };
  const bool line = std::ranges::any_of(test.inputs, looks_so) || std::ranges::any_of(test.expected, looks_so);
  return line || most <= 1;
}

/// A finding of the device or of a run's end: the first ordinary case speaks for all. Where threads of different blocks
/// race, a case that shows it speaks: what orders them orders those of one block, too, and a barrier does not.
MergedFinding merged(const Group& group) {
  const auto between_blocks = std::ranges::find_if(group.members, is_between_blocks);
  const auto first = std::ranges::find_if_not(
      group.members, [](const Group::Member& member) { return is_degenerate(member.case_run->test); });
  const Group::Member& speaker = between_blocks != group.members.end() ? *between_blocks
                                 : first != group.members.end()        ? *first
                                                                       : group.members.front();
  MergedFinding finding{*speaker.finding, case_names(group.members)};
  finding.right_at_first = finding.severity == Severity::error && speaker.case_run->judged().right_at_first;
  finding.count = total_count(group);
  if (const auto columns = other_columns(group, finding); !columns.empty()) {
    append_line(finding.note, fmt::format("and at {} {} of this line", columns.size() == 1 ? "column" : "columns",
                                          fmt::join(columns, ", ")));
  }
  if (finding.cases.size() > 1) {
    append_line(finding.note, fmt::format("in {} cases: {}", finding.cases.size(), list_names(finding.cases)));
  } else {
    append_line(finding.note, "in " + describe(speaker.case_run->test.spec));
  }
  return finding;
}

/// Zeros say less of where a value comes from than all else that values have in common.
bool is_zero(const Mismatch& mismatch) {
  return mismatch.pattern && mismatch.pattern->kind == ValueKind::zero;
}

/// Its wrong elements are 0, which of a single one is no pattern.
bool has_only_zeros(const Group::Member& member) {
  if (is_zero(*member.mismatch)) return true;
  const auto& comparisons = member.case_run->judged().comparisons;
  const auto output = std::ranges::find(comparisons, member.mismatch->output, &Comparison::name);
  if (output == comparisons.end() || output->misfit) return false;
  for (std::size_t i = 0; i < output->fault.size(); ++i) {
    if (output->fault[i] == member.mismatch->fault && output->got[i] != 0) return false;
  }
  return true;
}

/// What zeros say of a sum holds for all cases, or is not said.
void withdraw_zeros(MergedFinding& finding, const Group& group, const Mismatch& shown) {
  if (!is_zero(shown) || finding.help != shown.pattern->help) return;
  const auto other = std::ranges::find_if_not(group.members, has_only_zeros);
  if (other == group.members.end()) return;
  finding.help = fmt::format(
      "in case `{}` wrong elements are not 0: compute the first wrong element by hand, and follow the one thread that "
      "stores it",
      other->case_run->test.spec.name);
}

/// All mismatches of one kind in one output: an ordinary case speaks for all, of several the clearest, of equally clear
/// ones one that has more than zeros, and that is not hidden (it can show its values), and of these the one with the
/// least to compute by hand.
MergedFinding merged_mismatch(const Group& group) {
  const auto& best = *std::ranges::min_element(group.members, {}, [](const Group::Member& member) {
    return std::tuple(is_degenerate(member.case_run->test), -static_cast<int>(member.mismatch->clarity),
                      is_zero(*member.mismatch), member.case_run->test.spec.hidden, member.case_run->test.elements(),
                      member.mismatch->elements);
  });
  MergedFinding finding{*best.finding, case_names(group.members)};
  if (best.mismatch->pattern) {
    finding.detector = best.mismatch->pattern->detector;
    finding.numbers = best.mismatch->pattern->numbers;
    finding.known = best.mismatch->cause.has_value();
    finding.values = best.mismatch->pattern->kind;
  }
  finding.origin = best.mismatch->origin;
  finding.region = best.mismatch->region;
  finding.lines = best.mismatch->lines;
  finding.reach = best.mismatch->reach;
  finding.after_failure = best.mismatch->after_failure;
  finding.stores = best.mismatch->stores;
  finding.output = best.mismatch->output;
  finding.shown = best.case_run->test.spec.name;
  finding.right_at_first = best.case_run->judged().right_at_first;
  finding.count = total_count(group);
  withdraw_zeros(finding, group, *best.mismatch);
  std::vector<std::string> others = finding.cases;
  std::erase(others, best.case_run->test.spec.name);
  if (!others.empty()) {
    append_line(finding.note, fmt::format("also in {} {}: {}", others.size(), others.size() == 1 ? "case" : "cases",
                                          list_names(others)));
  }
  return finding;
}

/// Barriers that no case needs. Where something is wrong the advice would only distract, or be wrong itself: a case
/// that broke off does not show what it would have needed.
std::vector<Finding> barrier_advice(const SubmissionRun& submission_run, const std::vector<MergedFinding>& others) {
  if (std::ranges::count(others, Severity::error, &Finding::severity) > 0) return {};
  vgpu::BarrierUsage usage;
  for (const CaseRun& case_run : submission_run.case_runs) usage.merge(case_run.observed.barriers);
  return usage.advice();
}

bool is_on_line(const SourcePlace& place, const SourcePlace& line) {
  return place.known() && place.file == line.file && place.line == line.line;
}

/// Cases in which something was left out because it follows from this finding are cases of it as well.
void add_cases_of_followers(MergedFinding& finding, const std::vector<CaseRun>& case_runs) {
  for (const CaseRun& case_run : case_runs) {
    const std::vector<Finding>& kept = case_run.judged().device;
    const bool follower = std::ranges::any_of(case_run.observed.findings, [&](const Finding& seen) {
      const bool near = is_on_line(seen.where, finding.where) ||
                        (seen.other && is_on_line(seen.other->place, finding.where)) ||
                        (finding.other && is_on_line(seen.where, finding.other->place));
      return near && seen.severity == Severity::error && std::ranges::find(kept, seen) == kept.end();
    });
    const std::string& name = case_run.test.spec.name;
    if (follower && std::ranges::find(finding.cases, name) == finding.cases.end()) finding.cases.push_back(name);
  }
}

/// It may come of the same mistake as a wrong result elsewhere: an index that leaves an array, a loop that goes round
/// too often.
bool may_have_cause_of_values(const Finding& finding) {
  return finding.id == finding_ids::kTimedOut || finding.id == finding_ids::kTimeBudget ||
         finding.id == finding_ids::kGlobalOutOfBounds;
}

/// Where the kernel does come to its end, or stays inside, wrong values may say what is wrong with it; those of half of
/// the wrong cases at least: in a small case other mistakes come to the same values.
void name_cause_of_values(MergedFinding& finding, const std::vector<Group>& mismatches) {
  if (!may_have_cause_of_values(finding) || finding.kernel.empty()) return;
  for (const Group& group : mismatches) {
    const auto is_explained = [&](const Group::Member& member) {
      const Mismatch& mismatch = *member.mismatch;
      return mismatch.cause && template_of(mismatch.finding.kernel) == template_of(finding.kernel);
    };
    const auto explained = std::ranges::find_if(group.members, is_explained);
    if (2 * std::ranges::count_if(group.members, is_explained) < std::ssize(group.members) ||
        explained == group.members.end())
      continue;
    const ValuePattern& cause = *explained->mismatch->cause;
    const datasets::CaseSpec& spec = explained->case_run->test.spec;
    finding.note =
        fmt::format("in {}case `{}` {}\n{}", spec.hidden ? "hidden " : "", spec.name, cause.what, finding.note);
    finding.of_values = cause.detector;
    if (!cause.help.empty()) finding.help = cause.help;
    return;
  }
}

/// Threads of several blocks that store the same elements do the work of others again: a kernel may take too long for
/// that alone.
void name_repeated_work(MergedFinding& finding, const std::vector<Group>& device) {
  if (finding.id != finding_ids::kTimedOut || finding.kernel.empty() || !finding.where.known()) return;
  for (const Group& group : device) {
    const Finding& race = *group.members.front().finding;
    const bool repeats = race.id == finding_ids::kGlobalRace && race.severity == Severity::warning &&
                         template_of(race.kernel) == template_of(finding.kernel) &&
                         std::ranges::any_of(group.members, is_between_blocks) && race.where.file == finding.where.file;
    if (!repeats) continue;
    finding.note = fmt::format(
        "in {} cases several blocks store the same elements in line {}: each does again what "
        "others have done\n{}",
        case_names(group.members).size(), race.where.line, finding.note);
    finding.help = Help::where_to_look(
        "let each block have elements of its own: look at where the loop over the elements begins, and at its step, "
        "which is that of the whole grid: `gridDim * blockDim` in each direction");
    return;
  }
}

struct Ranked {
  MergedFinding finding;
  SeenIn seen_in = SeenIn::ordinary;
};

/// What is wrong, then what is right and could fail, then remarks.
int importance(const Finding& finding) {
  const Stage stage = cause_kind(finding).stage;
  return stage < Stage::manners ? 0 : stage == Stage::manners ? 1 : 2;
}

bool is_told_before(const Ranked& left, const Ranked& right) {
  const auto coarse = [](const Ranked& one) { return std::tuple(importance(one.finding), one.seen_in); };
  if (coarse(left) != coarse(right)) return coarse(left) < coarse(right);
  if (is_before(left.finding, right.finding) || is_before(right.finding, left.finding))
    return is_before(left.finding, right.finding);
  // Of two outputs of one line the one that says why.
  return left.finding.known && !right.finding.known;
}

}  // namespace

std::vector<MergedFinding> merge_findings(const SubmissionRun& submission_run) {
  std::vector<Group> device, endings, mismatches;
  const auto same = [](const Group::Member& left, const Group::Member& right) {
    return same_bug(*left.finding, *right.finding);
  };
  for (const CaseRun& case_run : submission_run.case_runs) {
    const Judgement& judgement = case_run.judged();
    for (const Finding& finding : judgement.device) {
      if (finding.id == finding_ids::kRedundantBarrier) continue;  // what one case says of a barrier is not the whole
      add_to_groups(device, {&finding, &case_run}, same);
    }
    if (judgement.ending && !follows_from_another(case_run, submission_run.case_runs))
      add_to_groups(endings, {&*judgement.ending, &case_run}, same);
    for (const Mismatch& mismatch : judgement.mismatches) {
      if (mismatch.follows) continue;
      add_to_groups(mismatches, {&mismatch.finding, &case_run, &mismatch}, [](const auto& left, const auto& right) {
        return left.finding->id == right.finding->id && left.mismatch->output == right.mismatch->output;
      });
    }
  }

  // A kernel that was given less time than the others is not known to have no end.
  std::erase_if(device, [&](const Group& group) {
    return std::ranges::all_of(group.members, [&](const Group::Member& member) {
      return member.finding->id == finding_ids::kTimedOut &&
             follows_from_another(*member.case_run, submission_run.case_runs);
    });
  });

  std::vector<Ranked> found;
  for (const Finding& finding : submission_run.build.findings) {
    const bool told = std::ranges::any_of(found, [&](const Ranked& one) {
      return same_bug(one.finding, finding) && one.finding.message == finding.message;
    });
    if (!told) found.push_back({{finding, {}}});
  }
  for (const std::vector<Group>* groups : {&device, &endings}) {
    for (const Group& group : *groups) {
      found.push_back({merged(group), seen_in(group)});
      name_cause_of_values(found.back().finding, mismatches);
      name_repeated_work(found.back().finding, device);
      add_cases_of_followers(found.back().finding, submission_run.case_runs);
    }
  }
  for (const Group& group : mismatches) found.push_back({merged_mismatch(group), seen_in(group)});
  for (const SpeedResult& result : submission_run.speed) {
    if (result.finding) found.push_back({{*result.finding, {}}});
  }
  std::ranges::stable_sort(found, is_told_before);

  std::vector<MergedFinding> findings;
  for (Ranked& one : found) {
    Help& help = one.finding.help;
    if (help.scope == HelpScope::change) help.scope = HelpScope::general;
    findings.push_back(std::move(one.finding));
  }
  for (Finding& advice : barrier_advice(submission_run, findings)) findings.push_back({std::move(advice), {}});
  return findings;
}

bool MergedFinding::is_of_values() const {
  return id == finding_ids::kResultMismatch || id == finding_ids::kNonfiniteResult;
}

bool MergedFinding::is_of_output() const {
  return is_of_values() || id == finding_ids::kUnwrittenOutput;
}

bool MergedFinding::is_in_file(const std::string& file) const {
  return where.known() && std::filesystem::path(where.file).filename() == std::filesystem::path(file).filename();
}

bool MergedFinding::is_seen_in(const std::string& name) const {
  return cases.empty() || name.empty() || std::ranges::find(cases, name) != cases.end();
}

}  // namespace cudalabs
