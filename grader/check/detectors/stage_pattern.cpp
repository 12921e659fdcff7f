// Two kernels, one after the other: which array the second one has read.
#include "check/detectors/stage_pattern.h"

#include <algorithm>
#include <vector>

#include "check/tolerance.h"
#include "datasets/array.h"

namespace cudalabs {

std::optional<Detected> second_stage_reads_input(const Comparison& comparison, const datasets::Case& test,
                                                 std::optional<BlockShape>) {
  const auto input = std::ranges::find(test.inputs, "in", &datasets::Array::name);
  const bool is_stage = comparison.name == "out" && input != test.inputs.end() &&
                        input->type == datasets::ElementType::f32 && input->elements() == comparison.elements();
  if (!is_stage || comparison.misfit) return std::nullopt;
  const std::vector<float> in = datasets::values_of<float>(*input);
  std::int64_t confirmed = 0;
  for (std::int64_t i = 0; i < comparison.elements(); ++i) {
    if (comparison.fault[static_cast<std::size_t>(i)] != Fault::wrong) continue;
    const Element element = comparison.at(i);
    const double sum =
        static_cast<double>(in[static_cast<std::size_t>(i)]) + in[in.size() - 1 - static_cast<std::size_t>(i)];
    if (!within(element.got, sum, element.bound)) return std::nullopt;
    ++confirmed;
  }
  if (confirmed < kEnough) return std::nullopt;
  return Detected{"second_stage_reads_input"};
}

namespace {

const RegisterDetector kStage({{"second_stage_reads_input", {}, {{CauseLine::Kind::arguments}}}},
                              second_stage_reads_input);

}  // namespace

}  // namespace cudalabs
