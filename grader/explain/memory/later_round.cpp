#include "explain/memory/later_round.h"

#include <fmt/format.h>

#include "source/function_text.h"
#include "source/loop_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

void show_later_round(MergedFinding& finding, std::string_view code) {
  const std::uint32_t writes = finding.other->place.line, reads = finding.launch.where.line;
  const std::string reading = plain_name(finding.kernel), writing = plain_name(finding.other->name);
  const std::size_t first = place_of_line(code, writes, 0), second = place_of_line(code, reads, 0);
  if (writing.empty() || reading.empty() || first == kNowhere || second == kNowhere) return;
  const std::vector<LoopText> loops = loops_of(code);
  const LoopText* const loop = writes < reads ? innermost_loop(loops, first, second) : nullptr;
  if (loop == nullptr) {
    // Of what is not written at all, this is said already.
    if (finding.access.written != 0 && writes != reads)
      finding.note.insert(0, fmt::format("`{}` is launched in line {}, before that\n", reading, reads));
    return;
  }
  finding.note.insert(0, fmt::format("line {} launches `{}`, and line {} `{}`\n", writes, writing, reads, reading));
  finding.other = OtherPlace{"each round launches both kernels, and a later round writes this",
                             {finding.where.file, loop->line, loop->column},
                             {},
                             {}};
  finding.help = fmt::format(
      "end this loop after the launch of `{}`, and launch `{}` in a second loop behind it: launches of one stream run "
      "in the order of their calls, so all is written then before it is read",
      writing, reading);
}

}  // namespace

bool is_written_later(const MergedFinding& finding) {
  return finding.id == finding_ids::kUninitializedRead && finding.other &&
         finding.other->role == PlaceRole::late_launch;
}

void show_later_rounds(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file) {
  std::string code;
  for (MergedFinding& finding : findings) {
    const bool known = is_written_later(finding) && finding.launch.where.known() && finding.is_in_file(file) &&
                       finding.launch.where.file == finding.where.file &&
                       finding.other->place.file == finding.where.file;
    if (!known) continue;
    if (code.empty()) code = without_comments(source);
    show_later_round(finding, code);
  }
}

}  // namespace cudalabs
