// From what the values show to the kind of line that does so.
#include "check/origin_place.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "check/explanations.h"
#include "check/result_copy.h"

namespace cudalabs {
namespace {

using vgpu::OriginKind;

/// Of a number that is no power of two, halving loses what has no partner.
bool block_cannot_be_halved(const Observation& observed) {
  return !observed.launches.empty() && !std::has_single_bit(observed.launches.back().config.threads_per_block());
}

std::vector<CauseLine> suspects_of(const Mismatch& mismatch, const Comparison& comparison,
                                   const Observation& observed) {
  std::vector<CauseLine> suspects;
  const auto add = [&](OriginKind kind) { suspects.push_back({CauseLine::Kind::origin, kind}); };
  if (mismatch.fault == Fault::nonfinite) {
    const auto first = comparison.first(Fault::nonfinite);
    const bool infinite = first && std::isinf(first->got);
    add(infinite ? OriginKind::half : OriginKind::own_array);
  }
  if (mismatch.fault != Fault::wrong || !mismatch.pattern) return suspects;
  const ValuePattern& pattern = *mismatch.pattern;
  if (pattern.kind == ValueKind::low_precision) add(OriginKind::half);
  if (pattern.kind == ValueKind::whole_numbers || pattern.kind == ValueKind::added_as_float) add(OriginKind::integer);
  // Where there is a tile, its rows are mixed up between the fill and the read.
  if (pattern.kind == ValueKind::misplaced) add(OriginKind::fill_read);
  for (const CauseLine& cause : causes_of(pattern.detector)) {
    const bool odd = cause.kind == CauseLine::Kind::origin_if_odd_block && block_cannot_be_halved(observed);
    if (odd || cause.kind == CauseLine::Kind::origin || cause.kind == CauseLine::Kind::last_origin)
      suspects.push_back(cause);
  }
  return suspects;
}

/// The nearest such line; of fills the only one.
std::optional<SourcePlace> line_of(const CauseLine& suspect, const std::vector<vgpu::ArrayWriter>& writers) {
  // The warps' values are halved first, and evenly: it is the block's number that may be odd.
  const bool is_last =
      suspect.kind == CauseLine::Kind::last_origin || suspect.kind == CauseLine::Kind::origin_if_odd_block;
  std::optional<SourcePlace> found;
  for (const vgpu::ArrayWriter& writer : writers) {
    for (const vgpu::OriginPlace& origin : writer.origins) {
      if (origin.kind != suspect.origin || (!suspect.array.empty() && origin.array != suspect.array)) continue;
      const bool other = found && (found->file != origin.where.file || found->line != origin.where.line);
      const bool is_fill = suspect.origin == OriginKind::fill || suspect.origin == OriginKind::fill_read;
      if (other && is_fill) return std::nullopt;
      const bool later = found && is_last && found->file == origin.where.file && origin.where.line > found->line;
      if (!found || later) found = origin.where;
    }
  }
  return found;
}

/// The launch that the values lead to.
std::optional<SourcePlace> launch_of(const Mismatch& mismatch, const Observation& observed) {
  const std::string& detector = mismatch.pattern->detector;
  const auto launch = std::ranges::find(observed.launch_places, mismatch.finding.kernel, &LaunchPlace::kernel);
  if (launch == observed.launch_places.end()) return std::nullopt;
  if (leads_to(detector, CauseLine::Kind::arguments)) return launch->where;
  if (leads_to(detector, CauseLine::Kind::first_launch)) return launch->first;
  return leads_to(detector, CauseLine::Kind::last_launch) ? std::optional(launch->where) : std::nullopt;
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
  for (const CauseLine& suspect : suspects_of(mismatch, comparison, observed)) {
    const auto line = line_of(suspect, writers);
    if (!line) continue;
    mismatch.origin = suspect.origin;
    if (suspect.origin == OriginKind::own_array) {
      finding.help =
          "each thread has this array for itself, and what other threads store in theirs it never sees: an array that "
          "the threads of a block share is declared `__shared__`";
      blame_origin(finding, *line, kOwnPlaces);
      return;
    }
    if (suspect.origin == OriginKind::half && mismatch.fault == Fault::nonfinite)
      finding.help =
          "here the value is rounded to half precision, in which 65504 is the largest number: keep it in `float`";
    blame_origin(finding, *line, kStoredHere);
    // Both sides of a tile have to agree: either may be the one to change.
    const auto read = suspect.origin == OriginKind::fill
                          ? line_of({CauseLine::Kind::origin, OriginKind::fill_read, suspect.array}, writers)
                          : std::nullopt;
    if (read) finding.other = OtherPlace{"and this is where it is read", *read, {}, {}};
    return;
  }
  if (mismatch.fault != Fault::wrong || !mismatch.pattern || !mismatch.pattern->sure) return;
  if (leads_to(mismatch.pattern->detector, CauseLine::Kind::restart)) {
    const auto loop = line_of({CauseLine::Kind::origin, OriginKind::loop}, writers);
    if (loop) finding.other = OtherPlace{"the loop begins here", *loop, {}, {}};
    return;
  }
  if (leads_to(mismatch.pattern->detector, CauseLine::Kind::index)) {
    const auto read = line_of({CauseLine::Kind::origin, OriginKind::block_read}, writers);
    if (read) finding.other = OtherPlace{"the elements are read here", *read, {}, {}, PlaceRole::reading};
    return;
  }
  if (const auto launch = launch_of(mismatch, observed); launch && launch->known())
    blame_origin(finding, *launch, kStoredHere);
}

}  // namespace cudalabs
