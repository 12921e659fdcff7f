// Aggregation of sightings by verdict and place; wording is in finding_text.cpp.
#include "vgpu/check/finding_log.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "vgpu/check/finding_text.h"
#include "vgpu/ptx/library_files.h"

namespace cudalabs::vgpu {

namespace {

/// The weaker verdicts of a race say nothing new where the plain one was seen at the same pair of instructions.
std::optional<Verdict> stronger_verdict(Verdict verdict) {
  switch (verdict) {
    case Verdict::shared_race_equal:
    case Verdict::shared_race_volatile:
      return Verdict::shared_race;
    case Verdict::global_race_within_block_equal:
    case Verdict::global_race_within_block_volatile:
      return Verdict::global_race_within_block;
    case Verdict::global_race_between_blocks_equal:
      return Verdict::global_race_between_blocks;
    case Verdict::cluster_race_equal:
      return Verdict::cluster_race;
    default:
      return std::nullopt;
  }
}

auto rank(const Sighting& s) {
  return std::tie(s.at, s.address, s.other, s.bytes, s.space);
}

SharedElements elements_of(const Sighting& s) {
  // Blocks have shared memory of their own, and often write elements of their own.
  const bool between_blocks = s.other && s.at.thread.block != s.other->thread.block;
  return {between_blocks ? 0 : s.at.thread.block, s.address, s.address};
}

SharedElements of_first_block(const SharedElements& a, const SharedElements& b) {
  if (a.block != b.block) return a.block < b.block ? a : b;
  return {a.block, std::min(a.lowest, b.lowest), std::max(a.highest, b.highest)};
}

void absorb(Sighting& into, const Sighting& from) {
  const std::uint64_t count = into.count + from.count;
  const bool across_warps = into.across_warps || from.across_warps;
  const bool reads_of_others = into.reads_of_others || from.reads_of_others;
  const bool each_its_own = into.each_its_own || from.each_its_own;
  const bool lanes_share = into.lanes_share || from.lanes_share;
  const bool doubled = into.doubled && from.doubled;
  const std::uint64_t end = std::max(into.end, from.end);
  const SharedElements elements = of_first_block(*into.elements, *from.elements);
  const bool before_write = into.fence && (into.fence->before_write || from.fence->before_write);
  const auto last = std::max(into.last, from.last);
  const bool after_read = into.fence && (into.fence->after_read || from.fence->after_read);
  const auto pitches = into.pitches ? into.pitches : from.pitches;
  if (rank(from) < rank(into)) into = from;
  into.pitches = pitches;
  into.each_its_own = each_its_own;
  into.lanes_share = lanes_share;
  if (!doubled) into.doubled.reset();
  into.end = end;
  if (into.fence) {
    into.fence->before_write = before_write;
    into.fence->after_read = after_read;
  }
  into.count = count;
  into.last = last;
  into.across_warps = across_warps;
  into.reads_of_others = reads_of_others;
  into.elements = elements;
}

bool is_across_warps(const Sighting& s) {
  if (!s.other) return false;
  const ThreadOfGrid &a = s.at.thread, &b = s.other->thread;
  return a.block != b.block || a.thread / kWarpSize != b.thread / kWarpSize;
}

auto place_key(const SourcePlace& p) {
  return std::tie(p.file, p.line, p.column);
}

bool same_finding(const Finding& a, const Finding& b) {
  return a.id == b.id && a.severity == b.severity && a.kernel == b.kernel && a.where == b.where &&
         a.message == b.message && a.other.has_value() == b.other.has_value() &&
         (!a.other || a.other->place == b.other->place);
}

auto sort_key(const Finding& f) {
  static const SourcePlace nowhere;
  return std::tuple_cat(std::tie(f.kernel), place_key(f.where), std::tie(f.id, f.severity, f.message),
                        place_key(f.other ? f.other->place : nowhere));
}

bool stands_before(const Finding& a, const Finding& b) {
  if (sort_key(a) != sort_key(b)) return sort_key(a) < sort_key(b);
  // z, y, x: the order of linear indices whatever the extent.
  const auto position = [](const std::optional<Index3>& at) {
    return at ? Index3{(*at)[2], (*at)[1], (*at)[0]} : Index3{};
  };
  return std::tuple(position(a.block), position(a.thread), a.address) <
         std::tuple(position(b.block), position(b.thread), b.address);
}

}  // namespace

void FindingLog::add(const Sighting& sighting) {
  Key key{sighting.verdict, sighting.at.instruction, std::nullopt, sighting.strong, sighting.fence.has_value()};
  // However many ways lead past a barrier: it is to be reached by all threads.
  const bool past_barrier = sighting.verdict == Verdict::barrier_missed_by_exited;
  if (sighting.other && !past_barrier) key.other = sighting.other->instruction;
  Sighting seen = sighting;
  seen.across_warps |= is_across_warps(sighting);
  if (!seen.elements) seen.elements = elements_of(sighting);
  const auto [it, inserted] = sightings_.try_emplace(key, seen);
  if (!inserted) absorb(it->second, seen);
}

void FindingLog::merge(const FindingLog& log) {
  for (const auto& [key, sighting] : log.sightings_) add(sighting);
}

void FindingLog::unwritten_reads_are_harmless() {
  for (auto& [key, sighting] : sightings_) {
    const bool of_shared = key.verdict == Verdict::uninitialized_shared && !sighting.other;
    if (of_shared || key.verdict == Verdict::uninitialized_global) sighting.harmless = true;
  }
}

void FindingLog::merge_other_run(const FindingLog& log) {
  std::map<Key, std::uint64_t> counts;
  for (const auto& [key, sighting] : sightings_) counts[key] = sighting.count;
  merge(log);
  for (const auto& [key, sighting] : log.sightings_) {
    const auto mine = counts.find(key);
    if (mine != counts.end()) sightings_.at(key).count = std::max(mine->second, sighting.count);
  }
}

bool FindingLog::has_several_writers(const Sighting& sighting) const {
  const auto races_with_itself = [&](const Party& party) {
    if (party.access != AccessKind::store) return false;
    return std::ranges::any_of(sightings_, [&](const auto& known) {
      const Key& key = known.first;
      return key.instruction == party.instruction && key.other == party.instruction;
    });
  };
  return sighting.other && (races_with_itself(sighting.at) || races_with_itself(*sighting.other));
}

/// Reads of the element race with the store as well: what is stored may be made of what was there.
bool FindingLog::reads_what_it_writes(const Sighting& sighting) const {
  if (!sighting.at.instruction || sighting.at.access != AccessKind::store) return false;
  const auto is_read_for = [&](const Party& reader, const Party& writer) {
    return reader.access != AccessKind::store && writer.access == AccessKind::store &&
           writer.instruction == sighting.at.instruction;
  };
  return std::ranges::any_of(sightings_, [&](const auto& known) {
    const Sighting& race = known.second;
    return race.other && (is_read_for(race.at, *race.other) || is_read_for(*race.other, race.at));
  });
}

bool FindingLog::says_nothing_new(const Key& key) const {
  const auto stronger = stronger_verdict(key.verdict);
  if (stronger && sightings_.contains({*stronger, key.instruction, key.other, StrongRace::none})) return true;
  // Fences are to blame only where they would order every pair.
  Key in_any_case = key;
  in_any_case.unfenced = false;
  if (key.unfenced && sightings_.contains(in_any_case)) return true;
  // Who waits for whom is by masks that name neither. What else keeps lanes from there shows when these are right.
  if (key.verdict == Verdict::warp_deadlock &&
      sightings_.contains({Verdict::outside_mask, key.instruction, std::nullopt, StrongRace::none}))
    return true;
  // What orders threads of different blocks orders those of one, too; a barrier does not.
  if (key.verdict == Verdict::global_race_within_block) {
    const auto is_known = [&](const auto& first, const auto& second, bool unfenced) {
      return sightings_.contains({Verdict::global_race_between_blocks, first, second, key.strong, unfenced});
    };
    for (const bool unfenced : {false, true}) {
      if (is_known(key.instruction, key.other, unfenced)) return true;
      if (is_known(key.other, key.instruction, unfenced)) return true;  // of blocks, either may be the first
    }
  }
  // Reading is the first half of an update that is lost.
  return key.strong == StrongRace::data_read && std::ranges::any_of(sightings_, [&](const auto& known) {
           const Key& other = known.first;
           const auto of_both = [&](const auto& instruction) {
             return instruction == other.instruction || instruction == other.other;
           };
           return other.strong == StrongRace::lost_updates && (of_both(key.instruction) || of_both(key.other));
         });
}

/// How far the launch goes behind the shared memory that `sighting` is about, in all of its lines.
std::uint64_t FindingLog::end_in_shared(const Sighting& sighting, const LaunchNames& names) const {
  const auto range = names.nearest(sighting.space, sighting.address);
  std::uint64_t end = sighting.end;
  for (const auto& [key, other] : sightings_) {
    if (other.verdict != sighting.verdict || other.space != sighting.space || other.end <= end) continue;
    const auto its = names.nearest(other.space, other.address);
    if (range && its && range->address == its->address) end = other.end;
  }
  return end;
}

std::vector<Finding> FindingLog::findings(const LaunchNames& names, const LaunchConfig& config) const {
  std::vector<Finding> result;
  for (const auto& [key, sighting] : sightings_) {
    if (says_nothing_new(key)) continue;
    // The libraries of the toolkit compute with values that they drop later.
    if (sighting.verdict == Verdict::uninitialized_register && sighting.at.instruction &&
        ptx::is_of_toolkit(names.place(*sighting.at.instruction).file))
      continue;
    Sighting told = sighting;
    told.several_writers = has_several_writers(sighting);
    told.updates = reads_what_it_writes(sighting);
    if (told.space == MemorySpace::shared && told.end != 0) told.end = end_in_shared(told, names);
    // Where other accesses to this memory need a barrier of the block, synchronising a warp fixes half of it.
    told.across_warps |= std::ranges::any_of(
        sightings_, [&](const auto& known) { return known.second.across_warps && known.second.space == told.space; });
    told.count = std::max<std::uint64_t>(told.count, 1);  // 0: counted under another verdict
    result.push_back(finding_in_words(told, names, config));
  }
  return merge_findings(std::move(result));
}

std::vector<Finding> merge_findings(std::vector<Finding> findings) {
  std::sort(findings.begin(), findings.end(), stands_before);
  std::vector<Finding> result;
  for (Finding& finding : findings) {
    if (!result.empty() && same_finding(result.back(), finding)) {
      result.back().count += finding.count;
    } else {
      result.push_back(std::move(finding));
    }
  }
  return result;
}

}  // namespace cudalabs::vgpu
