#include "grading/input_reads_run.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "check/input_reads.h"
#include "grading/second_run.h"
#include "sandbox/budget.h"

namespace cudalabs {
namespace {

/// Of a case's inputs and outputs together: all its kernels run once more, and each access is written down.
constexpr std::int64_t kMostRead = 1 << 16;

/// Its values are all that is wrong with it, and nothing is known of them yet.
bool has_open_mismatch(const CaseRun& case_run) {
  const Judgement& judged = case_run.judged();
  const bool only_result = case_run.observed.end == RunEnd::finished && !judged.on_real_gpu && !judged.ending &&
                           !case_run.before && !case_run.test.spec.faults.any() &&
                           !case_run.observed.launches.empty() && !has_error(judged.device) &&
                           case_run.test.elements() <= kMostRead;
  if (!only_result || judged.mismatches.size() != 1) return false;
  const Mismatch& mismatch = judged.mismatches.front();
  return mismatch.fault == Fault::wrong && !mismatch.follows && !mismatch.pattern;
}

}  // namespace

std::vector<vgpu::ArrayReads> reads_of(const CaseRun& case_run, const AuditSetup& setup) {
  if (setup.budget != nullptr && setup.budget->spent() != sandbox::Budget::Spent::nothing) return {};
  vgpu::MutantOrder order;
  order.reads = true;
  RunRequest request = run_again(case_run, setup);
  request.checks = false;
  request.mutants = &order;
  try {
    vgpu::MutantLog log = run(request).mutants;
    return log.complete ? std::move(log.reads) : std::vector<vgpu::ArrayReads>();
  } catch (const std::runtime_error&) {
    return {};  // the verdict stands without it
  }
}

void count_product_reads(std::vector<CaseRun>& case_runs, const AuditSetup& setup) {
  CaseRun* smallest = nullptr;
  for (CaseRun& case_run : case_runs) {
    const auto is_explained = [](const Mismatch& mismatch) { return mismatch.cause.has_value(); };
    if (has_error(case_run.judged().device) || std::ranges::any_of(case_run.judged().mismatches, is_explained)) return;
    if (!has_open_mismatch(case_run)) continue;
    // Of a hidden case less can be told.
    const auto rank = [](const CaseRun& each) { return std::pair(each.test.spec.hidden, each.test.elements()); };
    if (smallest == nullptr || rank(case_run) < rank(*smallest)) smallest = &case_run;
  }
  if (smallest == nullptr) return;
  Judgement& judgement = *smallest->judgement;
  Mismatch& mismatch = judgement.mismatches.front();
  const auto comparison = std::ranges::find(judgement.comparisons, mismatch.output, &Comparison::name);
  if (comparison == judgement.comparisons.end() || comparison->shape.size() != 2) return;
  name_product_reads(mismatch, *comparison, smallest->test, reads_of(*smallest, setup));
}

}  // namespace cudalabs
