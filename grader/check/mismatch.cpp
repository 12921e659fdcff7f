// A comparison that failed, as findings a student can act on.
#include "check/mismatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "check/carried_value.h"
#include "check/case_name.h"
#include "check/explanations.h"
#include "check/misplaced_rows.h"
#include "check/value_pattern.h"
#include "datasets/answer_digest.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// Of some elements, of all, and of the only one; filled in with the output's name and the place.
struct Wording {
  Fault fault;
  std::string_view id, what, everywhere, single, help;
};
constexpr Wording kWordings[] = {
    {Fault::unwritten, finding_ids::kUnwrittenOutput, "`{}` was never written {}",
     "no element of `{}` was ever written", "`{}` was never written",
     "each element must be stored by one thread: compare the number of threads, blocks times threads a block, with the "
     "number of elements, and look at the guard"},
    {Fault::nonfinite, finding_ids::kNonfiniteResult, "`{}` is NaN or infinite {}",
     "`{}` is NaN or infinite everywhere", "`{}` is NaN or infinite",
     "look for a division by 0, a sum that does not start at 0, or an array that should be `__shared__`; a value from "
     "outside an array, or one too large for half precision, also ends up here"},
    {Fault::touched, finding_ids::kResultMismatch, "`{}` was written {}", "`{}` was written", "`{}` was written",
     "when a call fails, copy nothing to the output, whose caller may still need what is there: free what is "
     "allocated, and return"},
    {Fault::wrong, finding_ids::kResultMismatch, "`{}` is wrong {}", "`{}` is wrong everywhere", "`{}` is wrong",
     "compute the first wrong element by hand, and follow the one thread that stores it"},
};

/// What a place says about the cause; empty when it says nothing.
Help help_for(Fault fault, RegionKind where, bool one_axis) {
  if (fault == Fault::nonfinite || fault == Fault::touched) return {};
  switch (where) {
    case RegionKind::partial_block:
      return fault == Fault::unwritten
                 ? Help(Advice::round_up_blocks)
                 : "look at what happens at the edge, where a block lies partly outside the array: elements "
                   "outside must count as 0, and elements inside must not be skipped";
    case RegionKind::past_block:
      return "look at how many blocks there are, and at how the block's number enters the index";
    case RegionKind::past_threads:
      if (fault == Fault::unwritten) break;
      return "there are fewer threads than elements, and only the first elements are right: does a thread that does "
             "several set everything anew for each of them, such as a sum, and does its index go on by the number of "
             "all threads?";
    // Where values are wrong, and not only missing, the place alone says little.
    case RegionKind::rows:
      return fault == Fault::unwritten ? "look at how the row index is computed and guarded" : "";
    case RegionKind::columns:
      return fault != Fault::unwritten ? ""
             : one_axis                ? "look at how the index is computed and guarded"
                                       : "look at how the column index is computed and guarded";
    case RegionKind::everywhere:
      if (fault == Fault::unwritten) {
        return "follow one element: which thread stores it, and, where the output is an array of the host, which copy "
               "brings it back after the kernel?";
      }
      break;
    case RegionKind::one_element:
    case RegionKind::piece:
    case RegionKind::repeated_gap:
    case RegionKind::scattered:
      break;
    case RegionKind::every_few:
      if (fault == Fault::unwritten) break;
      return "the elements beside these are right: look at what is computed for these alone, and compare it with what "
             "is computed for their neighbours";
  }
  return {};
}

/// There was nothing to compute with.
bool has_no_input(const datasets::Case& test) {
  return !test.inputs.empty() &&
         std::ranges::all_of(test.inputs, [](const datasets::Array& input) { return input.elements() == 0; });
}

/// A value as its type shows it: integers in full.
std::string number_text(const Comparison& comparison, double value) {
  const bool integer = comparison.type == datasets::ElementType::i32 || comparison.type == datasets::ElementType::u8;
  if (std::isnan(value)) return "NaN";
  return integer ? fmt::format("{:.0f}", value) : fmt::format("{:.8g}", value);
}

/// "-1, expected 2 ± 0.001"
std::string value_text(const Comparison& comparison, const Element& element) {
  return fmt::format("{}, expected {}{}", number_text(comparison, element.got),
                     number_text(comparison, element.expected),
                     element.bound > 0 ? fmt::format(" ± {:.1g}", element.bound) : "");
}

std::string place_and_value(const Comparison& comparison, const Element& element) {
  return fmt::format("{} is {}", comparison.place(element.index), value_text(comparison, element));
}

/// The number answers another question, and the student has that one right.
std::string_view question_answered(const Comparison& comparison, std::int64_t number) {
  for (std::size_t i = 0; i < comparison.questions.size(); ++i) {
    const std::string& other = comparison.questions[i].name;
    if (comparison.fault[i] == Fault::none && datasets::is_right_answer(other, number)) return other;
  }
  return {};
}

/// Of the only wrong answer: what it counts, if that is known; the right one stays a secret.
std::string help_for_answer(const Comparison& comparison, std::size_t at) {
  const auto number = static_cast<std::int64_t>(comparison.got[at]);
  if (const auto mistake = datasets::miscount_of(comparison.questions[at].name, number); !mistake.empty())
    return fmt::format("the other answers are right; this one is what comes out when {}", mistake);
  if (const auto other = question_answered(comparison, number); !other.empty())
    return fmt::format("the other answers are right, and this number answers `{}`: look at what this one asks for",
                       other);
  return "the other answers are right: count this one again, step by step";
}

/// The wrong answers, each with what helps to find the right one.
Mismatch mismatch_of_answers(const Comparison& comparison, const datasets::Case& test) {
  std::vector<std::string> names;
  Mismatch mismatch;
  mismatch.output = comparison.name;
  mismatch.fault = Fault::wrong;
  mismatch.elements = comparison.elements();
  mismatch.clarity = Clarity::values;
  Finding& finding = mismatch.finding;
  finding.id = finding_ids::kResultMismatch;
  finding.note = describe(test.spec);
  for (std::int64_t i = 0; i < comparison.elements(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (comparison.fault[at] == Fault::none) continue;
    const datasets::Question& question = comparison.questions[at];
    names.push_back(question.name);
    finding.note +=
        fmt::format("\n`{}` is {}: {}", question.name, number_text(comparison, comparison.got[at]), question.hint);
  }
  finding.count = names.size();
  finding.subject = names.front();
  finding.message = fmt::format("{} {} wrong", list_names(names, names.size()), names.size() == 1 ? "is" : "are");
  const auto first = static_cast<std::size_t>(
      std::ranges::find_if(comparison.fault, [](Fault fault) { return fault != Fault::none; }) -
      comparison.fault.begin());
  finding.help =
      names.size() == 1 ? help_for_answer(comparison, first) : "think of the first one; the others may follow from it";
  return mismatch;
}

std::string facts(const Comparison& comparison, const datasets::CaseSpec& spec, Fault fault) {
  std::string text = describe(spec);
  if (comparison.elements() == 1) return text;  // its value is part of the message
  text += fmt::format(": {} of {} elements", comparison.count(fault), comparison.elements());
  const auto first = comparison.first(fault);
  if (spec.hidden || !first) return text;
  if (fault == Fault::touched) {
    return text + fmt::format("\nfirst: {} is {}", comparison.place(first->index), number_text(comparison, first->got));
  }
  if (fault == Fault::unwritten) return text + fmt::format("\nfirst: {}", comparison.place(first->index));
  text += "\nfirst: " + place_and_value(comparison, *first);
  const auto worst = fault == Fault::wrong ? comparison.worst() : std::nullopt;
  if (worst && worst->index != first->index) text += "\nworst: " + place_and_value(comparison, *worst);
  return text;
}

/// What is wrong and where; of a single number also its value, unless the case is hidden.
std::string message_of(const Wording& wording, const Comparison& comparison, const Region& region, bool hidden) {
  if (comparison.elements() == 1) {
    std::string text = fmt::format(fmt::runtime(wording.single), comparison.name);
    const bool tells = !hidden && (wording.fault == Fault::wrong || wording.fault == Fault::nonfinite);
    return tells ? text + ": " + value_text(comparison, *comparison.first(wording.fault)) : text;
  }
  std::string_view where = region.where;
  constexpr std::string_view kOnly = "only ";
  if (wording.fault == Fault::unwritten && where.starts_with(kOnly)) where.remove_prefix(kOnly.size());
  return fmt::format(fmt::runtime(region.kind == RegionKind::everywhere ? wording.everywhere : wording.what),
                     comparison.name, where);
}

/// What a lab knows of its own mistakes says more than what holds for any array.
std::optional<ValuePattern> pattern_of(const Comparison& comparison, const datasets::Case& test,
                                       std::optional<BlockShape> block, std::span<const Explanation> explanations) {
  if (auto pattern = explain(explanations, comparison, test, block)) return pattern;
  if (auto pattern = carried_over(comparison, block)) return pattern;
  if (auto pattern = explain_values(comparison)) return pattern;
  return misplaced_rows(comparison);
}

Clarity clarity_of(const std::optional<ValuePattern>& pattern, RegionKind region) {
  if (pattern) return pattern->sure ? Clarity::values : Clarity::guess;
  const bool tells_nothing =
      region == RegionKind::everywhere || region == RegionKind::piece || region == RegionKind::scattered;
  return tells_nothing ? Clarity::none : Clarity::place;
}

Mismatch mismatch_of(const Wording& wording, const Comparison& comparison, const datasets::Case& test,
                     std::optional<BlockShape> block, std::span<const Explanation> explanations) {
  const Region region = locate(mask_of(comparison, wording.fault), block);
  const auto pattern = wording.fault == Fault::wrong ? pattern_of(comparison, test, block, explanations) : std::nullopt;
  Mismatch mismatch;
  mismatch.output = comparison.name;
  mismatch.fault = wording.fault;
  mismatch.elements = comparison.elements();
  mismatch.region = region.kind;
  if (mismatch.elements > 1) mismatch.lines = region.lines;
  mismatch.clarity = clarity_of(pattern, region.kind);
  Finding& finding = mismatch.finding;
  finding.id = wording.id;
  finding.message = message_of(wording, comparison, region, test.spec.hidden);
  if (wording.fault == Fault::touched) finding.message += kAlthoughFailed;
  if (pattern) finding.message += "; " + pattern->what;
  if (pattern && pattern->kind == ValueKind::known_to_the_lab && pattern->sure) mismatch.cause = pattern;
  mismatch.pattern = pattern;
  finding.count = static_cast<std::uint64_t>(comparison.count(wording.fault));
  finding.note = facts(comparison, test.spec, wording.fault);
  mismatch.after_failure = wording.fault == Fault::touched;
  finding.subject = comparison.name;
  finding.help = help_for(wording.fault, region.kind, comparison.shape.size() < 2);
  if (wording.fault == Fault::unwritten && has_no_input(test)) finding.help = Advice::result_without_input;
  if (finding.help.empty()) finding.help = wording.help;
  if (pattern && !pattern->help.empty()) finding.help = pattern->help;
  return mismatch;
}

}  // namespace

std::string returns_error(std::string_view call) {
  return fmt::format(": `{}` returns the error here", call);
}

std::vector<Mismatch> mismatches_of(const Comparison& comparison, const datasets::Case& test,
                                    std::optional<BlockShape> block, std::span<const Explanation> explanations) {
  std::vector<Mismatch> found;
  if (comparison.misfit) {
    Mismatch mismatch;
    mismatch.output = comparison.name;
    mismatch.finding.id = finding_ids::kUnwrittenOutput;
    mismatch.finding.message = *comparison.misfit;
    mismatch.finding.subject = comparison.name;
    mismatch.finding.note = describe(test.spec);
    found.push_back(std::move(mismatch));
    return found;
  }
  if (!comparison.questions.empty()) {
    if (!comparison.right()) found.push_back(mismatch_of_answers(comparison, test));
    return found;
  }
  for (const Wording& wording : kWordings) {
    if (comparison.count(wording.fault) > 0)
      found.push_back(mismatch_of(wording, comparison, test, block, explanations));
  }
  return found;
}

}  // namespace cudalabs
