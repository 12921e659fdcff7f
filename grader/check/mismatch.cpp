// A comparison that failed, as findings a student can act on.
#include "check/mismatch.h"

#include <fmt/format.h>

#include <string_view>

#include "check/case_name.h"
#include "check/product_pattern.h"
#include "check/value_pattern.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

struct Wording {
  Fault fault;
  std::string_view id, what, everywhere, help;
};
constexpr Wording kWordings[] = {
    {Fault::unwritten, finding_ids::kUnwrittenOutput, "`{}` was never written {}",
     "no element of `{}` was ever written",
     "each element must be stored by one thread: compare the number of threads, blocks times threads a block, with the "
     "number of elements, and look at the guard"},
    {Fault::nonfinite, finding_ids::kNonfiniteResult, "`{}` is NaN or infinite {}",
     "`{}` is NaN or infinite everywhere",
     "a sum that does not start at 0, or a value read from outside an array, ends up here"},
    {Fault::wrong, finding_ids::kResultMismatch, "`{}` is wrong {}", "`{}` is wrong everywhere",
     "compute the first wrong element by hand, and follow the one thread that stores it"},
};

/// What a place says about the cause; empty when it says nothing.
std::string_view help_for(Fault fault, RegionKind where) {
  if (fault == Fault::nonfinite) return {};
  switch (where) {
    case RegionKind::partial_tile:
      return fault == Fault::unwritten
                 ? "the number of blocks must be rounded up: `(size + block - 1) / block`, in integers"
                 : "look at what happens at the edge, where a block sticks out of the matrix: what lies outside must "
                   "count as 0, and what lies inside must not be skipped";
    case RegionKind::past_tile:
      return "look at how many blocks there are, and at how the block's number enters the index";
    case RegionKind::rows:
      return "look at how the row index is computed and guarded";
    case RegionKind::columns:
      return "look at how the column index is computed and guarded";
    case RegionKind::everywhere:
    case RegionKind::one_element:
    case RegionKind::scattered:
      break;
  }
  return {};
}

std::string element_text(std::string_view which, const Comparison& comparison, const Element& element) {
  return fmt::format("{}: {} is {:.8g}, expected {:.8g}{}", which, comparison.place(element.index), element.got,
                     element.expected, element.bound > 0 ? fmt::format(" ± {:.1g}", element.bound) : "");
}

std::string facts(const Comparison& comparison, const datasets::CaseSpec& spec, Fault fault) {
  std::string text =
      fmt::format("{}: {} of {} elements", describe(spec), comparison.count(fault), comparison.elements());
  const auto first = comparison.first(fault);
  if (spec.hidden || !first) return text;
  if (fault == Fault::unwritten) return text + fmt::format("\nfirst: {}", comparison.place(first->index));
  text += '\n' + element_text("first", comparison, *first);
  const auto worst = fault == Fault::wrong ? comparison.worst() : std::nullopt;
  if (worst && worst->index != first->index) text += '\n' + element_text("worst", comparison, *worst);
  return text;
}

std::optional<ValuePattern> explain(const Comparison& comparison, const datasets::Case& test) {
  if (auto pattern = explain_values(comparison)) return pattern;
  const auto product = product_of(test, comparison);
  if (!product) return std::nullopt;
  if (auto pattern = remainder_dropped(*product, comparison)) return pattern;
  return wrong_stride(*product, comparison);
}

Mismatch mismatch_of(const Wording& wording, const Comparison& comparison, const datasets::Case& test,
                     std::optional<BlockShape> block) {
  const Region region = locate(mask_of(comparison, wording.fault), block);
  const auto pattern = wording.fault == Fault::wrong ? explain(comparison, test) : std::nullopt;
  Mismatch mismatch;
  mismatch.output = comparison.name;
  mismatch.fault = wording.fault;
  mismatch.elements = comparison.elements();
  mismatch.clarity = pattern                                                                         ? Clarity::values
                     : region.kind == RegionKind::everywhere || region.kind == RegionKind::scattered ? Clarity::none
                                                                                                     : Clarity::place;
  Finding& finding = mismatch.finding;
  finding.id = wording.id;
  finding.message = region.kind == RegionKind::everywhere
                        ? fmt::format(fmt::runtime(wording.everywhere), comparison.name)
                        : fmt::format(fmt::runtime(wording.what), comparison.name, region.where);
  if (pattern) finding.message += "; " + pattern->what;
  finding.count = static_cast<std::uint64_t>(comparison.count(wording.fault));
  finding.note = facts(comparison, test.spec, wording.fault);
  const std::string_view help = help_for(wording.fault, region.kind);
  finding.help = pattern && !pattern->help.empty() ? pattern->help : std::string(help.empty() ? wording.help : help);
  return mismatch;
}

}  // namespace

std::vector<Mismatch> mismatches_of(const Comparison& comparison, const datasets::Case& test,
                                    std::optional<BlockShape> block) {
  std::vector<Mismatch> found;
  if (comparison.misfit) {
    Mismatch mismatch;
    mismatch.output = comparison.name;
    mismatch.finding.id = finding_ids::kUnwrittenOutput;
    mismatch.finding.message = *comparison.misfit;
    mismatch.finding.note = describe(test.spec);
    found.push_back(std::move(mismatch));
    return found;
  }
  for (const Wording& wording : kWordings) {
    if (comparison.count(wording.fault) > 0) found.push_back(mismatch_of(wording, comparison, test, block));
  }
  return found;
}

}  // namespace cudalabs
