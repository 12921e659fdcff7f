#include "explain/elements/missing_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "check/idle_store.h"
#include "check/launch_reach.h"
#include "explain/elements/column_parts.h"
#include "explain/elements/dropped_columns.h"
#include "explain/elements/few_threads.h"
#include "explain/elements/grid_limit.h"
#include "explain/elements/grid_sides.h"
#include "explain/elements/launch_parts.h"
#include "explain/elements/launch_shape.h"
#include "explain/elements/missed_middle.h"
#include "explain/elements/narrow_index.h"
#include "explain/elements/overlapping_blocks.h"
#include "explain/elements/seen_output.h"
#include "explain/elements/step_length.h"
#include "explain/places/set_here.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "source/rounded_count.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

using Sizes = std::map<std::string, std::int64_t>;

/// The names of one, two or three sizes: "m", "m * n", "m * n * p".
std::vector<std::vector<std::string>> products_of(const Sizes& sizes) {
  std::vector<std::vector<std::string>> products;
  for (const auto& [name, size] : sizes) {
    const std::size_t known = products.size();
    products.push_back({name});
    for (std::size_t i = 0; i < known; ++i) {
      if (products[i].size() == 3) continue;
      std::vector<std::string> longer = products[i];
      longer.push_back(name);
      products.push_back(std::move(longer));
    }
  }
  return products;
}

std::int64_t value_of(const std::vector<std::string>& product, const Sizes& sizes) {
  std::int64_t value = 1;
  for (const std::string& name : product) {
    const auto size = sizes.find(name);
    value *= size == sizes.end() ? 0 : size->second;
  }
  return value;
}

/// A launch of the kernel in a case whose output has elements.
struct Sample {
  const Sizes* sizes;
  vgpu::LaunchConfig config;
  std::int64_t elements;
};

std::vector<Sample> samples_of(const SubmissionRun& submission_run, const std::string& kernel,
                               const std::string& output) {
  std::vector<Sample> samples;
  for (const CaseRun& case_run : submission_run.case_runs) {
    const Observation& observed = case_run.observed;
    if (!case_run.judgement || observed.end != RunEnd::finished || case_run.test.spec.faults.any()) continue;
    const auto expected = std::ranges::find(case_run.test.expected, output, &datasets::ExpectedArray::name);
    const auto launch =
        std::ranges::find(observed.launches.rbegin(), observed.launches.rend(), kernel, &vgpu::LaunchCounters::kernel);
    if (expected == case_run.test.expected.end() || launch == observed.launches.rend()) continue;
    std::int64_t elements = 1;
    for (const std::int64_t extent : expected->shape) elements *= extent;
    if (elements > 0) samples.push_back({&case_run.test.spec.parameters, launch->config, elements});
  }
  return samples;
}

void explain_too_few(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  const std::uint32_t grid =
      finding.other && finding.other->place.file == finding.where.file ? finding.other->place.line : finding.where.line;
  const bool rounded = rounds_up(source, grid) || rounds_up(source, finding.where.line);
  if (const auto count = count_of_blocks(source, grid, finding.where.line)) {
    finding.other = set_here(count->names.front(), {finding.where.file, count->line, count->column});
  }
  const auto size = launched_size(submission_run, finding.kernel, finding.output);
  if (size && !size->right.empty()) {
    finding.help = fmt::format(
        "there are threads for `{}` elements, and `{}` has `{}`: compute the number of blocks "
        "from that",
        size->taken, finding.output, size->right);
  } else if (size) {
    finding.help = fmt::format(
        "there are threads for `{}` elements, and `{}` has more: compute the number of blocks "
        "from the number of its elements",
        size->taken, finding.output);
  } else if (const char axis = short_axis_in(finding.help); rounded && axis != 0) {
    finding.help = fmt::format(
        "there are fewer threads than elements along {0}, and the number of blocks is rounded up already: along {0} "
        "compute it from the output's size along {0} and from the block's, `block.{0}`",
        axis);
  } else if (rounded) {
    finding.help = Help::where_to_look(
        "there are fewer threads than elements, and the number of blocks is rounded up already: if it is limited, each "
        "thread does several elements in a loop, and a loop inside that one must begin anew each time; else look at "
        "the numbers that it is computed from, the size and the block that is launched");
  }
}

/// A loop is around the line that stores, or may be where another function is called that has the line.
bool stores_in_loop(std::string_view source, const MergedFinding& finding) {
  if (!loops_before(source, finding.where.line)) return false;
  const std::string code = without_comments(source);
  const auto function = function_around_line(code, finding.where.line);
  if (!function || function->name != plain_name(finding.kernel)) return true;
  const std::size_t place = place_of_line(code, finding.where.line, finding.where.column);
  bool around = false;
  for (const LoopText& loop : loops_of(code)) around = around || (loop.body <= place && place < loop.end);
  for_each_name(std::string_view(code).substr(function->begin, place - function->begin),
                [&](std::size_t, std::string_view name) { around = around || name == "do" || name == "goto"; });
  return around;
}

void explain_several_each(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  if (explain_step(finding, source, submission_run)) return;
  if (explain_overlapping_blocks(finding, source, submission_run)) return;
  if (show_few_threads(finding, source, submission_run)) return;
  const auto division = bound_that_drops(source, finding.where.line);
  if (division && leaves_out_the_missing(*division, finding, submission_run)) {
    finding.other = OtherPlace{fmt::format("`{}` is computed here", division->text),
                               {finding.where.file, division->where.line, division->where.column},
                               {},
                               {}};
    finding.help = Help::where_to_look(fmt::format(
        "`{}` drops what is left over, and no thread stores these last elements: let some threads do them as well, one "
        "by one; where lines for them are there, look at whether there are threads that come to these lines, and at "
        "the "
        "index in them",
        division->text));
  } else if (division && show_dropped_columns(finding, source, *division, submission_run)) {
    return;
  } else if (stores_in_loop(source, finding)) {
    finding.help = Help::where_to_look(
        "a thread does several elements here: look at which of them each thread takes, at the step and the end of its "
        "loop, and at the guard");
  }
}

/// Where the source rounds a number of blocks up, that it must is no news.
void explain_rounded_blocks(MergedFinding& finding, std::string_view source) {
  if (!rounds_up(source)) return;
  finding.help = Help::where_to_look(
      "no thread stores what is left over behind the last whole block: if the launch rounds the number of blocks up "
      "already, look at the size that it is computed from and, of several launches, at where each begins and how much "
      "it "
      "takes; else round it up");
}

}  // namespace

bool leaves_out_the_missing(const Division& division, const MergedFinding& finding,
                            const SubmissionRun& submission_run) {
  bool seen = false;
  for (const SeenOutput& seen_output : outputs_seen_in(finding, submission_run)) {
    const Comparison* comparison = seen_output.comparison;
    if (comparison == nullptr || comparison->count(Fault::unwritten) == 0) continue;
    const std::int64_t missing = comparison->count(Fault::unwritten), elements = comparison->elements();
    const auto first = comparison->first(Fault::unwritten);
    if (!first || first->index != elements - missing) return false;
    const auto drops = [&](std::int64_t unit) { return missing == elements % unit; };
    if (!drops(division.divisor) && !drops(division.divisor * comparison->grid().columns)) return false;
    seen = true;
  }
  return seen;
}

std::optional<LaunchedSize> launched_size(const SubmissionRun& submission_run, const std::string& kernel,
                                          const std::string& output) {
  const std::vector<Sample> samples = samples_of(submission_run, kernel, output);
  std::set<std::uint32_t> grids;
  for (const Sample& sample : samples) {
    if (!is_along_one_axis(sample.config)) return std::nullopt;
    grids.insert(sample.config.grid[0]);
  }
  if (grids.size() < 3) return std::nullopt;
  LaunchedSize size;
  for (const std::vector<std::string>& product : products_of(*samples.front().sizes)) {
    const std::string text = fmt::format("{}", fmt::join(product, " * "));
    const bool launched = std::ranges::all_of(samples, [&](const Sample& sample) {
      const std::int64_t block = sample.config.block[0];
      return (value_of(product, *sample.sizes) + block - 1) / block == sample.config.grid[0];
    });
    const bool right = std::ranges::all_of(
        samples, [&](const Sample& sample) { return value_of(product, *sample.sizes) == sample.elements; });
    if (launched && (right || !size.taken.empty())) return std::nullopt;
    if (launched) size.taken = text;
    if (right && size.right.empty()) size.right = text;
  }
  return size.taken.empty() ? std::nullopt : std::optional(size);
}

void explain_missing_elements(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                              const SubmissionRun& submission_run) {
  for (MergedFinding& finding : findings) {
    if (finding.is_in_file(file) && (explain_launch_parts(finding, source, submission_run) ||
                                     explain_column_parts(finding, source, submission_run)))
      continue;
    if (finding.id != finding_ids::kUnwrittenOutput) continue;
    if (!finding.where.known() || finding.is_in_file(file))
      explain_missed_middle(finding, source, file, submission_run);
    if (!finding.is_in_file(file)) continue;
    show_narrow_index(finding, source, submission_run);
    if (finding.reach == Reach::never) show_deciding_condition(finding, source, submission_run);
    if (explain_grid_sides(finding, source, submission_run)) continue;
    if (show_grid_limit(finding, source, submission_run)) continue;
    if (finding.reach == Reach::too_few && explain_overlapping_blocks(finding, source, submission_run)) continue;
    if (finding.reach == Reach::too_few) explain_too_few(finding, source, submission_run);
    if (finding.reach == Reach::several_each) explain_several_each(finding, source, submission_run);
    const bool by_place =
        finding.reach == Reach::unsaid && finding.detector.empty() && !finding.right_at_first && !finding.proven;
    if (by_place && finding.region == RegionKind::partial_block) explain_rounded_blocks(finding, source);
  }
}

}  // namespace cudalabs
