#include "check/missing_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "check/idle_store.h"
#include "check/narrow_index.h"
#include "check/rounded_count.h"
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

bool along_one_axis(const vgpu::LaunchConfig& config) {
  return config.grid[1] == 1 && config.grid[2] == 1 && config.block[1] == 1 && config.block[2] == 1;
}

void explain_too_few(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  const std::uint32_t grid =
      finding.other && finding.other->place.file == finding.where.file ? finding.other->place.line : finding.where.line;
  const bool rounded = rounds_up(source, grid) || rounds_up(source, finding.where.line);
  if (const auto count = count_of_blocks(source, grid, finding.where.line)) {
    finding.other = OtherPlace{fmt::format("`{}` is set here", count->names.front()),
                               {finding.where.file, count->line, count->column},
                               {},
                               {}};
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
  } else if (rounded) {
    finding.help =
        "there are fewer threads than elements, and the number of blocks is rounded up already: look at the numbers "
        "that it is computed from, the size and the block that is launched";
  }
}

/// The elements that are missing in each case are the last ones, as many as a division by that number drops.
bool leaves_out_the_missing(const Division& division, const MergedFinding& finding,
                            const SubmissionRun& submission_run) {
  bool seen = false;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!case_run.judgement || !finding.is_seen_in(case_run.test.spec.name)) continue;
    const auto& comparisons = case_run.judgement->comparisons;
    const auto comparison = std::ranges::find(comparisons, finding.output, &Comparison::name);
    if (comparison == comparisons.end() || comparison->misfit || comparison->count(Fault::unwritten) == 0) continue;
    const std::int64_t missing = comparison->count(Fault::unwritten), elements = comparison->elements();
    const auto first = comparison->first(Fault::unwritten);
    if (!first || first->index != elements - missing) return false;
    const auto drops = [&](std::int64_t unit) { return missing == elements % unit; };
    if (!drops(division.divisor) && !drops(division.divisor * comparison->grid().columns)) return false;
    seen = true;
  }
  return seen;
}

/// How many elements blocks do, and how far apart they begin, where that gives exactly the elements that were written:
/// in all cases, and with as many blocks as these need.
struct OverlappingBlocks {
  std::int64_t times = 0;  // as many as a block has threads
  std::int64_t block = 0;  // threads
};

std::optional<OverlappingBlocks> overlapping_blocks(const MergedFinding& finding, const SubmissionRun& submission_run) {
  OverlappingBlocks found;
  std::set<std::int64_t> grids;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!case_run.judgement || !finding.is_seen_in(case_run.test.spec.name)) continue;
    const auto& comparisons = case_run.judgement->comparisons;
    const auto comparison = std::ranges::find(comparisons, finding.output, &Comparison::name);
    if (comparison == comparisons.end() || comparison->misfit || case_run.observed.launches.empty())
      return std::nullopt;
    const vgpu::LaunchConfig& config = case_run.observed.launches.back().config;
    const std::int64_t elements = comparison->elements(), missing = comparison->count(Fault::unwritten),
                       written = elements - missing, block = config.block[0], blocks = config.grid[0];
    const auto first = comparison->first(Fault::unwritten);
    if (!along_one_axis(config) || !first || first->index != written || written % block != 0) return std::nullopt;
    const std::int64_t times = written / block - blocks + 1;
    const bool enough = times > 1 && (elements + times * block - 1) / (times * block) == blocks;
    if (!enough || (found.times != 0 && (found.times != times || found.block != block))) return std::nullopt;
    found = {times, block};
    grids.insert(blocks);
  }
  // Of one number of blocks alone it may be chance.
  return grids.size() > 1 ? std::optional(found) : std::nullopt;
}

/// The last line up to `line`, and in its function, that computes something from the number of the block.
std::optional<Setting> index_of_block(std::string_view source, std::uint32_t line) {
  const std::string code = without_comments(source);
  const std::vector<std::string_view> lines = text_lines(code);
  for (std::size_t i = std::min<std::size_t>(line, lines.size()); i-- > 0 && !lines[i].starts_with('}');) {
    const std::size_t at = lines[i].find("blockIdx");
    if (at != std::string_view::npos)
      return Setting{{"blockIdx"}, static_cast<std::uint32_t>(i) + 1, static_cast<std::uint32_t>(at) + 1};
  }
  return std::nullopt;
}

bool explain_overlap(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  const auto blocks = overlapping_blocks(finding, submission_run);
  if (!blocks) return false;
  const auto index = index_of_block(source, finding.where.line);
  if (index && index->line != finding.where.line)
    finding.other = OtherPlace{
        "the block's first element is computed here", {finding.where.file, index->line, index->column}, {}, {}};
  finding.help = fmt::format(
      "it is as if each block did {0} elements, but began only {1} after the one before: then blocks overlap, and the "
      "last elements are left out; multiply the block's number by {0}, `blockIdx.x * ({2} * blockDim.x) + threadIdx.x`",
      blocks->times * blocks->block, blocks->block, blocks->times);
  return true;
}

/// Of an odd number of elements the one in the middle is missing, and nothing else: in all cases, of several sizes.
bool misses_the_middle(const MergedFinding& finding, const SubmissionRun& submission_run) {
  std::set<std::int64_t> sizes;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (!case_run.judgement || !finding.is_seen_in(case_run.test.spec.name)) continue;
    const auto& comparisons = case_run.judgement->comparisons;
    const auto comparison = std::ranges::find(comparisons, finding.output, &Comparison::name);
    if (comparison == comparisons.end() || comparison->misfit) return false;
    const auto first = comparison->first(Fault::unwritten);
    const std::int64_t elements = comparison->elements();
    if (!first || comparison->count(Fault::unwritten) != 1 || elements % 2 == 0 || first->index != elements / 2)
      return false;
    sizes.insert(elements);
  }
  return sizes.size() > 1;
}

/// The only line of the device's code that compares something with half of a number.
std::optional<Setting> comparison_with_half(std::string_view source) {
  const std::string code = without_comments(source);
  const std::vector<BodyPlace> bodies = body_places(code);
  std::optional<Setting> found;
  std::uint32_t number = 0;
  for (const std::string_view line : text_lines(code)) {
    ++number;
    const std::size_t half = std::min(line.find("/ 2"), line.find("/2")), sign = line.find_first_of("<>");
    if (half == std::string_view::npos || sign == std::string_view::npos) continue;
    if (!bodies[static_cast<std::size_t>(line.data() - code.data()) + half].device) continue;
    if (found) return std::nullopt;
    found = Setting{{}, number, static_cast<std::uint32_t>(half) + 1};
  }
  return found;
}

void explain_middle(MergedFinding& finding, std::string_view source, const std::string& file,
                    const SubmissionRun& submission_run) {
  if (!misses_the_middle(finding, submission_run)) return;
  finding.message += ": the one in the middle, where their number is odd";
  finding.help =
      "a division by 2 drops what is left over, so that the element in the middle of an odd number of elements belongs "
      "to no thread: let a thread store this one, too";
  const auto half = comparison_with_half(source);
  if (!half || half->line == finding.where.line) return;
  if (finding.where.known()) {
    finding.other =
        OtherPlace{"half of a number is computed here", {finding.where.file, half->line, half->column}, {}, {}};
  } else {
    finding.where = {file, half->line, half->column};
  }
}

void explain_several_each(MergedFinding& finding, std::string_view source, const SubmissionRun& submission_run) {
  if (explain_overlap(finding, source, submission_run)) return;
  const auto division = bound_that_drops(source, finding.where.line);
  if (division && leaves_out_the_missing(*division, finding, submission_run)) {
    finding.other = OtherPlace{fmt::format("`{}` is computed here", division->text),
                               {finding.where.file, division->where.line, division->where.column},
                               {},
                               {}};
    finding.help = fmt::format(
        "`{}` drops what is left over, so that the last elements belong to no thread: let some threads do these as "
        "well, one by one",
        division->text);
  } else if (loops_before(source, finding.where.line)) {
    finding.help =
        "a thread does several elements here: look at which of them each thread takes, at the step and the end of its "
        "loop, and at the guard";
  }
}

}  // namespace

std::optional<LaunchedSize> launched_size(const SubmissionRun& submission_run, const std::string& kernel,
                                          const std::string& output) {
  const std::vector<Sample> samples = samples_of(submission_run, kernel, output);
  std::set<std::uint32_t> grids;
  for (const Sample& sample : samples) {
    if (!along_one_axis(sample.config)) return std::nullopt;
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
    if (finding.id != finding_ids::kUnwrittenOutput) continue;
    if (!finding.where.known() || finding.is_in_file(file)) explain_middle(finding, source, file, submission_run);
    if (!finding.is_in_file(file)) continue;
    show_narrow_index(finding, source, submission_run);
    if (finding.reach == Reach::never) show_deciding_condition(finding, source, submission_run);
    if (finding.reach == Reach::too_few) explain_too_few(finding, source, submission_run);
    if (finding.reach == Reach::several_each) explain_several_each(finding, source, submission_run);
  }
}

}  // namespace cudalabs
