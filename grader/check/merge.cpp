// The findings of all cases as one list in which every bug stands once.
#include "check/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string>
#include <tuple>

#include "check/case_name.h"
#include "check/causes.h"
#include "vgpu/check/barrier_usage.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// Findings that are one bug, in the order of their cases.
struct Group {
  struct Member {
    const Finding* finding;
    const Trial* trial;
    const Mismatch* mismatch = nullptr;
  };
  std::vector<Member> members;
};

bool same_place(const SourcePlace& left, const SourcePlace& right) {
  return std::tie(left.file, left.line, left.column) == std::tie(right.file, right.line, right.column);
}

bool same_bug(const Finding& left, const Finding& right) {
  if (left.id != right.id || left.severity != right.severity || left.kernel != right.kernel) return false;
  if (!same_place(left.where, right.where)) return false;
  // Without a place only the words tell two bugs apart.
  if (!left.where.known() && left.message != right.message) return false;
  if (left.other.has_value() != right.other.has_value()) return false;
  return !left.other || same_place(left.other->place, right.other->place);
}

/// It ended early, or was not run, because another case did not come to an end, and that one's finding says so.
bool follows_from_another(const Trial& trial, const std::vector<Trial>& all) {
  return !trial.observed.after.empty() && std::ranges::any_of(all, [&](const Trial& other) {
    return other.test.spec.name == trial.observed.after && other.is_wrong();
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
    const std::string& name = member.trial->test.spec.name;
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

/// Seen only where a call was made to fail: what goes wrong by itself is to be mended first.
bool only_in_failures(const Group& group) {
  return std::ranges::all_of(group.members, [](const auto& member) { return member.trial->test.spec.faults.any(); });
}

bool is_between_blocks(const Group::Member& member) {
  const Finding& finding = *member.finding;
  return finding.block && finding.other && finding.other->block && *finding.block != *finding.other->block;
}

/// A finding of the device or of a run's end: the first case speaks for all. Where threads of different blocks race, a
/// case that shows it speaks: what orders them orders those of one block, too, and a barrier does not.
Finding merged(const Group& group) {
  const auto between_blocks = std::ranges::find_if(group.members, is_between_blocks);
  const Group::Member& speaker = between_blocks != group.members.end() ? *between_blocks : group.members.front();
  Finding finding = *speaker.finding;
  finding.count = total_count(group);
  const std::vector<std::string> names = case_names(group.members);
  if (names.size() > 1) {
    append_line(finding.note, fmt::format("in {} cases: {}", names.size(), list_names(names)));
  } else if (finding.note.find('`' + names.front() + '`') == std::string::npos) {
    append_line(finding.note, "in " + describe(speaker.trial->test.spec));
  }
  return finding;
}

/// All mismatches of one kind in one output: the clearest speaks for all, of equally clear ones one that is not hidden
/// (it can show its values), and of these the smallest.
Finding merged_mismatch(const Group& group) {
  const auto& best = *std::ranges::min_element(group.members, {}, [](const Group::Member& member) {
    return std::tuple(-static_cast<int>(member.mismatch->clarity), member.trial->test.spec.hidden,
                      member.mismatch->elements);
  });
  Finding finding = *best.finding;
  finding.count = total_count(group);
  std::vector<std::string> others = case_names(group.members);
  std::erase(others, best.trial->test.spec.name);
  if (!others.empty()) {
    append_line(finding.note, fmt::format("also in {} {}: {}", others.size(), others.size() == 1 ? "case" : "cases",
                                          list_names(others)));
  }
  return finding;
}

/// Barriers that no case needs. Where something is wrong the advice would only distract, or be wrong itself: a case
/// that broke off does not show what it would have needed.
std::vector<Finding> barrier_advice(const Evidence& evidence, const std::vector<Finding>& others) {
  if (std::ranges::count(others, Severity::error, &Finding::severity) > 0) return {};
  vgpu::BarrierUsage usage;
  for (const Trial& trial : evidence.trials) usage.merge(trial.observed.barriers);
  return usage.advice();
}

}  // namespace

std::vector<Finding> merge_findings(const Evidence& evidence) {
  std::vector<Group> device, endings, mismatches;
  const auto same = [](const Group::Member& left, const Group::Member& right) {
    return same_bug(*left.finding, *right.finding);
  };
  for (const Trial& trial : evidence.trials) {
    const Judgement& judgement = trial.judged();
    for (const Finding& finding : judgement.device) {
      if (finding.id == finding_ids::kRedundantBarrier) continue;  // what one case says of a barrier is not the whole
      add_to_groups(device, {&finding, &trial}, same);
    }
    if (judgement.ending && !follows_from_another(trial, evidence.trials))
      add_to_groups(endings, {&*judgement.ending, &trial}, same);
    for (const Mismatch& mismatch : judgement.mismatches) {
      if (mismatch.follows) continue;
      add_to_groups(mismatches, {&mismatch.finding, &trial, &mismatch}, [](const auto& left, const auto& right) {
        return left.finding->id == right.finding->id && left.mismatch->output == right.mismatch->output;
      });
    }
  }

  std::vector<Finding> findings = evidence.build.findings;
  for (const bool failures : {false, true}) {
    const auto wanted = [failures](const Group& group) { return only_in_failures(group) == failures; };
    const auto first_of_device = static_cast<std::ptrdiff_t>(findings.size());
    std::ranges::transform(device | std::views::filter(wanted), std::back_inserter(findings), merged);
    std::stable_sort(findings.begin() + first_of_device, findings.end(), [](const Finding& left, const Finding& right) {
      const int left_rank = cause_rank(left), right_rank = cause_rank(right);
      return std::tie(left_rank, left.where.file, left.where.line, left.where.column) <
             std::tie(right_rank, right.where.file, right.where.line, right.where.column);
    });
    std::ranges::transform(endings | std::views::filter(wanted), std::back_inserter(findings), merged);
    std::ranges::transform(mismatches | std::views::filter(wanted), std::back_inserter(findings), merged_mismatch);
  }
  std::ranges::move(barrier_advice(evidence, findings), std::back_inserter(findings));
  std::ranges::stable_sort(findings, {}, &Finding::severity);
  return findings;
}

}  // namespace cudalabs
