// Operations of different streams, and of the host in unified memory, that touch the same while nothing orders them.
#include "vgpu/cudart/server/stream_races.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "vgpu/check/finding_ids.h"
#include "vgpu/cudart/protocol.h"
#include "vgpu/cudart/server/conflict.h"

namespace cudalabs::vgpu {
namespace {

using Operation = StreamRaces::Operation;

constexpr std::string_view kOneStream = "put both into one stream, or ";

bool comes_after(const Operation& later, const Operation& earlier) {
  const auto reached = later.after.find(earlier.stream);
  return reached != later.after.end() && reached->second >= earlier.number;
}

bool frees(const Operation& operation) {
  return operation.name == "cudaFreeAsync" || operation.name == "cudaGraphAddMemFreeNode";
}

bool allocates(const Operation& operation) {
  return operation.name == "cudaMallocAsync" || operation.name == "cudaMallocFromPoolAsync" ||
         operation.name == "cudaGraphAddMemAllocNode";
}

/// "`scale`"; beside a later one of that name which of the two it is.
std::string name_beside(const Operation& earlier, const Operation& later) {
  if (earlier.name != later.name) return fmt::format("`{}`", earlier.name);
  return fmt::format("an earlier {} of it", earlier.kernel ? "launch" : "call");
}

std::string message_of(const Operation& earlier, const Operation& later, const Conflict& conflict) {
  const std::string first = name_beside(earlier, later);
  if (frees(later)) return fmt::format("`{}` frees memory that `{}` may still use", later.name, earlier.name);
  if (frees(earlier)) return fmt::format("`{}` uses memory that `{}` may have freed already", later.name, earlier.name);
  if (allocates(earlier))
    return fmt::format("`{}` uses memory that `{}` may not have allocated yet", later.name, earlier.name);
  if (!conflict.second_writes) return fmt::format("`{}` may read what {} has not written yet", later.name, first);
  if (!conflict.first_writes) return fmt::format("`{}` may overwrite what {} still reads", later.name, first);
  return fmt::format("`{}` and {} write to the same memory, in either order", later.name, first);
}

/// At least one is in a branch of a graph that is beside the stream of the launch.
bool are_of_graph(const Operation& earlier, const Operation& later) {
  return earlier.of_graph || later.of_graph;
}

std::string help_of(const Operation& earlier, const Operation& later) {
  if (are_of_graph(earlier, later)) {
    return "make the one depend on the other: by `cudaGraphAddDependencies`, or where streams are captured by an event "
           "that is recorded after the first, and that the second one's stream waits for";
  }
  const bool default_beside = (earlier.stream == StreamOrder::kDefault && !later.blocking) ||
                              (later.stream == StreamOrder::kDefault && !earlier.blocking);
  std::string help;
  if (default_beside) {
    help =
        "the default stream and a stream made with `cudaStreamNonBlocking` do not wait for each other: use one stream "
        "for both, or ";
  } else if (wire::is_per_thread_stream(earlier.stream) && wire::is_per_thread_stream(later.stream)) {
    help =
        "each thread of the host has a default stream of its own here, and these do not wait for each other: use one "
        "stream of `cudaStreamCreate` for both, or ";
  } else {
    help = kOneStream;
  }
  return help +
         "record an event after the first (not before it), and let the second one's stream wait for it with "
         "`cudaStreamWaitEvent`, called after the record. `cudaStreamSynchronize` of the first one's stream in between "
         "is right, too, but makes the host wait";
}

/// Launches of one kernel in one line of the program.
bool is_repeated(const Operation& earlier, const Operation& later) {
  return earlier.kernel && later.kernel && !are_of_graph(earlier, later) && earlier.origin == later.origin &&
         earlier.name == later.name;
}

/// Of such launches, where the parts that they write overlap at their borders: an order between them would let the
/// elements there be computed twice all the same. Returns whether it is so.
bool name_overlap(Finding& finding, const std::string& kernel, const TouchedBytes& first, const TouchedBytes& second) {
  const auto overlap = written_overlap(first, second);
  if (!overlap) return false;
  const auto both = conflict(first, second);
  finding.message = fmt::format("the parts that two launches of `{}` write overlap", kernel);
  finding.note = fmt::format(
      "one launch writes {} bytes of device memory, the other one {}, and both write {} of them, from {:#x} on; they "
      "are in different streams, so either may be the last",
      overlap->of_first, overlap->of_second, overlap->bytes, both->bytes.begin);
  finding.help = {Advice::which_work,
                  "let each element belong to one launch only: look at where the part of a launch begins, and at how "
                  "much it takes, in the last launches, too, where the size is no multiple of the number of launches"};
  finding.address = both->bytes.begin;
  finding.other.reset();
  return true;
}

bool meets(const std::vector<ByteRange>& ranges, const ByteRange& bytes) {
  return std::ranges::any_of(
      ranges, [&](const ByteRange& range) { return range.begin < bytes.end && bytes.begin < range.end; });
}

bool contains(const std::vector<ByteRange>& ranges, std::uint64_t address) {
  const auto range = std::ranges::upper_bound(ranges, address, {}, &ByteRange::end);
  return range != ranges.end() && range->begin <= address;
}

void name_empty_wait(HostFinding& race, const CallOrigin& wait) {
  race.finding.cause = OtherPlace{"this waits for nothing: its event was not recorded yet", {}, {}, {}};
  race.finding.help =
      "call `cudaEventRecord` in the first one's stream before `cudaStreamWaitEvent`: an event that was not recorded "
      "yet makes no stream wait";
  race.cause = wait;
}

/// The event that the later one's stream waits for does not come after the first one.
void name_early_record(HostFinding& race, const EventHistory::Record& event, const std::string& first) {
  race.finding.cause = OtherPlace{
      fmt::format("the event that the other stream waits for is recorded here, before `{}`", first), {}, {}, {}};
  race.finding.help = fmt::format(
      "an event stands for what was put into its stream before the record: record one after `{}`, and let the other "
      "stream wait for that",
      first);
  race.cause = event.origin;
}

void name_own_event(HostFinding& race, const EventHistory::Record& event, const Operation& first) {
  race.finding.cause = OtherPlace{"the event is recorded here, in the stream that waits for it", {}, {}, {}};
  race.finding.help = fmt::format(
      "record the event in the stream of the earlier {}, after it: a stream that waits for its own event waits for no "
      "other stream",
      first.kernel ? "launch" : "call");
  race.cause = event.origin;
}

/// The first one's stream waits for the event, which is its own, and the later one's stream does not.
void name_own_wait(HostFinding& race, const EventHistory::OwnWait& wait, const std::string& later) {
  race.finding.cause = OtherPlace{"this stream waits for its own event, which changes nothing", {}, {}, {}};
  race.finding.help = fmt::format(
      "let the stream of `{}` wait for the event: `cudaStreamWaitEvent` takes the stream that is to wait, and not the "
      "one in which the event was recorded",
      later);
  race.cause = wait.origin;
}

/// The later one's stream waits for an event that stood for the first one, and does no longer.
void name_lost_record(HostFinding& race, const EventHistory::LostRecord& lost) {
  race.finding.cause = OtherPlace{"the event is recorded again here, before anybody waits for it", {}, {}, {}};
  race.finding.help =
      "an event keeps its last record only: use one event for each stream, and wait for each of them; or wait for the "
      "event before it is recorded again";
  race.cause = lost.replaced_by;
}

/// What an operation shares with the system may meet any access of the host: one to `std::atomic` is the same
/// instruction as a plain one.
std::optional<Conflict> host_conflict(const TouchedBytes& earlier, std::uint64_t address, bool writes) {
  const bool wrote =
      contains(earlier.writes, address) || (contains(earlier.shared, address) && !contains(earlier.system, address));
  const bool read = contains(earlier.reads, address);
  if (!wrote && !(writes && read)) return std::nullopt;
  return Conflict{{address, address + 1}, wrote, writes};
}

std::string host_message_of(const Operation& earlier, const Conflict& conflict) {
  if (!conflict.second_writes) return fmt::format("the host reads what `{}` may not have written yet", earlier.name);
  if (!conflict.first_writes) return fmt::format("the host overwrites what `{}` may still read", earlier.name);
  return fmt::format("the host and `{}` write to the same memory, in either order", earlier.name);
}

/// Continues "on a real GPU".
std::string_view what_may_be_found(const Conflict& conflict) {
  if (!conflict.second_writes) return "the host would find old values, or some old and some new ones";
  if (!conflict.first_writes) return "the device may find the new values, too early";
  return "either of the two values may stay";
}

}  // namespace

StreamRaces::Ticket StreamRaces::issue(Operation operation) {
  if (full_) return 0;
  merge(operation.after, promised_);
  if (entries_.size() >= kMostEntries) {
    full_ = true;
    entries_.clear();
    return 0;
  }
  Entry& entry = entries_[++last_];
  entry.ticket = last_;
  entry.events = events_.known_to(operation.stream);
  entry.operation = std::move(operation);
  ++pending_;
  return last_;
}

void StreamRaces::done(Ticket ticket, TouchedBytes touched) {
  const auto found = entries_.find(ticket);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  entry.touched = std::move(touched);
  entry.pending = false;
  entry.done = ++done_;
  --pending_;
  for (const auto& [other, known] : entries_) {
    if (other == ticket || known.pending) continue;
    if (other < ticket) {
      compare(known, entry);
    } else {
      compare(entry, known);
    }
  }
  forget_promised();
}

void StreamRaces::host_access(const CallOrigin& origin, std::uint64_t address, bool writes) {
  for (const auto& [ticket, entry] : entries_) {
    const Operation& earlier = entry.operation;
    const auto meeting = host_conflict(entry.touched, address, writes);
    if (!meeting) continue;
    const auto known = std::ranges::find_if(findings_, [&](const HostFinding& finding) {
      return finding.finding.id == finding_ids::kHostRace && finding.other == earlier.origin;
    });
    if (known != findings_.end()) {
      ++known->finding.count;
      continue;
    }
    if (findings_.size() >= kMostFindings) return;
    Finding finding;
    finding.id = finding_ids::kHostRace;
    finding.message = host_message_of(earlier, *meeting);
    finding.note = fmt::format(
        "the device does its work while the host goes on, and nothing has waited for it here: on a real GPU {}",
        what_may_be_found(*meeting));
    finding.help = fmt::format("call `cudaDeviceSynchronize()` after `{}` was issued, before the host {} what it {}",
                               earlier.name, writes ? "writes" : "reads", writes ? "uses" : "writes");
    finding.address = address;
    finding.other = OtherPlace{fmt::format("`{}` is put into its stream here", earlier.name), {}, {}, {}};
    findings_.push_back({std::move(finding), origin, earlier.origin});
  }
}

void StreamRaces::learn(StreamId stream, std::uint64_t number, const Progress& progress) {
  for (auto& [ticket, entry] : entries_)
    if (includes(entry.operation.after, {{stream, number}})) merge(entry.operation.after, progress);
}

Progress StreamRaces::last_writer(const ByteRange& bytes) const {
  const Entry* last = nullptr;
  for (const auto& [ticket, entry] : entries_) {
    const bool writes = meets(entry.touched.writes, bytes) || meets(entry.touched.shared, bytes);
    if (writes && (last == nullptr || last->done < entry.done)) last = &entry;
  }
  return last == nullptr ? Progress{} : last->operation.after;
}

bool StreamRaces::unwaited(const ByteRange& bytes) const {
  return std::ranges::any_of(entries_, [&](const auto& entry) {
    const TouchedBytes& touched = entry.second.touched;
    return meets(touched.reads, bytes) || meets(touched.writes, bytes) || meets(touched.shared, bytes);
  });
}

void StreamRaces::promise(const Progress& progress) {
  merge(promised_, progress);
  forget_promised();
}

void StreamRaces::forget() {
  entries_.clear();
  events_.forget();
  pending_ = 0;
  promised_.clear();
}

bool StreamRaces::knows(StreamId stream) const {
  return std::ranges::any_of(entries_, [=](const auto& entry) { return entry.second.operation.stream == stream; });
}

std::vector<HostFinding> StreamRaces::findings() const {
  std::vector<HostFinding> kept = findings_;
  std::vector<bool> dropped(kept.size(), false);
  for (const std::size_t overwrite : overwrites_) {
    const HostFinding& writes = findings_[overwrite];
    for (const std::size_t i : early_reads_) {
      if (kept[i].origin != writes.other || kept[i].other != writes.origin) continue;
      kept[i].finding.note += fmt::format("\nand {}", writes.finding.message);
      // In the order in which they are launched, one may come before what it needs in one stream, too.
      std::string& help = kept[i].finding.help;
      if (help.starts_with(kOneStream)) {
        help.replace(0, kOneStream.size(),
                     "launch what writes before all that reads it, and let that wait: put them into one stream in this "
                     "order, or ");
      }
      dropped[overwrite] = true;
    }
  }
  std::vector<HostFinding> all;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (!dropped[i]) all.push_back(std::move(kept[i]));
  return all;
}

/// Whatever is issued later comes after what was promised; what is still under way may not.
void StreamRaces::forget_promised() {
  if (pending_ > 0) return;
  std::erase_if(entries_, [&](const auto& entry) {
    const auto reached = promised_.find(entry.second.operation.stream);
    return reached != promised_.end() && reached->second >= entry.second.operation.number;
  });
}

void StreamRaces::compare(const Entry& first, const Entry& second) {
  const Operation &earlier = first.operation, &later = second.operation;
  // What was issued first may come after the other one: behind a wait for a value that this one leads to.
  if (earlier.stream == later.stream || comes_after(later, earlier) || comes_after(earlier, later)) return;
  if (!conflict(first.touched, second.touched)) return;
  const auto known = std::ranges::find_if(findings_, [&](const HostFinding& finding) {
    return finding.origin == later.origin && finding.other == earlier.origin;
  });
  if (known == findings_.end()) {
    if (findings_.size() < kMostFindings) add(first, second);
    return;
  }
  ++known->finding.count;
  const bool says_more = !known->finding.other || known->finding.cause;
  if (!says_more && is_repeated(earlier, later))
    name_overlap(known->finding, earlier.name, first.touched, second.touched);
}

/// Two operations that race.
void StreamRaces::add(const Entry& first, const Entry& second) {
  const Operation &earlier = first.operation, &later = second.operation;
  const auto bytes = conflict(first.touched, second.touched);
  Finding finding;
  finding.id = finding_ids::kStreamRace;
  finding.message = message_of(earlier, later, *bytes);
  finding.note =
      fmt::format("{}, and nothing makes one wait for the other; both touch {} bytes of device memory from {:#x} on",
                  are_of_graph(earlier, later) ? "at least one of the two is a node of a graph"
                                               : "the two are in different streams",
                  bytes->bytes.end - bytes->bytes.begin, bytes->bytes.begin);
  finding.help = help_of(earlier, later);
  finding.address = bytes->bytes.begin;
  finding.other = OtherPlace{
      fmt::format("`{}` {} here", earlier.name, earlier.of_graph ? "becomes a node" : "is put into its stream"),
      {},
      {},
      {}};
  if (!frees(earlier) && !frees(later) && !allocates(earlier)) {
    if (!bytes->second_writes) early_reads_.insert(findings_.size());
    if (!bytes->first_writes) overwrites_.insert(findings_.size());
  }
  const bool overlaps =
      is_repeated(earlier, later) && name_overlap(finding, earlier.name, first.touched, second.touched);
  findings_.push_back({std::move(finding), later.origin, earlier.origin});
  if (overlaps) return;
  name_event(findings_.back(), first, second);
}

bool StreamRaces::was_for(const EventHistory::EmptyWait& wait, const Entry& earlier) {
  const Operation& operation = earlier.operation;
  return wait.after >= earlier.ticket ||
         (wait.recorded && wait.recorded->stream == operation.stream && wait.recorded->number >= operation.number);
}

void StreamRaces::name_event(HostFinding& race, const Entry& first, const Entry& second) {
  const Operation &earlier = first.operation, &later = second.operation;
  const EventHistory::Known& known = second.events;
  if (known.empty_wait && was_for(*known.empty_wait, first)) return name_empty_wait(race, known.empty_wait->origin);
  if (are_of_graph(earlier, later)) return;
  if (const auto own = known.own_waits.find(earlier.stream);
      own != known.own_waits.end() && own->second.record.number >= earlier.number)
    return name_own_wait(race, own->second, later.name);
  if (const auto lost = known.lost.find(earlier.stream);
      lost != known.lost.end() && lost->second.number >= earlier.number)
    return name_lost_record(race, lost->second);
  const auto of_first = known.waits.find(earlier.stream), of_itself = known.waits.find(later.stream);
  if (of_first != known.waits.end() && of_first->second.number < earlier.number) {
    name_early_record(race, of_first->second, earlier.name);
  } else if (of_itself != known.waits.end()) {
    name_own_event(race, of_itself->second, earlier);
  }
}

}  // namespace cudalabs::vgpu
