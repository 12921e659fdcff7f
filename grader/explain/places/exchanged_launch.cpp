// Names may mislead: the change is tried before it is believed.
#include "explain/places/exchanged_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "source/launch_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "text/lower_case.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// "block" of "over.block", "shape->block()" and "block"; empty: it is no name alone.
std::string_view last_name(std::string_view expression) {
  constexpr std::size_t kLongest = 200;
  expression = without_outer_spaces(expression);
  if (expression.size() > kLongest) return {};
  std::size_t begin = 0, end = end_of_word(expression, 0);
  for (std::size_t at = end; at < expression.size();) {
    const std::string_view rest = expression.substr(at);
    const std::size_t sign = rest.starts_with("->") || rest.starts_with("::") ? 2 : rest.starts_with('.') ? 1 : 0;
    if (sign == 0) {
      const bool called = rest.starts_with('(') && past_bracket(expression, at) == expression.size();
      if (!called) return {};
      break;
    }
    begin = at + sign;
    at = end = end_of_word(expression, begin);
  }
  const std::string_view name = expression.substr(begin, end - begin);
  return is_identifier(name) ? name : std::string_view();
}

/// "block" in "blockSize", "THREADS_PER_BLOCK": where it begins. `word` is in lower case.
std::size_t place_of_word(std::string_view name, std::string_view word) {
  const auto found = std::ranges::search(name, word, [](char one, char other) { return lower(one) == other; }).begin();
  return found == name.end() ? kNowhere : static_cast<std::size_t>(found - name.begin());
}

/// "blocks", "blocksPerGrid", "gridDim"; not "blockSize" and "block_size".
bool says_blocks(std::string_view name) {
  if (place_of_word(name, "grid") != kNowhere) return true;
  const std::size_t at = place_of_word(name, "blocks");
  if (at == kNowhere || place_of_word(name, "blocksize") != kNowhere) return false;
  const char last = name[at + 4], plural = name[at + 5];
  return (last == lower(last)) == (plural == lower(plural));
}

std::string extent_text(const Index3& size) {
  if (size[2] != 1) return fmt::format("{} x {} x {}", size[0], size[1], size[2]);
  return size[1] != 1 ? fmt::format("{} x {}", size[0], size[1]) : fmt::format("{}", size[0]);
}

/// The grid of all launches of the kernel that ran, of which there are several, where blocks of that size are common,
/// while their blocks differ.
std::optional<Index3> kept_grid(const std::string& kernel, const SubmissionRun& submission_run) {
  constexpr std::uint64_t kWarp = 32, kMostThreads = 1024;
  std::optional<vgpu::LaunchConfig> first;
  bool differs = false;
  for (const CaseRun& case_run : submission_run.case_runs) {
    for (const vgpu::LaunchCounters& launch : case_run.observed.launches) {
      if (launch.kernel != kernel) continue;
      if (!first) first = launch.config;
      if (first->grid != launch.config.grid) return std::nullopt;
      differs = differs || first->block != launch.config.block;
    }
  }
  if (!differs) return std::nullopt;
  const bool is_common = first->blocks() <= kMostThreads && first->blocks() % kWarp == 0;
  return is_common ? std::optional(first->grid) : std::nullopt;
}

}  // namespace

bool is_named_after_block(std::string_view expression) {
  const std::string_view name = last_name(expression);
  return place_of_word(name, "thread") != kNowhere || (place_of_word(name, "block") != kNowhere && !says_blocks(name));
}

bool is_named_after_grid(std::string_view expression) {
  const std::string_view name = last_name(expression);
  return place_of_word(name, "thread") == kNowhere && says_blocks(name);
}

void show_exchanged_launches(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                             const SubmissionRun& submission_run) {
  constexpr std::size_t kLongest = 80;
  for (MergedFinding& finding : findings) {
    const bool open = finding.id == finding_ids::kInvalidLaunch && !finding.launch.refused_grid && !finding.proven;
    if (!open || !finding.is_in_file(file)) continue;
    const std::string code = without_comments(source);
    const auto launch = launch_in_line(code, finding.where.line);
    const auto parts = launch ? items_of(launch->configuration) : std::vector<std::string_view>();
    if (parts.size() < 2) continue;
    const std::string_view first = parts[0], second = parts[1];
    const auto kept = kept_grid(finding.kernel, submission_run);
    const bool by_names = is_named_after_block(first) && is_named_after_grid(second);
    const bool against = is_named_after_grid(first) && is_named_after_block(second);
    if (!by_names && (!kept || against)) continue;
    const auto begin = static_cast<std::size_t>(first.data() - code.data()),
               end = static_cast<std::size_t>(second.data() - code.data()) + second.size();
    const std::string_view both = std::string_view(code).substr(begin, end - begin);
    if (both.size() > kLongest || both.find('\n') != kNowhere) continue;
    finding.other.reset();
    finding.help =
        fmt::format("the grid of blocks comes first, and the block of threads second: exchange the two, `<<<{}, {}>>>`",
                    second, first);
    if (kept)
      finding.help +=
          fmt::format(". As it is, the grid is {} in all cases that run, and the block is not", extent_text(*kept));
    const std::size_t newline = code.rfind('\n', begin);
    finding.proposed = ProposedChange{line_at(code, begin),
                                      static_cast<std::uint32_t>(newline == kNowhere ? begin + 1 : begin - newline),
                                      std::string(both), fmt::format("{}, {}", second, first)};
  }
}

}  // namespace cudalabs
