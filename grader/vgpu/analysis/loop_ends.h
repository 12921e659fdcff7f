// The loops of a function, and what decides that they end.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "vgpu/analysis/flow_graph.h"
#include "vgpu/analysis/value_flow.h"

namespace cudalabs::vgpu {

/// A way out of a loop, by the comparison that decides it.
struct LoopExit {
  CodePlace comparison;
  std::optional<CodePlace> bound;  // the computation of what does not change in the loop, where there is one
  bool data = false;               // depends on what is read from memory in the loop, or on a call
  bool changes = false;            // depends on something that the loop computes anew in each round
  bool steady = false;             // is the same in each round, whatever way that takes
  bool halves = false;             // of that something is divided, or shifted to the right
  bool to_variable = false;        // what does not change in the loop is no number of the text
};

struct Loop {
  std::uint32_t function = 0;
  std::uint32_t head = 0;       // a block
  std::vector<bool> blocks;     // of the function
  std::vector<LoopExit> exits;  // as far as a comparison decides them
  bool other_exits = false;     // that something else has a part in

  std::size_t size() const;
};

class FunctionLoops {
 public:
  FunctionLoops(const ValueFlow& flow, std::uint32_t function);

  const std::vector<Loop>& loops() const { return loops_; }  // the innermost first
  bool holds(const Loop& loop, CodePlace place) const;
  /// The loop is left at its head alone, if at all, and `place` is in it and comes after that: who is there has gone
  /// on.
  bool is_past_only_exit(const Loop& loop, CodePlace place) const;
  /// Some way through one round of the loop comes to `load` without any of `stores`, of which some are in the loop.
  bool may_skip(const Loop& loop, std::span<const CodePlace> stores, CodePlace load) const;
  /// The instruction's value depends on itself, from one round to the next.
  bool accumulates(const Loop& loop, CodePlace place) const;

 private:
  std::uint32_t block_at(std::uint32_t instruction) const;
  std::uint32_t end_of(std::size_t block) const;
  bool may_leave(const Loop& loop, std::uint32_t block) const;
  void add_exits(Loop& loop) const;
  void add_comparisons(Loop& loop, std::uint32_t predicate, std::set<CodePlace>& found) const;
  std::vector<std::uint32_t> deciding_predicates(const Loop& loop, CodePlace comparison) const;
  bool changes_in(const Loop& loop, std::uint32_t reg) const;
  bool is_set_once(CodePlace place) const;
  LoopExit exit_by(const Loop& loop, CodePlace comparison) const;
  std::optional<CodePlace> bound_of(std::uint32_t reg) const;
  std::vector<CodePlace> sources_in(const Loop& loop, const std::vector<CodePlace>& from) const;

  const ValueFlow& flow_;
  std::uint32_t function_;
  std::vector<std::uint32_t> starts_;
  Ways ways_, before_;
  std::vector<Loop> loops_;
};

}  // namespace cudalabs::vgpu
