// Groups of threads are read as text: what sets them says how large they are.
#include "explain/barriers/small_barrier.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "source/barrier_text.h"
#include "source/loop_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"

namespace cudalabs {
namespace {

constexpr std::size_t kLongestGroup = 200;  // letters: a text may be made to be long to read

/// The names of groups that are a warp, or a part of one, and of those that are the whole block.
struct Groups {
  std::set<std::string_view> small, block;
};

Groups groups_of(std::string_view code) {
  Groups groups;
  std::set<std::string_view> others;
  for_each_name(code, [&](std::size_t at, std::string_view word) {
    const std::size_t sign = past_spaces(code, at + word.size());
    if (sign >= code.size() || code[sign] != '=' || code.substr(sign).starts_with("==")) return;
    const std::string_view rest = code.substr(sign + 1, kLongestGroup);
    const std::string_view value = rest.substr(0, rest.find(';'));
    const bool is_small = value.find("tiled_partition") != kNowhere || value.find("coalesced_threads()") != kNowhere;
    const bool is_block = value.find("this_thread_block()") != kNowhere && !is_small;
    (is_small ? groups.small : is_block ? groups.block : others).insert(word);
  });
  for (const std::string_view other : others) groups.small.erase(other);
  return groups;
}

/// "warp.sync()" and "__syncwarp()".
struct SmallBarrier {
  std::string text;
  std::size_t place = 0;
};

/// The only one between the places.
std::optional<SmallBarrier> only_small_barrier(std::string_view code, std::size_t begin, std::size_t end,
                                               const Groups& groups) {
  std::optional<SmallBarrier> found;
  std::size_t count = 0;
  for_each_name(code.substr(begin, end - begin), [&](std::size_t at, std::string_view word) {
    const std::size_t place = begin + at, behind = past_spaces(code, place + word.size());
    const std::string_view rest = code.substr(std::min(behind, code.size()));
    const bool of_group = groups.small.contains(word) && rest.starts_with(".sync()");
    const bool of_warp = word == "__syncwarp" && rest.starts_with('(');
    if (!of_group && !of_warp) return;
    ++count;
    found = SmallBarrier{of_group ? fmt::format("{}.sync()", word) : std::string("__syncwarp()"), place};
  });
  return count == 1 ? found : std::nullopt;
}

}  // namespace

bool name_small_barrier(MergedFinding& finding, std::string_view code) {
  if (!finding.other || finding.other->place.file != finding.where.file || !finding.help.advises(Advice::block_barrier))
    return false;
  const std::size_t place = place_of_line(code, finding.where.line, finding.where.column),
                    other = place_of_line(code, finding.other->place.line, finding.other->place.column);
  if (place == kNowhere || other == kNowhere) return false;
  const std::vector<LoopText> loops = loops_of(code);
  const LoopText* const loop = innermost_loop(loops, place, other);
  if (loop == nullptr) return false;
  const auto in_loop = [&](const BarrierText& barrier) {
    return loop->body <= barrier.place && barrier.place < loop->end;
  };
  if (std::ranges::any_of(block_barriers_of(code), in_loop)) return false;
  const Groups groups = groups_of(code);
  const auto barrier = only_small_barrier(code, loop->body, loop->end, groups);
  if (!barrier) return false;
  const std::string wanted =
      groups.block.size() == 1 ? fmt::format("{}.sync()", *groups.block.begin()) : std::string("__syncthreads()");
  finding.help = fmt::format(
      "`{}` in line {} is too small: it waits for at most 32 threads, those of one warp, and other warps of the block "
      "use these elements, too; call `{}` there, outside of all conditions",
      barrier->text, line_at(code, barrier->place), wanted);
  return true;
}

}  // namespace cudalabs
