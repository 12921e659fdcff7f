#include "check/right_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// An array of one element is as large as many things are.
constexpr std::int64_t kFewestElements = 2;

bool has_array_of(const datasets::Case& test, std::uint64_t bytes) {
  const auto is_as_large = [&](const auto& array) {
    const std::int64_t elements = array.elements();
    return elements >= kFewestElements && static_cast<std::uint64_t>(elements) * size_in_bytes(array.type) == bytes;
  };
  return std::ranges::any_of(test.inputs, is_as_large) || std::ranges::any_of(test.expected, is_as_large);
}

}  // namespace

void blame_access(std::vector<Finding>& findings, const CaseRun& case_run) {
  for (Finding& finding : findings) {
    const bool blamed = finding.id == finding_ids::kGlobalOutOfBounds && finding.other &&
                        finding.other->place.known() && finding.other->role == PlaceRole::access;
    const std::uint64_t bytes = blamed ? finding.access.past_end_of : 0;
    if (bytes == 0 ||
        !(has_array_of(case_run.test, bytes) || (case_run.before && has_array_of(*case_run.before, bytes))))
      continue;
    OtherPlace access = *std::exchange(finding.other, std::nullopt);
    finding.kernel = std::move(access.name);
    finding.message = fmt::format("{} past the end of an array", finding.access.what);
    finding.note = fmt::format("{} bytes are allocated, as many as an array of this case has", bytes);
    finding.help = Advice::look_at_conditions;
    finding.help += " in every dimension";
    finding.where = std::move(access.place);
    finding.block = access.block;
    finding.thread = access.thread;
  }
}

}  // namespace cudalabs
