// Elements are counted in groups of neighbours first; of groups in which some are there and some are not, each one.
#include "grading/counted_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "check/element_counts.h"
#include "check/input_reads.h"
#include "grading/input_reads_run.h"
#include "grading/second_run.h"
#include "sandbox/budget.h"

namespace cudalabs {
namespace {

using Counts = std::vector<std::int64_t>;

/// Of the input; of larger ones it is only asked how often the threads read each element.
constexpr std::int64_t kMostCounted = 8192, kMostAsked = 1 << 18;
/// A group is as large as a warp, or larger where there would be more groups than this.
constexpr std::int64_t kWarp = 32, kMostGroups = 128;
/// Programs are made to work on so many inputs.
constexpr std::size_t kMostInputs = 250;
/// A float holds all integers of 24 bits: digits of three groups, or of eight elements, of which each counts less.
constexpr int kGroupBits = 8, kElementBits = 3, kBits = 24;

/// A wrong sum of the case, which is all that is wrong with it; its numbers among the comparisons and mismatches.
struct WrongSum {
  CaseRun* case_run = nullptr;
  std::size_t comparison = 0, mismatch = 0;
  SummedInput input;
};

std::optional<WrongSum> wrong_sum_of(CaseRun& case_run, std::string_view output, std::int64_t most_elements) {
  const Judgement& judged = case_run.judged();
  const bool only_result = case_run.observed.end == RunEnd::finished && !judged.on_real_gpu && !judged.ending &&
                           !case_run.before && !case_run.test.spec.faults.any() &&
                           !case_run.observed.launches.empty() && !has_error(judged.device);
  if (!only_result) return std::nullopt;
  for (std::size_t number = 0; number < judged.mismatches.size(); ++number) {
    const Mismatch& mismatch = judged.mismatches[number];
    if (mismatch.output != output || mismatch.fault != Fault::wrong || mismatch.follows) continue;
    const auto comparison = std::ranges::find(judged.comparisons, mismatch.output, &Comparison::name);
    if (comparison == judged.comparisons.end()) continue;
    for (SummedInput& input : summed_inputs(*comparison, case_run.test)) {
      if (std::ssize(input.values) <= most_elements)
        return WrongSum{&case_run, static_cast<std::size_t>(comparison - judged.comparisons.begin()), number,
                        std::move(input)};
    }
  }
  return std::nullopt;
}

/// Numbers as the array has them; all are integers that its type holds.
std::vector<std::byte> bytes_of(const Counts& numbers, datasets::ElementType type) {
  const auto bytes = [&]<typename Value>(Value /*type*/) {
    const std::vector<Value> values(numbers.begin(), numbers.end());
    const auto all = std::as_bytes(std::span(values));
    return std::vector<std::byte>(all.begin(), all.end());
  };
  switch (type) {
    case datasets::ElementType::f32:
      return bytes(float{});
    case datasets::ElementType::f64:
      return bytes(double{});
    case datasets::ElementType::i32:
      return bytes(std::int32_t{});
    case datasets::ElementType::u8:
      break;
  }
  return {};
}

double number_in(const std::vector<std::byte>& bytes, datasets::ElementType type) {
  const auto number = [&]<typename Value>(Value value) {
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
    return static_cast<double>(value);
  };
  switch (type) {
    case datasets::ElementType::f32:
      return number(float{});
    case datasets::ElementType::f64:
      return number(double{});
    case datasets::ElementType::i32:
      return number(std::int32_t{});
    case datasets::ElementType::u8:
      break;
  }
  return std::nan("");
}

/// Some elements, of which it is asked how often they are in the sum together.
struct Group {
  std::int64_t begin = 0, end = 0;

  std::int64_t size() const { return end - begin; }
};

class Counting {
 public:
  Counting(const WrongSum& wrong, const AuditSetup& setup)
      : wrong_(wrong), setup_(setup), input_(wrong.case_run->test.inputs[wrong.input.number]) {}

  /// How often each element is in the sum; nothing where it is no sum of such elements, or it takes too long.
  std::optional<Counts> counts() {
    const std::int64_t n = std::ssize(wrong_.input.values);
    const std::int64_t size = std::max(kWarp, ((n + kMostGroups - 1) / kMostGroups + kWarp - 1) / kWarp * kWarp);
    std::vector<Group> groups;
    for (std::int64_t begin = 0; begin < n; begin += size) groups.push_back({begin, std::min(begin + size, n)});
    const auto sums = ask(groups, kGroupBits);
    if (!sums) return std::nullopt;
    Counts found(static_cast<std::size_t>(n));
    std::vector<Group> elements;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const auto [begin, end] = groups[i];
      if ((*sums)[i] % groups[i].size() == 0) {
        std::fill(found.begin() + begin, found.begin() + end, (*sums)[i] / groups[i].size());
      } else {
        for (std::int64_t k = begin; k < end; ++k) elements.push_back({k, k + 1});
      }
    }
    if (!elements.empty()) {
      const auto each = ask(elements, kElementBits);
      if (!each) return std::nullopt;
      for (std::size_t i = 0; i < elements.size(); ++i) found[static_cast<std::size_t>(elements[i].begin)] = (*each)[i];
    }
    return explains(found) ? std::optional(std::move(found)) : std::nullopt;
  }

 private:
  /// The sum of the student's elements, so often each, is what came out.
  bool explains(const Counts& counts) const {
    double sum = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) sum += static_cast<double>(counts[i]) * wrong_.input.values[i];
    return sum == got();
  }

  double got() const { return wrong_.case_run->judged().comparisons[wrong_.comparison].got[0]; }

  /// How often the elements of each group are in the sum together: each has a digit of so many bits. The first inputs
  /// are the usual one, which shows the copy that brings the sum, and ones in all groups, whose sum checks the digits.
  std::optional<Counts> ask(const std::vector<Group>& groups, int bits) {
    const auto digits = static_cast<std::size_t>(kBits / bits);
    if (groups.size() > (kMostInputs - 2) * digits) return std::nullopt;
    vgpu::MutantOrder order;
    order.inputs.push_back({input_.data, input_.data});
    const auto n = wrong_.input.values.size();
    Counts ones(n);
    for (const Group& group : groups) std::fill(ones.begin() + group.begin, ones.begin() + group.end, 1);
    order.inputs.push_back({input_.data, bytes_of(ones, input_.type)});
    for (std::size_t first = 0; first < groups.size(); first += digits) {
      Counts numbers(n);
      for (std::size_t digit = 0; digit < std::min(digits, groups.size() - first); ++digit) {
        const Group& group = groups[first + digit];
        std::fill(numbers.begin() + group.begin, numbers.begin() + group.end,
                  std::int64_t{1} << (static_cast<int>(digit) * bits));
      }
      order.inputs.push_back({input_.data, bytes_of(numbers, input_.type)});
    }
    return digits_of(run_on(order), groups.size(), bits);
  }

  /// Nothing where the digits are none.
  std::optional<Counts> digits_of(const std::vector<vgpu::Mutant>& mutants, std::size_t groups, int bits) const {
    if (mutants.size() < 2) return std::nullopt;
    const auto sum = sum_among(mutants.front());
    if (!sum) return std::nullopt;
    Counts numbers;
    for (const vgpu::Mutant& mutant : mutants) {
      if (mutant.results.size() <= *sum) return std::nullopt;
      const double number = number_in(mutant.results[*sum], input_.type);
      if (numbers.empty()) {
        numbers.push_back(0);  // of the usual input
        continue;
      }
      if (!(number >= 0) || number >= static_cast<double>(1 << kBits) || number != std::floor(number))
        return std::nullopt;
      numbers.push_back(static_cast<std::int64_t>(number));
    }
    const auto digits = static_cast<std::size_t>(kBits / bits);
    Counts counts;
    for (std::size_t group = 0; group < groups; ++group)
      counts.push_back(numbers[2 + group / digits] >> (static_cast<int>(group % digits) * bits) &
                       ((std::int64_t{1} << bits) - 1));
    // A digit that is too large has gone over to the next one.
    if (std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) != numbers[1]) return std::nullopt;
    return counts;
  }

  /// Which copy to the host brings the sum, of a program that worked on the usual input: the only one with that number.
  std::optional<std::size_t> sum_among(const vgpu::Mutant& usual) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < usual.results.size(); ++i) {
      const bool is_number = usual.results[i].size() == datasets::size_in_bytes(input_.type);
      if (!is_number || number_in(usual.results[i], input_.type) != got()) continue;
      if (found) return std::nullopt;
      found = i;
    }
    return found;
  }

  std::vector<vgpu::Mutant> run_on(const vgpu::MutantOrder& order) const {
    if (setup_.budget != nullptr && setup_.budget->spent() != sandbox::Budget::Spent::nothing) return {};
    RunRequest request = run_again(*wrong_.case_run, setup_);
    request.checks = false;
    request.mutants = &order;
    try {
      vgpu::MutantLog log = run(request).mutants;
      return log.complete ? std::move(log.mutants) : std::vector<vgpu::Mutant>();
    } catch (const std::runtime_error&) {
      return {};  // the verdict stands without it
    }
  }

  const WrongSum& wrong_;
  const AuditSetup& setup_;
  const datasets::Array& input_;
};

/// What the device did wrong comes before what came out, and of what the lab knows no more need be asked.
bool is_known_otherwise(const CaseRun& case_run) {
  const auto is_explained = [](const Mismatch& mismatch) { return mismatch.cause.has_value(); };
  return has_error(case_run.judged().device) || std::ranges::any_of(case_run.judged().mismatches, is_explained);
}

/// Of the cases with inputs of at most so many elements; of a hidden one, less can be told.
std::optional<WrongSum> smallest_wrong_sum(std::vector<CaseRun>& case_runs, std::string_view output,
                                           std::int64_t most_elements) {
  std::optional<WrongSum> smallest;
  const auto rank = [](const WrongSum& wrong) {
    return std::pair(wrong.case_run->test.spec.hidden, wrong.input.values.size());
  };
  for (CaseRun& case_run : case_runs) {
    auto wrong = wrong_sum_of(case_run, output, most_elements);
    if (wrong && (!smallest || rank(*wrong) < rank(*smallest))) smallest = std::move(wrong);
  }
  return smallest;
}

/// How large a hidden case is stays hidden, and which of its elements are meant would tell.
void leave_numbers_out(Finding& finding, const std::string& message, const Counts& counts, bool by_each_block) {
  const bool again = std::ranges::any_of(counts, [](std::int64_t count) { return count > 1; });
  finding.message = message + (again ? "; some elements are in it more than once" : "; some elements are not in it");
  finding.help = by_each_block ? fmt::format("each block of the launch reads these elements in line {}: {}",
                                             finding.where.line, kOneBlockAlone)
                 : again       ? "which two threads, or which two steps, take the same element?"
                         : "which thread takes the last elements, and which condition, step or number of elements may "
                           "leave some out?";
}

/// 0: all are 0.
std::int64_t least_above_zero(std::span<const std::uint32_t> counts) {
  std::int64_t least = 0;
  for (const std::int64_t count : counts)
    if (count > 0 && (least == 0 || count < least)) least = count;
  return least;
}

/// As often as each element is read, in units of one that is read least of all that are read, where the sum of these is
/// what came out, and not all are read alike.
std::optional<Counts> counts_of_read(const WrongSum& wrong, std::span<const vgpu::ArrayReads> reads) {
  const auto of_input =
      std::ranges::find(reads, wrong.case_run->test.inputs[wrong.input.number].name, &vgpu::ArrayReads::array);
  if (of_input == reads.end() || of_input->counts.size() != wrong.input.values.size()) return std::nullopt;
  const std::int64_t unit = least_above_zero(of_input->counts);
  Counts counts;
  double sum = 0;
  for (std::size_t i = 0; i < of_input->counts.size(); ++i) {
    if (unit == 0 || of_input->counts[i] % unit != 0) return std::nullopt;
    counts.push_back(of_input->counts[i] / unit);
    sum += static_cast<double>(counts.back()) * wrong.input.values[i];
  }
  const bool explains = sum == wrong.case_run->judged().comparisons[wrong.comparison].got[0];
  return explains && std::ranges::count(counts, 1) < std::ssize(counts) ? std::optional(std::move(counts))
                                                                        : std::nullopt;
}

void count_elements_of(std::string_view output, std::vector<CaseRun>& case_runs,
                       std::span<const Explanation> explanations, const AuditSetup& setup) {
  const auto is_hidden = [](const WrongSum& wrong) { return wrong.case_run->test.spec.hidden; };
  auto smallest = smallest_wrong_sum(case_runs, output, kMostCounted);
  std::optional<Counts> counts;
  std::vector<vgpu::ArrayReads> reads_of_inputs;
  // Of a larger case that is not hidden more can be told.
  auto larger = !smallest || is_hidden(*smallest) ? smallest_wrong_sum(case_runs, output, kMostAsked) : std::nullopt;
  if (larger && (!smallest || !is_hidden(*larger))) {
    reads_of_inputs = reads_of(*larger->case_run, setup);
    counts = counts_of_read(*larger, reads_of_inputs);
    if (counts || !smallest) smallest = std::move(larger);
  }
  if (smallest && !counts) {
    if (std::ssize(smallest->input.values) > kMostCounted) return;
    counts = Counting(*smallest, setup).counts();
    if (counts) reads_of_inputs = reads_of(*smallest->case_run, setup);
  }
  if (!counts) return;
  Judgement& judgement = *smallest->case_run->judgement;
  Mismatch& mismatch = judgement.mismatches[smallest->mismatch];
  const std::string message = mismatch.finding.message;
  name_counts(mismatch, *counts, judgement.comparisons[smallest->comparison], smallest->case_run->observed,
              explanations);
  const std::string& input = smallest->case_run->test.inputs[smallest->input.number].name;
  bool by_each_block = false;
  for (const vgpu::ArrayReads& reads : reads_of_inputs) {
    if (reads.array == input)
      by_each_block = name_readers(mismatch, *counts, reads, smallest->case_run->observed.launches);
  }
  if (smallest->case_run->test.spec.hidden && mismatch.finding.message != message)
    leave_numbers_out(mismatch.finding, message, *counts, by_each_block);
}

}  // namespace

void count_elements(std::vector<CaseRun>& case_runs, std::span<const Explanation> explanations,
                    const AuditSetup& setup) {
  if (std::ranges::any_of(case_runs, is_known_otherwise)) return;
  std::set<std::string> outputs;
  for (const CaseRun& case_run : case_runs) {
    for (const Mismatch& mismatch : case_run.judged().mismatches) outputs.insert(mismatch.output);
  }
  for (const std::string& output : outputs) count_elements_of(output, case_runs, explanations, setup);
}

}  // namespace cudalabs
