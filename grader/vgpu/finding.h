// A finding: one bad (or improvable) thing the virtual GPU or the grader saw, with the place it happened.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vgpu/help.h"

namespace cudalabs {

enum class Severity { error, warning, advice };

/// A place in source text. `line` and `column` count from 1; 0 means unknown.
struct SourcePlace {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool known() const { return line != 0; }
  bool operator==(const SourcePlace&) const = default;
};

using Index3 = std::array<std::uint32_t, 3>;  // x, y, z

/// What the other place of a finding is, where something is decided by it: reports show its label.
enum class PlaceRole : std::uint8_t {
  unsaid,
  allocation,    // of the memory that an access misses
  access,        // to memory whose allocation is to blame
  launch,        // of the kernel
  copy_to_host,  // of the output
  reading,       // of the elements that a wrong value is made from
  call,          // of the function whose line the finding is in, in the kernel
  barrier,       // at which other threads of the block wait
  freeing,       // of the memory, or of others that one call has allocated
  destroying,    // of the event
  late_launch,   // that writes what this one reads; of the kernel of that name
  setting,       // of the variable of that name, and of no other
  condition,     // on what the index is made of
  second_call    // which goes wrong, where the first went well
};

/// The other party of a finding that involves two places: the earlier access of a race, the other barrier site,
/// the allocation of a block that was freed.
struct OtherPlace {
  std::string label;  // what happened there, e.g. "earlier write of 4 bytes here"
  SourcePlace place;
  std::optional<Index3> block;
  std::optional<Index3> thread;
  PlaceRole role = PlaceRole::unsaid;
  std::string name = {};  // that the label tells, where something is decided by it: of a kernel, a call or a variable

  bool operator==(const OtherPlace&) const = default;
};

/// Of the access that a finding is about, what something is decided by: reports show its words.
struct AccessFacts {
  std::string array;              // of global memory, that has the element or is next to it; empty where it has no name
  std::string shared_array = {};  // of shared memory, that has the element; empty where it has no name
  /// Where that array begins, in global memory or in the block's shared memory, of a race; nothing where it is not
  /// known.
  std::optional<std::uint64_t> begin = {};
  std::string element = {};  // as the source has it, "tile[1][0][3]"; empty: how it counts there is not known
  std::string what = {};     // "read of 4 bytes", for who tells of the access beside another place
  bool only_reads = false;
  bool by_host = false;           // to unified memory, in place of a kernel
  std::uint64_t past_end_of = 0;  // bytes of the array of global memory that it reaches past the end of; 0: none
  std::uint64_t allocated = 0;    // bytes of the allocation that it is in, where that has no name; 0: not said
  bool past_end = false;          // by code of the host, past the end of an array that the caller gave
  bool kept = false;        // past the end of memory that was allocated in an earlier call of who called the program
  std::uint32_t bytes = 0;  // of one thread's access; 0: not said
  // Of reads of global memory that nobody has written, from the beginning of the allocation on.
  std::uint64_t written = 0;  // so many bytes were written, and none behind them; 0: not so, or not known
  std::uint64_t read_to = 0;  // behind the last byte that is read; 0: not known
  // Of a misaligned access: its row in an array whose own begin is aligned, where the row's is not.
  std::uint64_t row = 0, row_elements = 0, element_bytes = 0;  // 0 elements: it is not so

  bool operator==(const AccessFacts&) const = default;
};

/// What a launch gave its kernel for a parameter, as a finding tells it.
struct GivenArgument {
  std::uint32_t number = 0;  // of the parameter, from 1 on
  std::uint64_t value = 0;   // a number; of a pointer into an array how many of its elements lie before that
  bool pointer = false;

  bool operator==(const GivenArgument&) const = default;
};

/// What the launch has to do with a finding of a kernel.
struct LaunchFacts {
  std::uint64_t number = 0;  // of the first that shows it, among those that the device executed; 0: none is known
  SourcePlace where = {};    // of that one, for who needs it
  /// Of a race: the numbers, from 1 on, of the kernel's parameters through which the two accesses go, where the launch
  /// gave the same array to both; else 0.
  std::uint32_t pointer = 0, other_pointer = 0;
  std::uint32_t argument = 0;             // the number of the parameter that explains an address; 0: none is known to
  std::vector<GivenArgument> given = {};  // of an access past the end of an array: its pointer, and all small numbers
  /// Of a launch that was refused: its grid, in blocks, where the grid is why; no blocks at all if an extent is 0.
  std::optional<Index3> refused_grid = {};

  bool operator==(const LaunchFacts&) const = default;
};

/// Lines that advice on a barrier speaks of, in the file of the finding's place; 0: it speaks of none.
struct BarrierLines {
  std::uint32_t condition = 0;  // keeps threads from a barrier, or from where one is missing
  /// Where a missing one goes; the first is the greater one where a loop comes back between them.
  std::uint32_t after = 0, before = 0;
  bool next_round = false;  // it goes to the end of a round, before the loop comes back
  bool guarded = false;     // conditions keep threads from there

  bool operator==(const BarrierLines&) const = default;
};

/// How some threads of a block miss the barrier at which others wait.
enum class MissedBarrier : std::uint8_t {
  unsaid,
  exited,
  waits_elsewhere  // at another barrier
};

/// An element of an output that nothing was written to, and the sizes of what was timed.
struct MissingWhenTimed {
  std::map<std::string, std::int64_t> sizes;
  std::int64_t element = 0;

  bool operator==(const MissingWhenTimed&) const = default;
};

/// One finding, aggregated: `count` occurrences at the same place in the same kernel; block, thread and address are
/// those of the first occurrence in (block, thread) order, so that they do not depend on the schedule.
struct Finding {
  std::string id;  // stable name, e.g. "shared-race"; see finding_ids.h
  Severity severity = Severity::error;
  std::string message;  // one line, lowercase, no final full stop, names in `backticks`
  SourcePlace where;
  std::string kernel;  // demangled kernel name without parameters; empty for host-side findings
  std::optional<Index3> block;
  std::optional<Index3> thread;
  std::optional<std::uint64_t> address;
  std::uint64_t count = 1;
  std::string note;  // facts that help to understand: values, sizes, which allocation
  Help help;         // what to do next
  std::optional<OtherPlace> other;
  std::optional<OtherPlace> cause = {};  // what may say more than `other`, to who reads the source
  /// Of a kernel's finding in a function that the kernel calls: its lines that call it, one of which has led there; and
  /// those for the other place. None: the place is in the kernel itself, or it is not known.
  std::vector<SourcePlace> called_from = {}, other_called_from = {};
  AccessFacts access = {};
  LaunchFacts launch = {};
  BarrierLines barrier = {};
  MissedBarrier missed_barrier = MissedBarrier::unsaid;
  std::string subject = {};      // the output or the question that it is about, where no place need say more
  std::string failed_call = {};  // of the runtime, whose error the message tells; empty: it tells of none
  bool wrong_pointer = false;    // is why a call of the runtime was refused
  bool last_of_call = false;     // of the allocations that one call has made, it alone is not freed, and is the last
  std::string first_value = {};  // of a variable that a launch found otherwise
  std::optional<MissingWhenTimed> missing = {};

  bool operator==(const Finding&) const = default;
};

}  // namespace cudalabs
