// The head of the loop is worked out for threads at the corners of a block.
#include "explain/barriers/uneven_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>

#include "explain/places/beside_place.h"
#include "source/case_value.h"
#include "source/condition_text.h"
#include "source/counting_loop.h"
#include "source/function_text.h"
#include "source/loop_text.h"
#include "text/code_scan.h"
#include "text/code_text.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

/// A loop whose head consists of what is known of a case.
struct KnownLoop {
  const LoopText* text = nullptr;
  CountingLoop count;
  std::array<CaseExpression, 3> parts;  // what it begins with, its end, its step
  bool knows_end = true;                // else only what it begins with

  std::optional<std::int64_t> first_value(const CaseRun& case_run, const LaunchedThread& thread) const {
    return value_of(parts[0], case_run.test.spec.parameters, &thread);
  }

  std::optional<std::array<std::int64_t, 3>> values(const CaseRun& case_run, const LaunchedThread& thread) const {
    if (!knows_end) return std::nullopt;
    std::array<std::int64_t, 3> found{};
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto value = value_of(parts[i], case_run.test.spec.parameters, &thread);
      if (!value) return std::nullopt;
      found[i] = *value;
    }
    return found;
  }
};

/// A thread, and how often it goes round.
struct Rounds {
  Index3 thread{};
  std::array<std::int64_t, 3> values{};
  std::int64_t count = 0;
};

/// Two threads of one block of a case.
struct Uneven {
  const CaseRun* case_run = nullptr;
  Rounds more, fewer;
};

/// The first and the last block, and that of the finding.
std::vector<Index3> blocks_of(const vgpu::LaunchConfig& launch, const MergedFinding& finding) {
  std::vector<Index3> blocks{{0, 0, 0}, last_thread(launch).block};
  const auto is_in = [&](const Index3& block) {
    return block[0] < launch.grid[0] && block[1] < launch.grid[1] && block[2] < launch.grid[2];
  };
  if (finding.block && is_in(*finding.block)) blocks.push_back(*finding.block);
  return blocks;
}

std::vector<Index3> corners_of(const Index3& extents) {
  std::vector<Index3> corners;
  for (std::uint32_t number = 0; number < 8; ++number) {
    Index3 corner{};
    for (std::uint32_t axis = 0; axis < 3; ++axis) corner[axis] = (number >> axis & 1) != 0 ? extents[axis] - 1 : 0;
    if (std::ranges::find(corners, corner) == corners.end()) corners.push_back(corner);
  }
  return corners;
}

/// Of the threads at the corners of the block; nothing: they go round equally often, or it is not known how often.
std::optional<Uneven> uneven_in(const KnownLoop& loop, const CaseRun& case_run, const vgpu::LaunchConfig& launch,
                                const Index3& block) {
  std::vector<Rounds> all;
  for (const Index3& corner : corners_of(launch.block)) {
    const auto values = loop.values(case_run, {launch, block, corner});
    const auto count = values ? loop.count.rounds((*values)[0], (*values)[1], (*values)[2]) : std::nullopt;
    if (!count) return std::nullopt;
    all.push_back({corner, *values, *count});
  }
  const auto fewest = std::ranges::min_element(all, {}, &Rounds::count),
             most = std::ranges::max_element(all, {}, &Rounds::count);
  return fewest->count < most->count ? std::optional(Uneven{&case_run, *most, *fewest}) : std::nullopt;
}

std::optional<Uneven> uneven_in(const KnownLoop& loop, const CaseRun& case_run, const MergedFinding& finding) {
  constexpr std::size_t kMostLaunches = 16;
  const auto& launches = case_run.observed.launches;
  for (std::size_t i = 0; i < std::min(launches.size(), kMostLaunches); ++i) {
    if (launches[i].kernel != finding.kernel) continue;
    for (const Index3& block : blocks_of(launches[i].config, finding))
      if (auto found = uneven_in(loop, case_run, launches[i].config, block)) return found;
  }
  return std::nullopt;
}

/// Threads of one block begin with other numbers, in a case of the finding.
bool begins_unevenly(const KnownLoop& loop, const MergedFinding& finding, const SubmissionRun& submission_run) {
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (finding.cases.empty() || !finding.is_seen_in(case_run.test.spec.name)) continue;
    for (const auto& launch : case_run.observed.launches) {
      if (launch.kernel != finding.kernel) continue;
      const auto first = loop.first_value(case_run, {launch.config, {0, 0, 0}, {0, 0, 0}});
      const auto last = loop.first_value(case_run, {launch.config, {0, 0, 0}, corners_of(launch.config.block).back()});
      if (first && last && *first != *last) return true;
      break;
    }
  }
  return false;
}

enum class Where : std::uint8_t { in_all_cases, in_a_case };

/// In the cases of the finding; a case that is shown speaks for all.
std::optional<Uneven> uneven_in(const KnownLoop& loop, const MergedFinding& finding,
                                const SubmissionRun& submission_run, Where where) {
  std::optional<Uneven> found;
  for (const CaseRun& case_run : submission_run.case_runs) {
    if (finding.cases.empty() || !finding.is_seen_in(case_run.test.spec.name)) continue;
    const auto here = uneven_in(loop, case_run, finding);
    if (!here && where == Where::in_a_case) continue;
    if (!here) return std::nullopt;
    if (!found || (found->case_run->test.spec.hidden && !case_run.test.spec.hidden)) found = here;
  }
  return found;
}

/// Loops around barriers of one source.
class LoopsOfBarriers {
 public:
  LoopsOfBarriers(std::string_view code, std::set<std::string> sizes)
      : code_(code), expressions_(code, std::move(sizes)), loops_(loops_of(code)), conditions_(conditions_of(code)) {}

  /// Where the barriers of the function around the place stand in the text.
  std::vector<std::size_t> beside(const SourcePlace& barrier) const {
    constexpr std::size_t kMostBarriers = 16;
    std::vector<std::size_t> places;
    const std::size_t place = place_of_line(code_, barrier.line, barrier.column);
    const FunctionBody* const function = place == kNowhere ? nullptr : expressions_.around(place);
    if (function == nullptr) return places;
    for_each_name(code_.substr(function->begin, function->end - function->begin),
                  [&](std::size_t at, std::string_view name) {
                    if (name == "__syncthreads" && places.size() < kMostBarriers)
                      places.push_back(function->begin + at);
                  });
    return places;
  }

  std::vector<KnownLoop> around(const SourcePlace& barrier) const {
    const std::size_t place = place_of_line(code_, barrier.line, barrier.column);
    return place == kNowhere ? std::vector<KnownLoop>() : around(place);
  }

  std::uint32_t line_of(std::size_t place) const { return line_at(code_, place); }

  /// No condition decides about it.
  bool is_plain(std::size_t place) const {
    return std::ranges::none_of(conditions_, [&](const ConditionText& each) { return each.decides_about(place); });
  }

  /// Those around the barrier, the outermost first, that lead to it in each round.
  std::vector<KnownLoop> around(std::size_t place) const {
    std::vector<KnownLoop> known;
    constexpr std::size_t kMostKnown = 8;  // a text may be made to be long to read
    for (const LoopText& loop : loops_) {
      if (loop.body > place || place >= loop.end || known.size() >= kMostKnown) continue;
      if (auto found = leads_to(loop, place) ? read(loop) : std::nullopt) known.push_back(*std::move(found));
    }
    return known;
  }

 private:
  /// Nothing in the loop decides whether a round comes there.
  bool leads_to(const LoopText& loop, std::size_t place) const {
    bool passes = false;
    for_each_name(code_.substr(loop.body, place - loop.body), [&](std::size_t, std::string_view name) {
      passes = passes || name == "continue" || name == "switch";
    });
    return !passes && std::ranges::none_of(conditions_, [&](const ConditionText& condition) {
      return loop.body <= condition.begin && condition.decides_about(place);
    });
  }

  std::optional<KnownLoop> read(const LoopText& loop) const {
    const FunctionBody* const function = expressions_.around(loop.begin);
    const auto count = counting_loop(code_, loop);
    if (!count || function == nullptr || !expressions_.is_kernel(*function)) return std::nullopt;
    KnownLoop known{&loop, *count, {}};
    const std::array<std::string_view, 3> texts{count->first, count->end, count->step};
    for (std::size_t i = 0; i < texts.size(); ++i) {
      auto part = expressions_.of(texts[i], loop.line, *function);
      if (part && part->counted) return std::nullopt;
      if (!part && i == 0) return std::nullopt;
      known.knows_end = known.knows_end && part;
      if (part) known.parts[i] = *std::move(part);
    }
    return known;
  }

  std::string_view code_;
  CaseExpressions expressions_;
  std::vector<LoopText> loops_;
  std::vector<ConditionText> conditions_;
};

/// What of the head is not the same for the two threads.
std::string what_differs(const KnownLoop& loop, const Uneven& uneven) {
  const CountingLoop& count = loop.count;
  if (uneven.more.values[0] != uneven.fewer.values[0])
    return fmt::format("`{}` begins with `{}`", count.counter, count.first);
  if (uneven.more.values[1] != uneven.fewer.values[1])
    return fmt::format("`{}` goes to `{}`", count.counter, count.end);
  return fmt::format("`{}` goes on by `{}`", count.counter, count.step);
}

std::string rounds_in_words(const Uneven& uneven) {
  const auto thread = [](const Rounds& rounds) {
    return fmt::format("({}, {}, {})", rounds.thread[0], rounds.thread[1], rounds.thread[2]);
  };
  return fmt::format("in case `{}` thread {} makes {} round{} of the loop, and thread {} {}",
                     uneven.case_run->test.spec.name, thread(uneven.more), uneven.more.count,
                     uneven.more.count == 1 ? "" : "s", thread(uneven.fewer),
                     uneven.fewer.count == 0 ? "none" : fmt::format("{}", uneven.fewer.count));
}

void show_loop_beside(MergedFinding& finding, const KnownLoop& loop, const Uneven& uneven, bool beside) {
  if (beside)
    finding.other = OtherPlace{"this loop has more rounds for some threads than for others",
                               {finding.where.file, loop.text->line, loop.text->column},
                               {},
                               {}};
  if (!uneven.case_run->test.spec.hidden) finding.note.insert(0, rounds_in_words(uneven) + "\n");
  finding.help = fmt::format(
      "{}, which is not the same for all threads of the block: let all make the same number of rounds of the loop in "
      "line {}, put the work that only some have into an `if`, and let all reach the barrier",
      what_differs(loop, uneven), loop.text->line);
}

/// Neither of the two barriers is in the loop: some threads met others at this one, and then each barrier is one too
/// few for them.
void show_barrier_in_loop(MergedFinding& finding, const KnownLoop& loop, const std::optional<Uneven>& uneven,
                          std::uint32_t barrier) {
  if (finding.other) finding.note.insert(0, in_words(*finding.other) + "\n");
  finding.other = OtherPlace{
      fmt::format("the loop of line {} {} more rounds for some threads", loop.text->line, uneven ? "has" : "may have"),
      {finding.where.file, barrier, 0},
      {},
      {}};
  if (uneven && !uneven->case_run->test.spec.hidden) finding.note.insert(0, rounds_in_words(*uneven) + "\n");
  finding.help = fmt::format(
      "{}, which is not the same for all threads of the block, so some {}come to the barrier of line {} once more: "
      "take it out of the loop, or let all threads make the same number of rounds",
      uneven ? what_differs(loop, *uneven) : fmt::format("`{}` begins with `{}`", loop.count.counter, loop.count.first),
      uneven ? "" : "may ", barrier);
}

/// The two verdicts on a barrier that rounds may be the reason for.
bool may_come_of_rounds_of(const MergedFinding& finding) {
  return finding.id == finding_ids::kBarrierDivergence && !finding.proven && !finding.kernel.empty() &&
         finding.missed_barrier != MissedBarrier::unsaid;
}

/// A barrier of the same function at which the threads do not wait, in a loop.
void blame_other_barrier(MergedFinding& finding, const std::vector<SourcePlace>& barriers, const LoopsOfBarriers& loops,
                         const SubmissionRun& submission_run) {
  const std::vector<std::size_t> all = loops.beside(finding.where);
  // Of a loop whose end is not known, only the lack of any other reason says that its rounds are why.
  const bool has_no_other_reason = std::ranges::all_of(all, [&](std::size_t place) { return loops.is_plain(place); });
  for (const std::size_t place : all) {
    const std::uint32_t line = loops.line_of(place);
    if (std::ranges::find(barriers, line, &SourcePlace::line) != barriers.end()) continue;
    for (const KnownLoop& loop : loops.around(place)) {
      // What a second launch makes of other sizes is not known. One case in which it is so is an error of its own.
      const auto uneven = uneven_in(loop, finding, submission_run, Where::in_a_case);
      const bool may_be = !loop.knows_end && has_no_other_reason && begins_unevenly(loop, finding, submission_run);
      if (uneven || may_be) return show_barrier_in_loop(finding, loop, uneven, line);
    }
  }
}

void blame_rounds(MergedFinding& finding, const LoopsOfBarriers& loops, const SubmissionRun& submission_run) {
  const bool exited = finding.missed_barrier == MissedBarrier::exited;
  std::vector<SourcePlace> barriers{finding.where};
  for (const auto& place : {finding.other, finding.cause}) {
    if (!exited && place && place->place.file == finding.where.file) barriers.push_back(place->place);
  }
  for (const SourcePlace& barrier : barriers) {
    for (const KnownLoop& loop : loops.around(barrier)) {
      // A condition that is known to be why is another one.
      if (exited && finding.other && finding.other->place.line != loop.text->line) continue;
      if (!exited && finding.barrier.condition != 0 && finding.barrier.condition != loop.text->line) continue;
      const auto uneven = uneven_in(loop, finding, submission_run, Where::in_all_cases);
      if (uneven) return show_loop_beside(finding, loop, *uneven, exited);
    }
  }
  if (!exited && finding.barrier.condition == 0) blame_other_barrier(finding, barriers, loops, submission_run);
}

}  // namespace

void show_uneven_rounds(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file,
                        const SubmissionRun& submission_run) {
  if (std::ranges::none_of(findings, may_come_of_rounds_of)) return;
  const std::string code = without_comments(source);
  std::set<std::string> sizes;
  for (const CaseRun& case_run : submission_run.case_runs)
    for (const auto& [name, size] : case_run.test.spec.parameters) sizes.insert(name);
  const LoopsOfBarriers loops(code, std::move(sizes));
  for (MergedFinding& finding : findings)
    if (may_come_of_rounds_of(finding) && finding.is_in_file(file)) blame_rounds(finding, loops, submission_run);
}

}  // namespace cudalabs
