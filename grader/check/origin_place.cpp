// From what the values show to the kind of line that does so.
#include "check/origin_place.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "check/result_copy.h"

namespace cudalabs {
namespace {

using vgpu::OriginKind;

struct Suspect {
  OriginKind kind;
  std::string array = {};  // of a fill: what it must be filled from; empty: any
};

struct DetectorRow {
  std::string_view detector;
  Suspect suspect;
};

/// What to look for, in this order.
const std::array kRows{DetectorRow{"product_stops_early", {OriginKind::loop_end}},
                       DetectorRow{"product_sums_rows", {OriginKind::loop_end}},
                       DetectorRow{"product_sums_rows", {OriginKind::loop}},
                       DetectorRow{"product_sums_columns", {OriginKind::loop_end}},
                       DetectorRow{"product_sums_columns", {OriginKind::loop}},
                       DetectorRow{"product_misses_last", {OriginKind::loop_end}},
                       DetectorRow{"product_misses_last", {OriginKind::loop}},
                       DetectorRow{"product_misses_first", {OriginKind::loop}},
                       DetectorRow{"product_stops_at_data", {OriginKind::early_exit}},
                       DetectorRow{"product_keeps_old_tile", {OriginKind::partial_fill}},
                       DetectorRow{"product_keeps_old_tile", {OriginKind::fill, "a"}},
                       DetectorRow{"product_tile_of_a_transposed", {OriginKind::fill, "a"}},
                       DetectorRow{"product_tile_of_b_transposed", {OriginKind::fill, "b"}}};

/// Of a number that is no power of two, halving loses what has no partner.
bool block_cannot_be_halved(const Observation& observed) {
  return !observed.launches.empty() && !std::has_single_bit(observed.launches.back().config.threads_per_block());
}

std::vector<Suspect> suspects_of(const Mismatch& mismatch, const Comparison& comparison, const Observation& observed) {
  std::vector<Suspect> suspects;
  if (mismatch.fault == Fault::nonfinite) {
    const auto first = comparison.first(Fault::nonfinite);
    const bool infinite = first && std::isinf(first->got);
    suspects.push_back({infinite ? OriginKind::half : OriginKind::own_array});
  }
  if (mismatch.fault != Fault::wrong || !mismatch.pattern) return suspects;
  const ValuePattern& pattern = *mismatch.pattern;
  if (pattern.kind == ValueKind::low_precision) suspects.push_back({OriginKind::half});
  if (pattern.kind == ValueKind::whole_numbers) suspects.push_back({OriginKind::integer});
  for (const DetectorRow& row : kRows)
    if (row.detector == pattern.detector) suspects.push_back(row.suspect);
  if (pattern.detector.starts_with("sum_") && block_cannot_be_halved(observed))
    suspects.push_back({OriginKind::halving});
  return suspects;
}

/// The nearest such line; of fills the only one.
std::optional<SourcePlace> line_of(const Suspect& suspect, const std::vector<vgpu::ArrayWriter>& writers) {
  std::optional<SourcePlace> found;
  for (const vgpu::ArrayWriter& writer : writers) {
    for (const vgpu::OriginPlace& origin : writer.origins) {
      if (origin.kind != suspect.kind || (!suspect.array.empty() && origin.array != suspect.array)) continue;
      const bool other = found && (found->file != origin.where.file || found->line != origin.where.line);
      if (other && (suspect.kind == OriginKind::fill || suspect.kind == OriginKind::fill_read)) return std::nullopt;
      if (!found) found = origin.where;
    }
  }
  return found;
}

/// The launch whose blocks are too few for what it was given.
std::optional<SourcePlace> short_launch(const Mismatch& mismatch, const Observation& observed) {
  const std::string& detector = mismatch.pattern->detector;
  const auto launch = std::ranges::find(observed.launch_places, mismatch.finding.kernel, &LaunchPlace::kernel);
  if (launch == observed.launch_places.end()) return std::nullopt;
  // The blocks of the first launch take the elements, those of the last one what the others have left.
  if (detector == "sum_of_whole_blocks" || detector == "sum_of_one_block") return launch->first;
  return detector == "sum_of_a_block_of_blocks" ? std::optional(launch->where) : std::nullopt;
}

void blame_origin(Finding& finding, const SourcePlace& line, std::string_view label) {
  const bool same = finding.where.file == line.file && finding.where.line == line.line;
  if (finding.where.known() && !same) finding.other = OtherPlace{std::string(label), finding.where, {}, {}};
  finding.where = line;
}

}  // namespace

void name_origin(Mismatch& mismatch, const Comparison& comparison, const Observation& observed) {
  Finding& finding = mismatch.finding;
  const std::vector<vgpu::ArrayWriter> writers = writers_of(mismatch.output, observed);
  for (const Suspect& suspect : suspects_of(mismatch, comparison, observed)) {
    const auto line = line_of(suspect, writers);
    if (!line) continue;
    if (suspect.kind == OriginKind::own_array) {
      finding.help =
          "each thread has this array for itself, and what other threads store in theirs it never sees: an array that "
          "the threads of a block share is declared `__shared__`";
      blame_origin(finding, *line, kOwnPlaces);
      return;
    }
    if (suspect.kind == OriginKind::half && mismatch.fault == Fault::nonfinite)
      finding.help =
          "here the value is rounded to half precision, in which 65504 is the largest number: keep it in `float`";
    blame_origin(finding, *line, kStoredHere);
    // Both sides of a tile have to agree: either may be the one to change.
    const auto read =
        suspect.kind == OriginKind::fill ? line_of({OriginKind::fill_read, suspect.array}, writers) : std::nullopt;
    if (read) finding.other = OtherPlace{"and this is where it is read", *read, {}, {}};
    return;
  }
  if (mismatch.fault != Fault::wrong || !mismatch.pattern || !mismatch.pattern->sure) return;
  if (mismatch.pattern->detector == kRestarts) {
    const auto loop = line_of({OriginKind::loop}, writers);
    if (loop) finding.other = OtherPlace{"the loop begins here", *loop, {}, {}};
    return;
  }
  if (const auto launch = short_launch(mismatch, observed); launch && launch->known())
    blame_origin(finding, *launch, kStoredHere);
}

}  // namespace cudalabs
