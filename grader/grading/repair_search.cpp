// All changes are tried on the smallest wrong case, and those that help there on others.
#include "grading/repair_search.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>

#include "build/recipe.h"
#include "explain/repairs/repair.h"
#include "grading/second_run.h"
#include "sandbox/budget.h"

namespace cudalabs {
namespace {

/// Elements of a case's inputs and outputs together. A mutant executes all kernels anew.
constexpr std::int64_t kMostElements = 1 << 16;
/// Of a right case, on which only those are tried that have helped.
constexpr std::int64_t kMostElementsOfRight = 1 << 18;
/// More wrong ones are not tried.
constexpr std::size_t kMostWrong = 3;

bool is_error(const Finding& finding) {
  return finding.severity == Severity::error;
}

/// Its results are all that may be wrong with it.
bool may_be_tried(const CaseRun& case_run) {
  const std::int64_t elements = case_run.test.elements();
  return case_run.observed.end == RunEnd::finished && !case_run.judged().on_real_gpu && !case_run.before &&
         !case_run.test.spec.faults.any() && !case_run.observed.launches.empty() && elements > 0 &&
         elements <= (case_run.judged().mismatches.empty() ? kMostElementsOfRight : kMostElements) &&
         std::ranges::none_of(case_run.judged().device, is_error);
}

std::optional<std::uint32_t> extent_of(const vgpu::LaunchConfig& config, std::string_view name) {
  const bool is_block = name.starts_with("blockDim."), is_grid = name.starts_with("gridDim.");
  if ((!is_block && !is_grid) || (!name.ends_with(".x") && !name.ends_with(".y"))) return std::nullopt;
  const auto& extents = is_block ? config.block : config.grid;
  return extents[name.ends_with(".x") ? 0 : 1];
}

/// What is tried together. Nearly every mistake that is found is found by the first two.
struct Stage {
  vgpu::MutationKind first, last;
  vgpu::MutantOrder::Launches launches;
};
constexpr std::array<Stage, 3> kStages{{
    {vgpu::MutationKind::comparison, vgpu::MutationKind::parameter, vgpu::MutantOrder::Launches::arguments},
    {vgpu::MutationKind::factor, vgpu::MutationKind::factor, vgpu::MutantOrder::Launches::none},
    {vgpu::MutationKind::condition, vgpu::MutationKind::value, vgpu::MutantOrder::Launches::shapes},
}};

constexpr std::size_t kLikelyStages = 2;

/// "lt" becomes "le": one of two that compare alike but for equal numbers.
bool moves_an_end(const vgpu::Mutant& mutant) {
  const auto first_letter = [](const std::string& relation) { return relation.empty() ? ' ' : relation.front(); };
  return mutant.kind == vgpu::MutationKind::comparison &&
         first_letter(mutant.original) == first_letter(mutant.replacement);
}

/// What blocks, or threads, did before they do not do any more: that is no repair, although it makes the results right.
/// What ends one earlier or later may leave those idle that had nothing to do; and what is compared or computed
/// otherwise may be meant for other threads, but not for other blocks. What is only handed on is the same for all, but
/// for sizes that change their places.
bool leaves_without_work(const vgpu::Mutant& mutant) {
  const bool copies_argument = mutant.change == vgpu::Mutant::Change::argument && mutant.replacement.empty();
  const bool hands_on =
      copies_argument || (mutant.change == vgpu::Mutant::Change::code && mutant.kind == vgpu::MutationKind::parameter);
  if (mutant.change == vgpu::Mutant::Change::code && moves_an_end(mutant)) return false;
  return hands_on ? mutant.lost.threads > 0 : mutant.lost.blocks > 0;
}

class Search {
 public:
  Search(const std::vector<CaseRun>& case_runs, const AuditSetup& setup) : setup_(setup) {
    order_.file = std::string(builder::kSubmissionFolder) + "/" + setup.lab->contract.source;
    for (const CaseRun& case_run : case_runs) {
      if (may_be_tried(case_run)) (case_run.judged().mismatches.empty() ? right_ : wrong_).push_back(&case_run);
    }
    const auto elements = [](const CaseRun* case_run) { return case_run->test.elements(); };
    std::ranges::stable_sort(wrong_, {}, elements);
    std::ranges::stable_sort(right_, {}, elements);
    // The smallest, on which all is tried, and the largest, on which little helps that is no repair.
    if (wrong_.size() > 1) std::reverse(wrong_.begin() + 1, wrong_.end());
    wrong_.resize(std::min(wrong_.size(), kMostWrong));
  }

  /// Those of the first stage that has any.
  Repairs repairs(std::size_t stages) {
    Repairs found;
    found.cases = static_cast<std::uint32_t>(wrong_.size());
    if (wrong_.empty()) return found;
    for (const Stage& stage : std::span(kStages).first(stages)) {
      order_ = {order_.file, {}, stage.launches, stage.first, stage.last, false, {}};
      for (const vgpu::Mutant& mutant : helpful_everywhere()) {
        found.all.push_back(
            {mutant, place_of(mutant), value_everywhere(mutant.original), value_everywhere(mutant.replacement)});
      }
      if (!found.all.empty()) break;
    }
    return found;
  }

 private:
  bool goes_on() const { return setup_.budget == nullptr || setup_.budget->spent() == sandbox::Budget::Spent::nothing; }

  /// Runs the case and the mutants that are ordered; an incomplete log when nothing is left of the budget, or it cannot
  /// be done: the verdict stands without it.
  vgpu::MutantLog run_case(const CaseRun& case_run) const {
    if (!goes_on()) return {};
    RunRequest request = run_again(case_run, setup_);
    request.checks = false;
    request.mutants = &order_;
    try {
      return run(request).mutants;
    } catch (const std::runtime_error&) {
      return {};
    }
  }

  /// Of the mutants that are ordered those that make all wrong cases right, no right one wrong, and nothing worse: a
  /// race, say, which gives right results in the usual order.
  std::vector<vgpu::Mutant> helpful_everywhere() {
    std::vector<vgpu::Mutant> helpful;
    for (const CaseRun* case_run : wrong_) {
      if (!take_right(*case_run, helpful)) return {};
    }
    for (const CaseRun* case_run : right_) {
      const vgpu::MutantLog log = run_case(*case_run);
      if (!log.complete) return {};
      // What it was too much to try may be wrong here: the others are made in their order.
      helpful.resize(std::min<std::size_t>(helpful.size(), log.made));
      // Those that are not in the log have come to the same, right results.
      std::erase_if(helpful, [&](const vgpu::Mutant& mutant) {
        const auto other = std::ranges::find(log.mutants, mutant.number, &vgpu::Mutant::number);
        return other != log.mutants.end() && !is_right(*other, case_run->test);
      });
      if (helpful.empty()) return {};
      order_only(helpful);
    }
    order_.checks = true;
    if (!take_right(*wrong_.front(), helpful)) return {};
    std::erase_if(helpful, [](const vgpu::Mutant& mutant) { return !mutant.clean || leaves_without_work(mutant); });
    for (vgpu::Mutant& mutant : helpful) mutant.results.clear();
    return helpful;
  }

  /// The ordered mutants that make the case right become `helpful`, and are ordered alone from now on. False when there
  /// are none.
  bool take_right(const CaseRun& case_run, std::vector<vgpu::Mutant>& helpful) {
    vgpu::MutantLog log = run_case(case_run);
    std::erase_if(log.mutants, [&](const vgpu::Mutant& mutant) { return !is_right(mutant, case_run.test); });
    helpful = std::move(log.mutants);
    order_only(helpful);
    return log.complete && !helpful.empty();
  }

  void order_only(const std::vector<vgpu::Mutant>& mutants) {
    order_.numbers.clear();
    for (const vgpu::Mutant& mutant : mutants) order_.numbers.push_back(mutant.number);
  }

  /// Of `blockDim.x` and its like, where all launches have the same.
  std::optional<std::uint32_t> value_everywhere(std::string_view name) const {
    std::optional<std::uint32_t> value;
    for (const auto* case_runs : {&wrong_, &right_}) {
      for (const CaseRun* case_run : *case_runs) {
        for (const vgpu::LaunchCounters& launch : case_run->observed.launches) {
          const std::optional<std::uint32_t> own = extent_of(launch.config, name);
          if (!own || (value && own != value)) return std::nullopt;
          value = own;
        }
      }
    }
    return value;
  }

  SourcePlace place_of(const vgpu::Mutant& mutant) const {
    if (mutant.change == vgpu::Mutant::Change::code)
      return {setup_.source.string(), mutant.where.line, mutant.where.column};
    Finding finding;
    place_at_call(finding, mutant.launch, run_again(*wrong_.front(), setup_));
    return finding.where;
  }

  const AuditSetup& setup_;
  std::vector<const CaseRun*> wrong_, right_;
  vgpu::MutantOrder order_;
};

}  // namespace

Repairs find_repairs(const std::vector<CaseRun>& case_runs, RepairEffort effort, const AuditSetup& setup) {
  if (effort == RepairEffort::none) return {};
  return Search(case_runs, setup).repairs(effort == RepairEffort::all ? kStages.size() : kLikelyStages);
}

}  // namespace cudalabs
