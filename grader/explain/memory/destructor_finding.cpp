#include "explain/memory/destructor_finding.h"

#include <fmt/format.h>

#include <utility>

#include "source/function_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {

bool is_of_destroyed_event(const MergedFinding& finding) {
  return finding.failed_call == "cudaEventDestroy" && finding.other->role == PlaceRole::destroying;
}

std::string freeing_type(const MergedFinding& finding, std::string_view source) {
  const bool freed = finding.id == finding_ids::kUseAfterFree || finding.id == finding_ids::kInvalidFree ||
                     finding.id == finding_ids::kRuntimeError;
  const bool known = freed && finding.other && finding.other->place.known() &&
                     finding.other->place.file == finding.where.file &&
                     (finding.other->role == PlaceRole::freeing || is_of_destroyed_event(finding));
  return known ? destructor_around(source, finding.other->place.line) : std::string();
}

void place_at_second_owner(MergedFinding& finding, const std::string& type, SourcePlace place) {
  const std::uint32_t freed = finding.other->place.line;
  finding.note.insert(0, fmt::format("line {}: {}\n", finding.where.line, finding.message));
  if (is_of_destroyed_event(finding)) {
    finding.other = OtherPlace{"the event is destroyed once more here", finding.where, {}, {}, PlaceRole::destroying};
  } else if (freed == finding.where.line) {
    finding.other->label = "the destructor frees the memory here";
    finding.other->role = PlaceRole::unsaid;
  } else {
    finding.note.insert(0, fmt::format("`~{}` frees it in line {}\n", type, freed));
    finding.other = OtherPlace{"the memory is used here after that", finding.where, {}, {}};
  }
  finding.where = std::move(place);
  finding.kernel.clear();
  finding.block.reset();
  finding.thread.reset();
  finding.count = 1;
}

}  // namespace cudalabs
