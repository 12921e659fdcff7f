// Writes one random program. A program keeps pools of registers of every class, all initialised from the input, and
// ends by storing all of them. In between stand random statements. What a pool register holds is arbitrary; addresses,
// loop counters and loop bounds live in registers of their own, so that every access is in range and every loop ends.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generator.h"
#include "random_source.h"

namespace cudalabs::reference {

struct Pool {
  char letter;
  const char* type;
  std::uint32_t bytes;
  std::uint32_t count;
};
// In the order in which input and output hold them, widest first, so that all are aligned.
inline constexpr Pool kPools[] = {
    {'d', "b64", 8, 8}, {'e', "f64", 8, 6}, {'r', "b32", 4, 12}, {'f', "f32", 4, 10}, {'h', "b16", 2, 8}};
constexpr std::uint32_t kPredicates = 6;
constexpr std::uint32_t kScratchBytes = 64;    // of each thread, in each memory it may write
constexpr std::uint32_t kTotalBytes = 32;      // that every thread adds to, behind all threads' records
constexpr std::uint32_t kConstantBytes = 256;  // that every thread may read

std::uint32_t pool_count(char letter);

class ProgramWriter {
 public:
  ProgramWriter(std::uint64_t seed, const ProgramOptions& options)
      : random_(seed * 2 + 1), options_(options), seed_(seed) {}

  Program build();

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += '\t' + fmt::format(format, std::forward<Arguments>(arguments)...) + '\n';
  }
  /// How many forms there are to choose from.
  std::size_t forms() const { return options_.portable ? portable_forms() : all_forms().size(); }
  // Operands.
  std::string label();
  std::string reg(char letter);
  std::string immediate(char letter);
  std::string guard(unsigned percent);
  std::string operand(char letter, bool may_be_immediate);

  // The launch, and where each register lies in input and output.
  void choose_launch();
  std::uint32_t layout();
  void fill_input();

  // What stands around the statements (generated_frame.cpp).
  void header();
  void functions();
  void recursive_function();
  void kernel(const std::string& body);
  void prologue();
  void epilogue();
  static const char* type_of(char letter);

  // Arithmetic and control flow (generated_statements.cpp).
  void block(unsigned depth, std::uint32_t statements);
  void arithmetic(std::size_t index, unsigned guard_percent);
  void canonicalise(const Form& form, const std::string& result);
  void if_else(unsigned depth, std::uint32_t statements);
  void leave_early();
  void loop(unsigned depth, std::uint32_t statements);
  void jump_table(unsigned depth);
  void call();
  void carry_chain();
  void special_register();

  // Memory, and moves between registers of several widths (generated_memory.cpp).
  void memory();
  void atomic();
  void accumulate();
  void pack_or_unpack();

  // Threads together (generated_together.cpp).
  void together_in_branch();
  void together(const std::string& full);

  RandomSource random_;
  const ProgramOptions options_;
  const std::uint64_t seed_;
  Program program_;
  std::string text_;
  std::set<std::size_t> used_forms_;
  std::uint32_t threads_per_block_ = 0;
  std::uint32_t scratch_offset_ = 0;
  std::uint32_t input_stride_ = 0;
  unsigned labels_ = 0;
  unsigned counters_ = 0;
  unsigned fields_ = 0;            // which of %i0 and %i1 was last given a field position
  std::vector<std::string> ends_;  // labels that a statement may jump to: where the constructs around it end
  unsigned loops_ = 0;             // those around the statement being made
};

}  // namespace cudalabs::reference
