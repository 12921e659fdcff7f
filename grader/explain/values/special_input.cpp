// Each element of the output is held against that of the input which has its number.
#include "explain/values/special_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "check/origin_place.h"
#include "datasets/array.h"
#include "explain/elements/seen_output.h"
#include "source/bits_text.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

enum Special : std::size_t { kZero, kSubnormal, kInfinite, kSpecials, kOrdinary = kSpecials };

Special kind_of(float value) {
  switch (std::fpclassify(value)) {
    case FP_ZERO:
      return kZero;
    case FP_SUBNORMAL:
      return kSubnormal;
    case FP_INFINITE:
      return kInfinite;
    default:
      return kOrdinary;
  }
}

/// The ordinary values of some elements' inputs.
struct Values {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  double nearest = lowest, farthest = 0;  // from 0

  void add(double value) {
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
    nearest = std::min(nearest, std::abs(value));
    farthest = std::max(farthest, std::abs(value));
  }
};

/// How many elements of an output are wrong, and how many are right, by the kind of the input.
struct Counts {
  std::array<std::int64_t, kSpecials + 1> wrong = {}, right = {};
  Values wrong_values, right_values;

  void add(float input, bool is_right) {
    const Special kind = kind_of(input);
    ++(is_right ? right : wrong).at(kind);
    if (kind == kOrdinary) (is_right ? right_values : wrong_values).add(input);
  }

  /// "0 or subnormal", "200.5 or more": just the elements with such an input are wrong, and enough of both were seen
  /// that it is no chance. Empty where no such words are true.
  std::string kinds() const {
    constexpr std::int64_t kFewestWrong = 3, kFewestRight = 32;
    std::int64_t special = 0;
    for (std::size_t kind = 0; kind < kSpecials; ++kind) {
      if (wrong.at(kind) > 0 && right.at(kind) > 0) return {};
      special += wrong.at(kind);
    }
    if (special + wrong.at(kOrdinary) < kFewestWrong || right.at(kOrdinary) < kFewestRight) return {};
    if (special == 0) return limits();
    return wrong.at(kOrdinary) == 0 ? special_kinds() : std::string();
  }

 private:
  std::string special_kinds() const {
    constexpr std::array<std::string_view, kSpecials> kWords{"0", "subnormal", "infinite"};
    std::vector<std::string_view> words;
    for (std::size_t kind = 0; kind < kSpecials; ++kind)
      if (wrong.at(kind) > 0) words.push_back(kWords.at(kind));
    return fmt::format("{}", fmt::join(words, " or "));
  }

  /// Values on one side of a limit. Those of 0 are right.
  std::string limits() const {
    if (wrong_values.lowest > std::max(right_values.highest, 0.0))
      return fmt::format("{} or more", told(wrong_values.lowest));
    if (wrong_values.highest < std::min(right_values.lowest, 0.0))
      return fmt::format("{} or less", told(wrong_values.highest));
    if (wrong_values.nearest <= right_values.farthest) return {};
    return fmt::format("{0} or more, or -{0} or less", told(wrong_values.nearest));
  }

  static std::string told(double value) { return fmt::format("{:g}", value); }
};

/// False where the case has no such input, or the output has elements with another fault.
bool count_case(const CaseRun& case_run, const Comparison& comparison, const std::string& name, Fault wanted,
                Counts& counts) {
  const auto input = std::ranges::find(case_run.test.inputs, name, &datasets::Array::name);
  if (input == case_run.test.inputs.end() || input->type != datasets::ElementType::f32 ||
      input->elements() != comparison.elements())
    return false;
  const std::vector<float> values = datasets::values_of<float>(*input);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool right = comparison.fault[i] == Fault::none;
    if (!right && comparison.fault[i] != wanted) return false;
    counts.add(values[i], right);
  }
  return true;
}

/// Of all cases whose output was compared, right ones, too.
std::optional<Counts> counts_of(const MergedFinding& finding, const std::string& input,
                                const SubmissionRun& submission_run) {
  const Fault wanted = finding.id == finding_ids::kNonfiniteResult ? Fault::nonfinite : Fault::wrong;
  Counts counts;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!case_run.judgement || case_run.test.spec.faults.any()) continue;
    const auto& comparisons = case_run.judgement->comparisons;
    const auto found = std::ranges::find(comparisons, finding.output, &Comparison::name);
    if (found == comparisons.end() || found->misfit) continue;
    if (!count_case(case_run, *found, input, wanted, counts)) return std::nullopt;
  }
  return counts.kinds().empty() ? std::nullopt : std::optional(counts);
}

/// The input's name, and what was counted.
struct SpecialInput {
  std::string name;
  Counts counts;
};

std::optional<SpecialInput> special_input_of(const MergedFinding& finding, const SubmissionRun& submission_run) {
  const std::vector<SeenOutput> seen = outputs_seen_in(finding, submission_run);
  if (seen.empty() || seen.front().comparison == nullptr) return std::nullopt;
  for (const datasets::Array& input : seen.front().case_run->test.inputs) {
    if (input.type != datasets::ElementType::f32) continue;
    if (const auto counts = counts_of(finding, input.name, submission_run)) return SpecialInput{input.name, *counts};
  }
  return std::nullopt;
}

void show_bits(MergedFinding& finding, std::uint32_t line, const std::string& kinds) {
  finding.help = fmt::format(
      "line {} works on the bits of a `float`: is that right where the number is {}? Other numbers come out right; "
      "compute with the `float` itself, which is right for all of them",
      line, kinds);
  if (finding.where.line == line) {
    finding.other.reset();
    return;
  }
  finding.other = OtherPlace{std::string(kStoredHere), finding.where, {}, {}};
  finding.where = {finding.where.file, line, 0};
  finding.kernel.clear();
}

bool is_open(const MergedFinding& finding) {
  const bool of_values = finding.id == finding_ids::kResultMismatch || finding.id == finding_ids::kNonfiniteResult;
  return of_values && finding.detector.empty() && !finding.values && !finding.right_at_first && !finding.proven &&
         finding.where.known();
}

}  // namespace

void show_special_inputs(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                         const SubmissionRun& submission_run) {
  for (MergedFinding& finding : findings) {
    if (!is_open(finding) || !finding.is_in_file(file)) continue;
    const auto special = special_input_of(finding, submission_run);
    if (!special) continue;
    const bool nonfinite = finding.id == finding_ids::kNonfiniteResult;
    finding.message = fmt::format("`{}` is {} just where the input `{}` is {}", finding.output,
                                  nonfinite ? "NaN or infinite" : "wrong", special->name, special->counts.kinds());
    if (special->counts.wrong[kSubnormal] > 0) finding.note += "\na subnormal number is closer to 0 than 1.18e-38";
    if (nonfinite) continue;
    finding.proven = true;
    finding.help = Help::where_to_look(fmt::format(
        "for all other inputs the results are right: follow one element whose input is {}, and look at what each step "
        "makes of it",
        special->counts.kinds()));
    if (special->counts.wrong[kOrdinary] > 0) {
      finding.help = Help::where_to_look(fmt::format(
          "for all other inputs the results are right: is there a limit, a comparison, or a type that cannot hold such "
          "a value? Follow one element whose input is {}",
          special->counts.kinds()));
      continue;
    }
    if (const auto line = only_float_bits(without_comments(source))) show_bits(finding, *line, special->counts.kinds());
  }
}

}  // namespace cudalabs
