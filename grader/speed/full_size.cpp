#include "speed/full_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "datasets/element_value.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::speed {
namespace {

/// A call that was refused, or an access of a kernel.
const Finding* error_of(const Observation& observed) {
  const auto found = std::ranges::find(observed.findings, Severity::error, &Finding::severity);
  return found == observed.findings.end() || found->id == finding_ids::kTimedOut ? nullptr : &*found;
}

bool is_unwritten(const datasets::Array& output, const std::byte* at) {
  return output.type != datasets::ElementType::u8 &&
         std::all_of(at, at + datasets::size_in_bytes(output.type),
                     [](std::byte byte) { return byte == std::byte{runner::kPoison}; });
}

Finding finding_at(const datasets::Array& output, std::int64_t element, const std::byte* at, double expected,
                   const std::string& size) {
  Finding finding;
  finding.id = finding_ids::kWrongWhenTimed;
  if (is_unwritten(output, at)) {
    finding.message = fmt::format("with {}, nothing is written to element {} of `{}`", size, element, output.name);
    finding.missing = MissingWhenTimed{{}, element};
    finding.help =
        "there are not enough threads for so many elements: look at how the number of blocks is computed, for the "
        "largest number that each type holds exactly, and for a limit that your code sets";
    return finding;
  }
  finding.message = fmt::format("with {}, `{}` is wrong: element {} is {:.8g}, expected {:.8g}", size, output.name,
                                element, datasets::element_value(output.type, at), expected);
  finding.help =
      "the size is larger than in the cases: look at the type of indices, at limits of the grid, and at how many "
      "elements the last launch still adds";
  return finding;
}

}  // namespace

std::optional<Finding> wrong_at_full_size(const ModelCase& data, const Observation& observed, const std::string& size) {
  if (const Finding* error = error_of(observed)) {
    Finding finding = *error;
    finding.note = fmt::format("with {}{}{}", size, finding.note.empty() ? "" : ": ", finding.note);
    return finding;
  }
  if (observed.end != RunEnd::finished) return std::nullopt;
  for (const ModelCase::Sample& sample : data.samples) {
    const datasets::Array& output = observed.outputs.at(sample.output);
    const std::size_t bytes = datasets::size_in_bytes(output.type);
    for (std::size_t i = 0; i < sample.value.size(); ++i) {
      const std::int64_t element = sample.first + static_cast<std::int64_t>(i);
      const std::byte* const at = output.data.data() + static_cast<std::size_t>(element) * bytes;
      if (std::abs(datasets::element_value(output.type, at) - sample.value[i]) <= sample.bound[i]) continue;
      Finding finding = finding_at(output, element, at, sample.value[i], size);
      if (!observed.launch_places.empty()) finding.where = observed.launch_places.back().where;
      return finding;
    }
  }
  return std::nullopt;
}

}  // namespace cudalabs::speed
