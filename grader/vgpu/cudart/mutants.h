// What a program's results are when something small is changed in its device code or its launches: mutants of what its
// mistake may be. The server makes them after the program has ended, by serving once more what the program said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "vgpu/array_reads.h"
#include "vgpu/cudart/server_report.h"
#include "vgpu/cudart/transfers.h"
#include "vgpu/finding.h"
#include "vgpu/mutation/mutation_kind.h"
#include "vgpu/profile/thread_work.h"

namespace cudalabs::vgpu {

/// Which mutants are to be made.
struct MutantOrder {
  std::string file;  // code is changed in places of this file, which the compiler knows by such an end
  std::vector<std::uint32_t> numbers;  // as in Mutant; none: all
  enum class Launches : std::uint8_t { all, none, arguments, shapes };
  static constexpr Launches kLastLaunches = Launches::shapes;
  Launches launches = Launches::all;                                        // what is changed of launches
  MutationKind first = MutationKind::comparison, last = kLastMutationKind;  // of the kinds of changes of code
  bool checks = false;                                                      // what the kernels do is checked
  std::vector<Replacements::Array>
      inputs;          // where there are any, mutants work on these in turn, and on nothing else new
  bool reads = false;  // nothing is changed: it is asked how often its kernels read each element of the inputs

  bool operator==(const MutantOrder&) const = default;
};

/// What was changed, and what came of it.
struct Mutant {
  /// Of a launch: the number of its blocks, the shape of its blocks, what it gives its kernel.
  enum class Change : std::uint8_t { code, grid, block, argument, input };
  static constexpr Change kLastChange = Change::input;

  std::uint32_t number = 0;  // the same for the same program, whatever it works on; of an input its place in the order
  Change change = Change::code;
  MutationKind kind = MutationKind::comparison;  // of code
  std::string original, replacement;             // as in Mutation; of a grid or block "4 x 1 x 1"; of an argument
                                                 // "" and "exchanged", or two of its words, from 0, that were
  std::optional<std::uint32_t> original_parameter, replacement_parameter;  // as in Mutation; of an argument likewise
  SourcePlace original_place, replacement_place;                           // likewise
  std::string kernel;                                                      // for people; of code the function
  SourcePlace where;                                                       // of code
  CallOrigin launch;                                                       // of the others
  bool clean = true;                            // no error was found; said only of those that were checked
  std::uint64_t warp_instructions = 0;          // that its kernels executed; likewise
  LostWork lost;                                // of blocks and threads of the program as it was; likewise
  std::vector<std::vector<std::byte>> results;  // what each copy to the host brought, in their order

  bool operator==(const Mutant&) const = default;
};

/// Of those that were made, the mutants that came to other results than the program did; of inputs all.
struct MutantLog {
  static constexpr std::size_t kMostBytes = 24u << 20;  // of results

  bool complete = false;  // false: they could not be made, or their results are too large
  std::uint32_t made = 0;
  std::vector<Mutant> mutants;
  std::vector<ArrayReads> reads;  // of the program as it is, where these were asked for

  bool operator==(const MutantLog&) const = default;
};

/// Bytes that are no order and no log.
class MutantError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::vector<std::byte> to_bytes(const MutantOrder& order);
/// Throws MutantError for anything to_bytes does not write.
MutantOrder mutant_order_from_bytes(std::span<const std::byte> bytes);

std::vector<std::byte> to_bytes(const MutantLog& log);
/// Throws MutantError likewise.
MutantLog mutant_log_from_bytes(std::span<const std::byte> bytes);

}  // namespace cudalabs::vgpu
