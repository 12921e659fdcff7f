// An element may rightly be read by many threads: it is only compared with the other elements of the same input, and
// said only where the wrong values are what these reads give.
#include "check/input_reads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/origin_place.h"
#include "check/tolerance.h"
#include "datasets/array.h"

namespace cudalabs {
namespace {

using vgpu::ArrayReads;
using vgpu::ElementReader;
using Times = std::vector<std::int64_t>;  // by element, or by product of a sum

std::string index_text(const Index3& index) {
  return fmt::format("({}, {}, {})", index[0], index[1], index[2]);
}

std::string thread_text(const ElementReader& reader) {
  return fmt::format("thread {} of block {}", index_text(reader.thread), index_text(reader.block));
}

/// "thread (0, 0, 0) of block (0, 0, 0) and thread (0, 0, 0) of block (1, 0, 0) both read `a[3]` in line 40"
std::string readers_text(const ArrayReads& reads, std::size_t element, const std::string& name) {
  const ElementReader &first = reads.first[element], &last = reads.last[element];
  const std::uint32_t line = reads.places[first.place].line, other_line = reads.places[last.place].line;
  const std::uint32_t times = reads.counts[element];
  const bool alone = first.launch == last.launch && first.block == last.block && first.thread == last.thread;
  if (times == 1 || alone) {
    const std::string often = times == 1 ? std::string() : fmt::format(" {} times", times);
    return fmt::format("{} reads {}{} in line {}", thread_text(first), name, often, line);
  }
  const std::string lines =
      line == other_line ? fmt::format("in line {}", line) : fmt::format("in lines {} and {}", line, other_line);
  if (times == 2) return fmt::format("{} and {} both read {} {}", thread_text(first), thread_text(last), name, lines);
  return fmt::format("{} is read {} times {}, by {} first and by {} last", name, times, lines, thread_text(first),
                     thread_text(last));
}

/// How many blocks the launch has, where as many reads of the element go from its first block to its last one, by the
/// thread of the same number and in the same place.
std::optional<std::uint64_t> blocks_that_all_read(const ArrayReads& reads, std::size_t element,
                                                  std::span<const vgpu::LaunchCounters> launches) {
  const ElementReader &first = reads.first[element], &last = reads.last[element];
  const bool alike = first.launch == last.launch && first.thread == last.thread && first.place == last.place;
  if (!alike || first.launch == 0 || first.launch > launches.size()) return std::nullopt;
  const Index3& grid = launches[first.launch - 1].config.grid;
  const std::uint64_t blocks = std::uint64_t{grid[0]} * grid[1] * grid[2];
  const bool from_first_to_last =
      first.block == Index3{} && last.block == Index3{grid[0] - 1, grid[1] - 1, grid[2] - 1};
  return blocks > 2 && from_first_to_last && reads.counts[element] == blocks ? std::optional(blocks) : std::nullopt;
}

void blame_read(Finding& finding, const SourcePlace& line) {
  if (!line.known()) return;
  if (finding.where.known() && (finding.where.file != line.file || finding.where.line != line.line))
    finding.other = OtherPlace{std::string(kStoredHere), finding.where, {}, {}};
  finding.where = line;
}

/// "element 5", "elements 5 to 7": those from the first special one on that follow each other.
struct Run {
  std::size_t first = 0, last = 0;

  std::string text(std::string_view one) const {
    return first == last ? fmt::format("{} {}", one, first) : fmt::format("{}s {} to {}", one, first, last);
  }
};

template <typename Special>
std::optional<Run> first_run(std::size_t n, Special special) {
  std::size_t first = 0;
  while (first < n && !special(first)) ++first;
  if (first == n) return std::nullopt;
  std::size_t last = first;
  while (last + 1 < n && special(last + 1)) ++last;
  return Run{first, last};
}

/// How often an element that is in the sum once is read; 1 where there is none.
std::int64_t usual_reads(std::span<const std::int64_t> counts, const ArrayReads& reads) {
  const auto once = std::ranges::find(counts, 1);
  return once == counts.end() ? 1 : reads.counts[static_cast<std::size_t>(once - counts.begin())];
}

void name_missing(Finding& finding, std::span<const std::int64_t> counts, const ArrayReads& reads, std::size_t first) {
  const auto missing_where = [&](bool read) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] == 0 && (reads.counts[i] > 0) != read) return false;
    }
    return true;
  };
  if (missing_where(false)) {
    finding.help = fmt::format(
        "no thread reads element {0}, nor the others that are missing: which thread should read element {0}, and which "
        "condition or which step leaves it out?",
        first);
  } else if (missing_where(true)) {
    finding.help = fmt::format("{}, and its value is lost after that: follow it from there to the sum",
                               readers_text(reads, first, fmt::format("element {}", first)));
    blame_read(finding, reads.places[reads.first[first].place]);
  }
}

/// Of the rows, or columns, of a matrix: how often each is read, in units of the one that is read least of those that
/// are read. Nothing where elements of one are not read alike.
std::optional<Times> times_of(const ArrayReads& reads, std::size_t rows, std::size_t columns, bool by_column) {
  if (reads.counts.size() != rows * columns || reads.counts.empty()) return std::nullopt;
  const std::size_t parts = by_column ? columns : rows;
  Times times(parts, -1);
  for (std::size_t i = 0; i < reads.counts.size(); ++i) {
    std::int64_t& known = times[by_column ? i % columns : i / columns];
    if (known >= 0 && known != reads.counts[i]) return std::nullopt;
    known = reads.counts[i];
  }
  std::int64_t least = 0;
  for (const std::int64_t count : times) {
    if (count > 0 && (least == 0 || count < least)) least = count;
  }
  for (std::int64_t& count : times) {
    if (least == 0 || count % least != 0) return std::nullopt;
    count /= least;
  }
  return times;
}

struct Matrices {
  const datasets::Array* a = nullptr;
  const datasets::Array* b = nullptr;
  std::size_t m = 0, n = 0, p = 0;
};

std::optional<Matrices> matrices_of(const Comparison& comparison, const datasets::Case& test) {
  if (comparison.misfit || comparison.shape.size() != 2) return std::nullopt;
  Matrices found;
  for (const datasets::Array& input : test.inputs) {
    const bool is_matrix = input.type == datasets::ElementType::f32 && input.shape.size() == 2;
    if (is_matrix && input.name == "a") found.a = &input;
    if (is_matrix && input.name == "b") found.b = &input;
  }
  if (found.a == nullptr || found.b == nullptr) return std::nullopt;
  found.m = static_cast<std::size_t>(comparison.shape[0]);
  found.n = static_cast<std::size_t>(found.a->shape[1]);
  found.p = static_cast<std::size_t>(comparison.shape[1]);
  const bool fits = found.a->shape[0] == comparison.shape[0] && found.b->shape[0] == found.a->shape[1] &&
                    found.b->shape[1] == comparison.shape[1];
  return fits ? std::optional(found) : std::nullopt;
}

/// All elements of the output are the sums of their products, so many times each; of large outputs some hundred.
bool explains(const Times& times, const Matrices& matrices, const Comparison& comparison) {
  constexpr std::size_t kSample = 256, kFewest = 3;
  const auto a = datasets::values_of<float>(*matrices.a), b = datasets::values_of<float>(*matrices.b);
  const auto most = static_cast<double>(*std::ranges::max_element(times));
  const std::size_t elements = matrices.m * matrices.p, step = std::max<std::size_t>(1, elements / kSample);
  if (elements < kFewest) return false;
  for (std::size_t i = 0; i < elements; i += step) {
    double sum = 0;
    for (std::size_t k = 0; k < matrices.n; ++k) {
      sum += static_cast<double>(times[k]) * static_cast<double>(a[i / matrices.p * matrices.n + k]) *
             static_cast<double>(b[k * matrices.p + i % matrices.p]);
    }
    const Element element = comparison.at(static_cast<std::int64_t>(i));
    if (!within(element.got, sum, most * element.bound)) return false;
  }
  return true;
}

/// "2 times", "2 to 4 times", of those that are there more than once.
std::string times_text(const Times& times) {
  std::int64_t least = 0, most = 0;
  for (const std::int64_t count : times) {
    if (count < 2) continue;
    least = least == 0 ? count : std::min(least, count);
    most = std::max(most, count);
  }
  return least == most ? fmt::format("{} times", least) : fmt::format("{} to {} times", least, most);
}

}  // namespace

bool name_readers(Mismatch& mismatch, std::span<const std::int64_t> counts, const ArrayReads& reads,
                  std::span<const vgpu::LaunchCounters> launches) {
  if (counts.size() != reads.counts.size()) return false;
  Finding& finding = mismatch.finding;
  const auto again = first_run(counts.size(), [&](std::size_t i) { return counts[i] > 1; });
  if (!again) {
    const auto missing = first_run(counts.size(), [&](std::size_t i) { return counts[i] == 0; });
    const std::string_view detector = mismatch.pattern ? std::string_view(mismatch.pattern->detector) : "";
    if (missing && (detector == "sum_without_a_run" || detector == "sum_without_some"))
      name_missing(finding, counts, reads, missing->first);
    return false;
  }
  const std::int64_t usual = usual_reads(counts, reads);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 1 && (usual == 0 || reads.counts[i] != counts[i] * usual)) return false;
  }
  mismatch.cause = mismatch.pattern;
  const auto blocks = blocks_that_all_read(reads, again->first, launches);
  if (blocks) {
    const ElementReader& reader = reads.last[again->first];
    finding.help =
        fmt::format("each of the {} blocks reads element {} in line {}, by its thread {}: {}", *blocks, again->first,
                    reads.places[reader.place].line, index_text(reader.thread), kOneBlockAlone);
  } else {
    finding.help = fmt::format("{}: let one thread alone take each element",
                               readers_text(reads, again->first, fmt::format("element {}", again->first)));
  }
  const SourcePlace& read = reads.places[reads.last[again->first].place];
  blame_read(finding, read);
  return blocks.has_value() && read.known();
}

bool name_product_reads(Mismatch& mismatch, const Comparison& comparison, const datasets::Case& test,
                        std::span<const ArrayReads> reads) {
  const auto matrices = matrices_of(comparison, test);
  const auto of_a = std::ranges::find(reads, "a", &ArrayReads::array),
             of_b = std::ranges::find(reads, "b", &ArrayReads::array);
  if (!matrices || of_a == reads.end() || of_b == reads.end()) return false;
  const auto times = times_of(*of_a, matrices->m, matrices->n, true);
  if (!times || times != times_of(*of_b, matrices->n, matrices->p, false)) return false;
  const auto again = first_run(times->size(), [&](std::size_t k) { return (*times)[k] > 1; });
  const auto missing = first_run(times->size(), [&](std::size_t k) { return (*times)[k] == 0; });
  if ((!again && !missing) || !explains(*times, *matrices, comparison)) return false;
  ValuePattern pattern;
  pattern.kind = ValueKind::read_unevenly;
  if (again) {
    pattern.what = fmt::format("{} of {} are added {}", again->text("product"), times->size(), times_text(*times));
    if (again->first == again->last) pattern.what.replace(pattern.what.find(" are "), 5, " is ");
    const std::string name = fmt::format("`a[0][{}]`", again->first);
    pattern.help = fmt::format("{}: let each product be added once", readers_text(*of_a, again->first, name));
    blame_read(mismatch.finding, of_a->places[of_a->last[again->first].place]);
  } else {
    pattern.what = fmt::format("{} of {} {} left out", missing->text("product"), times->size(),
                               missing->first == missing->last ? "is" : "are");
    pattern.help = fmt::format(
        "no thread reads `a[0][{0}]`: which thread should, and which condition or which step leaves it out?",
        missing->first);
  }
  mismatch.finding.message += "; " + pattern.what;
  mismatch.finding.help = pattern.help;
  mismatch.cause = mismatch.pattern = pattern;
  mismatch.clarity = Clarity::values;
  return true;
}

}  // namespace cudalabs
