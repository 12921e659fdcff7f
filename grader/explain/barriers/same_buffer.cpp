// The barrier between a write and a read of the same round orders all others: only rounds side by side can race.
#include "explain/barriers/same_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "explain/places/set_here.h"
#include "source/function_text.h"
#include "source/setting_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// "tile" and "1" of "tile[1][0][3]": an array with at least two subscripts.
struct BufferPart {
  std::string array, index;
};
std::optional<BufferPart> buffer_part_in(std::string_view place) {
  const std::size_t open = place.find('['), close = place.find(']');
  const bool fits = open != kNowhere && close != kNowhere && open < close && place.substr(close + 1).starts_with('[');
  if (!fits) return std::nullopt;
  return BufferPart{std::string(place.substr(0, open)), std::string(place.substr(open + 1, close - open - 1))};
}

/// The variable that is the first subscript of the array in each place of the line; nothing where it is something else.
std::string first_subscript(std::string_view line, std::string_view array) {
  std::string found;
  bool same = true;
  for_each_name(line, [&](std::size_t at, std::string_view name) {
    const std::size_t open = at + name.size();
    if (name != array || open >= line.size() || line[open] != '[') return;
    const std::size_t begin = past_spaces(line, open + 1), end = end_of_word(line, begin);
    const bool variable = end > begin && !is_digit(line[begin]) && line.substr(past_spaces(line, end)).starts_with(']');
    const std::string index = variable ? std::string(line.substr(begin, end - begin)) : std::string();
    same = same && !index.empty() && (found.empty() || found == index);
    found = index;
  });
  return same ? found : std::string();
}

/// "ty = threadIdx.y": it is another number in each thread, and of no buffer.
bool is_set_by_thread(std::string_view line, const Setting& set) {
  const std::string_view rest = line.substr(std::min<std::size_t>(line.size(), set.column - 1));
  const std::string_view value = rest.substr(0, rest.find_first_of(",;"));
  return value.find("threadIdx") != kNowhere;
}

/// "put a `__syncthreads()` after line 36, before line 31 is executed again"
bool is_between_rounds(const MergedFinding& finding) {
  return finding.barrier.next_round && finding.help.advises(Advice::block_barrier, Advice::warp_barrier,
                                                            Advice::either_barrier, Advice::atomic_or_barrier);
}

}  // namespace

void show_same_buffer(MergedFinding& finding, std::string_view source) {
  if (finding.id != finding_ids::kSharedRace || !finding.other || !is_between_rounds(finding)) return;
  const auto part = buffer_part_in(finding.access.element);
  if (!part || finding.other->place.file != finding.where.file) return;
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  const std::uint32_t first = std::min(finding.where.line, finding.other->place.line);
  const std::uint32_t last = std::max(finding.where.line, finding.other->place.line);
  if (first == 0 || last > lines.size() || first == last) return;
  const std::string buffer = first_subscript(lines[first - 1], part->array);
  if (buffer.empty() || first_subscript(lines[last - 1], part->array) != buffer) return;
  bool has_barrier = false;
  for (std::uint32_t i = first; i < last - 1; ++i) has_barrier |= lines[i].find("__syncthreads") != kNowhere;
  const auto before = last_setting_of(source, first, buffer);
  if (!has_barrier || !before || last_setting_of(source, last, buffer)->line != before->line) return;
  const auto function = function_around_line(code, last);
  const std::uint32_t end = function ? line_at(code, function->end - 1) : last;
  const auto set = last_setting_of(source, end, buffer);
  if (is_set_by_thread(lines[before->line - 1], *before)) return;
  finding.note = fmt::format(
      "`{}` is {} in two rounds of the loop, one after the other: it does not alternate\nthe other access is in line "
      "{}\n{}",
      buffer, part->index, finding.other->place.line, finding.note);
  finding.other = set_here(buffer, {finding.where.file, set->line, set->column});
  finding.help = fmt::format(
      "let `{}` change in every round, such as by `{} ^= 1`: then one barrier a round is enough; or else {}", buffer,
      buffer, finding.help);
}

}  // namespace cudalabs
