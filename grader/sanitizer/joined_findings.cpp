#include "sanitizer/joined_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "text/counted.h"
#include "text/enumeration.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/finding_table.h"

namespace cudalabs::sanitizer {
namespace {

/// "sum<float>" and "sum<int>" have the same source lines.
std::string template_of(const std::string& kernel) {
  return kernel.substr(0, kernel.find('<'));
}

using Line = std::pair<std::string, std::uint32_t>;

Line line_of(const SourcePlace& place) {
  return {place.file, place.line};
}

bool is_race_with_lines(const Finding& finding) {
  return is_of(finding.id, FindingGroup::races) && finding.where.known() && finding.other &&
         finding.other->place.known();
}

bool is_same_line(const SourcePlace& left, const SourcePlace& right) {
  return left.line == right.line && left.file == right.file;
}

/// Of two races: one of both lines is the other's, too.
bool share_line(const Finding& left, const Finding& right) {
  const auto has = [&](const SourcePlace& place) {
    return is_same_line(place, right.where) || is_same_line(place, right.other->place);
  };
  return has(left.where) || has(left.other->place);
}

/// What findings of one bug have in common in any case.
using Kind = std::tuple<std::string, Severity, std::string>;

Kind kind_of(const Finding& finding) {
  return {finding.id, finding.severity, template_of(finding.kernel)};
}

using Array = std::tuple<std::string, std::string, std::optional<std::uint64_t>>;

Array array_of(const Finding& finding) {
  return {finding.access.array, finding.access.shared_array, finding.access.begin};
}

/// The barrier that a race lacks goes between these lines, which are executed one after the other.
bool lacks_barrier(const Finding& race) {
  return race.help.advises(Advice::block_barrier) && race.barrier.after != 0 &&
         race.barrier.after < race.barrier.before;
}

bool is_within(const BarrierLines& inner, const BarrierLines& outer) {
  return outer.after <= inner.after && inner.before <= outer.before;
}

/// The address tells which array is meant, and which element. Null is the address of every array that there is not.
bool has_own_address(const Finding& finding) {
  const bool wanted = is_of(finding.id, FindingGroup::memory_errors) || finding.id == finding_ids::kUninitializedRead;
  return wanted && finding.id != finding_ids::kNullPointerDereference && !finding.kernel.empty() && finding.address &&
         finding.thread;
}

/// One of the two accesses that race at an address is this read of it.
bool reads_too_early(const Finding& read, const Finding& race) {
  const auto is_read = [&](const SourcePlace& place, const auto& block, const auto& thread) {
    return place == read.where && block == read.block && thread == read.thread;
  };
  return race.kernel == read.kernel && (is_read(race.where, race.block, race.thread) ||
                                        is_read(race.other->place, race.other->block, race.other->thread));
}

/// Finds for each finding the one that speaks for it.
class Speakers {
 public:
  explicit Speakers(const std::vector<Finding>& findings) : findings_(findings), speaker_(findings.size()) {
    std::iota(speaker_.begin(), speaker_.end(), std::size_t{0});
    join_same_lines();
    join_without_barrier();
    join_by_barrier();
    join_same_addresses();
    join_early_reads();
  }

  /// Itself, where none speaks for it.
  std::size_t of(std::size_t finding) const {
    while (speaker_[finding] != finding) finding = speaker_[finding];
    return finding;
  }

 private:
  bool speaks(std::size_t i) const { return speaker_[i] == i; }

  void join_same_lines() {
    std::map<std::tuple<Kind, Line, Line, Array>, std::size_t> first;
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      const Finding& race = findings_[i];
      if (!is_race_with_lines(race)) continue;
      const auto key = std::tuple(kind_of(race), line_of(race.where), line_of(race.other->place), array_of(race));
      speaker_[i] = first.try_emplace(key, i).first->second;
    }
  }

  void join_without_barrier() {
    std::map<std::tuple<Kind, Array, std::string>, std::vector<std::size_t>> speakers;
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      const Finding& race = findings_[i];
      const bool known = race.access.begin && is_race_with_lines(race);
      if (!known || !speaks(i) || lacks_barrier(race)) continue;
      auto& of_kind = speakers[{kind_of(race), array_of(race), race.help.words()}];
      const auto found =
          std::ranges::find_if(of_kind, [&](std::size_t other) { return share_line(findings_[other], race); });
      if (found != of_kind.end()) {
        speaker_[i] = *found;
      } else {
        of_kind.push_back(i);
      }
    }
  }

  /// Where the barrier may stand at fewest lines it orders the others, too.
  void join_by_barrier() {
    std::map<std::pair<Kind, std::string>, std::vector<std::size_t>> kinds;
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      const Finding& race = findings_[i];
      if (speaks(i) && is_race_with_lines(race) && lacks_barrier(race))
        kinds[{kind_of(race), race.where.file}].push_back(i);
    }
    for (auto& [kind, races] : kinds) {
      std::ranges::stable_sort(races, {},
                               [&](std::size_t i) { return findings_[i].barrier.before - findings_[i].barrier.after; });
      for (std::size_t k = 1; k < races.size(); ++k) {
        const Finding& race = findings_[races[k]];
        const auto before = races.begin() + static_cast<std::ptrdiff_t>(k);
        const auto found = std::find_if(races.begin(), before, [&](std::size_t other) {
          return share_line(findings_[other], race) && is_within(findings_[of(other)].barrier, race.barrier);
        });
        if (found != before) speaker_[races[k]] = of(*found);
      }
    }
  }

  void join_same_addresses() {
    std::map<std::tuple<Kind, std::uint64_t, Index3, Index3, std::uint64_t, std::uint64_t, std::string>, std::size_t>
        first;
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      const Finding& access = findings_[i];
      if (!speaks(i) || !has_own_address(access)) continue;
      const auto key = std::tuple(kind_of(access), *access.address, access.block.value_or(Index3{}), *access.thread,
                                  access.count, access.launch.number, access.help.words());
      speaker_[i] = first.try_emplace(key, i).first->second;
    }
  }

  void join_early_reads() {
    std::map<std::uint64_t, std::vector<std::size_t>> races;  // by address
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      const Finding& race = findings_[i];
      if (is_race_with_lines(race) && race.address && race.severity == Severity::error)
        races[*race.address].push_back(i);
    }
    for (std::size_t i = 0; i < findings_.size(); ++i) {
      const Finding& read = findings_[i];
      if (!speaks(i) || read.id != finding_ids::kUninitializedRead || !read.where.known() || !read.address) continue;
      for (const std::size_t race : races[*read.address])
        if (speaks(i) && reads_too_early(read, findings_[race])) speaker_[i] = of(race);
    }
  }

  const std::vector<Finding>& findings_;
  std::vector<std::size_t> speaker_;
};

constexpr std::size_t kMostPlaces = 8;

/// "lines 5, 6 and 7", "line 5 of sum.cuh and line 9", as seen from `file`.
std::string places_text(const std::set<Line>& lines, const std::string& file) {
  std::vector<std::uint32_t> own;
  std::vector<std::string> told;
  std::size_t left = kMostPlaces;
  for (const auto& [of, line] : lines) {
    if (left == 0) break;
    --left;
    if (of == file) {
      own.push_back(line);
    } else {
      told.push_back(fmt::format("line {} of {}", line, of.substr(of.rfind('/') + 1)));
    }
  }
  if (!own.empty()) told.insert(told.begin(), enumeration_of_lines(own));
  return enumeration(told) + (lines.size() > kMostPlaces ? " and others" : "");
}

/// What one finding says of those that it speaks for.
class OthersNote {
 public:
  explicit OthersNote(const Finding& speaker) : speaker_(speaker) {}

  void add(const Finding& other) {
    const bool race = is_of(other.id, FindingGroup::races);
    const bool follows = other.id != speaker_.id;
    Group& group = follows ? reads_ : race ? pairs_ : accesses_;
    ++group.count;
    if (other.where.known()) group.lines.insert(line_of(other.where));
    if (race && other.other->place.known()) group.lines.insert(line_of(other.other->place));
  }

  std::string text() const {
    std::string text;
    const auto say = [&](const Group& group, std::string_view one, std::string_view many) {
      if (group.count == 0) return;
      if (!text.empty()) text += '\n';
      const std::string places = places_text(group.lines, speaker_.where.file);
      text += fmt::format("and {}, for the same cause{}{}", counted(group.count, one, many), places.empty() ? "" : ": ",
                          places);
    };
    say(pairs_, "more pair of accesses that race", "more pairs of accesses that race");
    say(accesses_, "more access to this address", "more accesses to this address");
    say(reads_, "read of what nobody has written yet", "reads of what nobody has written yet");
    return text;
  }

 private:
  struct Group {
    std::size_t count = 0;
    std::set<Line> lines;
  };
  const Finding& speaker_;
  Group pairs_, accesses_, reads_;
};

}  // namespace

JoinedFindings join_findings(std::vector<Finding> findings) {
  const Speakers speakers(findings);
  std::map<std::size_t, OthersNote> notes;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const std::size_t speaker = speakers.of(i);
    if (speaker != i) notes.try_emplace(speaker, findings[speaker]).first->second.add(findings[i]);
  }
  JoinedFindings joined;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (speakers.of(i) != i) {
      joined.others.push_back(std::move(findings[i]));
      continue;
    }
    if (const auto note = notes.find(i); note != notes.end()) {
      if (!findings[i].note.empty()) findings[i].note += '\n';
      findings[i].note += note->second.text();
    }
    joined.told.push_back(std::move(findings[i]));
  }
  return joined;
}

}  // namespace cudalabs::sanitizer
