#include "check/float_sum.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "text/told_lines.h"

namespace cudalabs {
namespace {

constexpr double kExact = 0x1p24;  // up to here a float holds every integer

/// A tree rounds once a level, and a sum of blocks' sums once for each, up and down: far less often than by so much.
constexpr double kMostSteps = 64;

/// The distance from one float to the next where `value` is.
double step_at(double value) {
  return std::ldexp(1.0, std::ilogb(value) - 23);
}

bool is_rounded(const Element& element) {
  if (std::abs(element.expected) <= kExact || static_cast<double>(static_cast<float>(element.got)) != element.got)
    return false;
  return std::abs(element.got - element.expected) <= kMostSteps * step_at(element.expected);
}

bool all_rounded(const Comparison& comparison) {
  for (std::int64_t i = 0; i < comparison.elements(); ++i) {
    if (comparison.fault[static_cast<std::size_t>(i)] == Fault::wrong && !is_rounded(comparison.at(i))) return false;
  }
  return true;
}

bool made_of_floats(const std::string& output, const Observation& observed) {
  return std::ranges::any_of(observed.writers, [&](const vgpu::ArrayWriter& writer) {
    return writer.array == output && std::ranges::find(writer.origins, vgpu::OriginKind::integer,
                                                       &vgpu::OriginPlace::kind) != writer.origins.end();
  });
}

}  // namespace

void name_float_sum(Mismatch& mismatch, const Comparison& comparison, const datasets::Case& test,
                    const Observation& observed) {
  const auto has_integers = [](const datasets::Array& input) { return input.type == datasets::ElementType::i32; };
  if (mismatch.fault != Fault::wrong || comparison.type != datasets::ElementType::i32 || comparison.misfit ||
      !comparison.questions.empty() || std::ranges::none_of(test.inputs, has_integers)) {
    return;
  }
  if (!all_rounded(comparison) || !made_of_floats(mismatch.output, observed)) return;
  constexpr std::string_view kWhat = "rounded as if the integers were added as `float`";
  Finding& finding = mismatch.finding;
  if (mismatch.pattern) replace_end(finding.message, "; " + mismatch.pattern->what, "");
  finding.message += "; " + std::string(kWhat);
  finding.help =
      "a `float` holds every integer only up to 16777216, an `int` holds larger ones: give arrays, variables and "
      "sums the type of the elements";
  mismatch.pattern = ValuePattern{ValueKind::added_as_float, std::string(kWhat), finding.help};
  mismatch.cause.reset();
  mismatch.clarity = Clarity::values;
}

}  // namespace cudalabs
