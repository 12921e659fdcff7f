// Both are seen in the text of the kernel.
#include "explain/thread_loop.h"

#include <fmt/format.h>

#include "check/origin_place.h"
#include "source/loop_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

bool has_too_few_threads(const MergedFinding& finding) {
  return finding.id == finding_ids::kUnwrittenOutput && finding.reach == Reach::too_few;
}

/// Wrong values that are 0, or have nothing in common that is known.
bool is_unexplained(const MergedFinding& finding) {
  const bool open = !finding.values || *finding.values == ValueKind::zero;
  return finding.id == finding_ids::kResultMismatch && open && finding.detector.empty() && !finding.right_at_first;
}

/// The line that stores is to blame, and not the launch.
void blame_store(MergedFinding& finding) {
  finding.where = finding.other->place;
  finding.other.reset();
  finding.reach = Reach::several_each;
}

}  // namespace

bool show_thread_loop(MergedFinding& finding, std::string_view source) {
  const bool launch_blamed = has_too_few_threads(finding) && finding.other && finding.other->place.known() &&
                             finding.other->place.file == finding.where.file;
  const std::uint32_t store = launch_blamed ? finding.other->place.line : finding.where.line;
  if (launch_blamed && !counted_subscripts(source, store).empty()) blame_store(finding);
  const bool unwritten = finding.id == finding_ids::kUnwrittenOutput && finding.reach == Reach::several_each;
  const auto loop = unwritten || is_unexplained(finding) ? unreset_counter_at(source, store) : std::nullopt;
  if (!loop) return false;
  const std::string& counter = loop->inner.names.front();
  if (finding.where.line != loop->inner.line)
    finding.other = OtherPlace{std::string(kStoredHere), finding.where, {}, {}};
  finding.where = {finding.where.file, loop->inner.line, loop->inner.column};
  finding.reach = Reach::unsaid;
  finding.help = fmt::format(
      "nothing sets `{0}` back: when the loop in line {1} goes round again, this one begins where it ended, and does "
      "nothing; let it begin anew each time, `for (int {0} = ...; ...)`",
      counter, loop->outer);
  return true;
}

}  // namespace cudalabs
