// The help of a finding: what to do next, and which advice that is where something is decided by it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace cudalabs {

/// General advice, in whose place more special help may come. Who reads the source asks for the value, never for words.
enum class Advice : std::uint8_t {
  unsaid,  // none of these
  // Of an access outside of an array; `and_sizes`: also whether the launch gave the array's sizes.
  look_at_conditions,
  look_at_conditions_and_sizes,
  guard_and_sizes,  // where no condition is around it
  align_arrays,
  // Of a read of what nobody wrote.
  write_before_read,  // with a barrier between the two
  compare_writes,     // of one call with what the kernel reads
  // Between two accesses that race: to put a barrier there.
  block_barrier,
  warp_barrier,
  either_barrier,
  another_barrier,    // behind one that is there
  atomic_or_barrier,  // to make both atomic, or that
  take_out_return,    // before a barrier
  which_work,         // look at what decides which thread or launch does what
  free_each,          // no race: each allocation
  // Of launches, and of elements that are missing.
  check_grid_division,
  round_up_blocks,
  more_blocks,    // for all elements
  more_blocks_x,  // along one axis
  more_blocks_y,
  look_at_index,  // there are threads enough
  which_axis,     // counts rows
  result_without_input,
  no_static_value
};

/// How far help goes. Where it leaves open what to change, changes of the program's text are worth to be tried.
enum class HelpScope : std::uint8_t {
  change,  // it says what to change, or to do
  place,   // it says where to look
  general  // it says what usually helps, in any program
};

/// Words of advice that always has the same ones, or begins with them.
struct AdviceWords {
  Advice advice;
  std::string_view words;
};
inline constexpr std::array kAdviceWords{
    AdviceWords{Advice::look_at_conditions,
                "look at the index and at the conditions around this access: the index must stay inside the array"},
    AdviceWords{Advice::align_arrays,
                "let each array begin at a multiple of the wider type's size: round up the sizes of those before it"},
    AdviceWords{
        Advice::write_before_read,
        "write every element before it is read, also those for which there is no input, and put a `__syncthreads()` "
        "between writing and reading; both lines must compute the same place for the same element"},
    AdviceWords{Advice::compare_writes,
                "compare what this call writes with what the kernel reads: where it begins and how much it is, in "
                "bytes"},
    AdviceWords{Advice::check_grid_division,
                "every dimension of the grid must be at least 1; check the division that computes it"},
    AdviceWords{Advice::round_up_blocks,
                "the number of blocks must be rounded up: `(size + block - 1) / block`, in integers"},
    AdviceWords{Advice::look_at_index,
                "there are threads enough: look at the index (is the block's number part of it?) and at the guard"},
    AdviceWords{Advice::which_axis,
                "there are threads enough if x counts the rows: do the launch and the kernel agree on which axis "
                "counts rows, and which columns?"},
    AdviceWords{Advice::result_without_input,
                "there is a result also when the input has no elements: store it before the function returns, such as "
                "the sum 0"},
    AdviceWords{Advice::free_each, "call `cudaFree` once for every `cudaMalloc`, on every way out of the function"}};

/// Empty: they are others each time.
constexpr std::string_view words_of(Advice advice) {
  const auto* const found = std::ranges::find(kAdviceWords, advice, &AdviceWords::advice);
  return found == kAdviceWords.end() ? std::string_view() : found->words;
}

/// Of the sizes that a launch gives: part of advice for any program. Who knows the program may have better words.
inline constexpr std::string_view kSizesAreTheOnes = "`n` and the row length are the ones";

/// Text, which in most respects is a string like others. Who sets other words, and says nothing of an advice, gives
/// none of those above, and help that says what to change; what is added to the words, or replaced in them, leaves both
/// as they are. What is set before findings of several cases are merged becomes general help there.
struct Help : std::string {
  Advice advice = Advice::unsaid;
  HelpScope scope = HelpScope::change;

  Help() = default;
  Help(std::string words) : std::string(std::move(words)) {}
  Help(std::string_view words) : std::string(words) {}
  Help(const char* words) : std::string(words) {}
  Help(Advice given, std::string words) : std::string(std::move(words)), advice(given) {}
  /// In the words that it always has.
  Help(Advice given) : Help(given, std::string(words_of(given))) {}

  static Help where_to_look(std::string words) {
    Help help(std::move(words));
    help.scope = HelpScope::place;
    return help;
  }

  std::string& words() { return *this; }
  const std::string& words() const { return *this; }
  bool advises(auto... any) const { return ((advice == any) || ...); }
};

/// Whether the launch gives the sizes of an array.
inline bool asks_for_sizes(const Help& help) {
  return help.advises(Advice::look_at_conditions_and_sizes, Advice::guard_and_sizes);
}

}  // namespace cudalabs
