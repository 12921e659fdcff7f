// Barriers of the whole block in a source, and whether a way through its lines leads to one. Read as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "source/condition_text.h"
#include "source/loop_text.h"

namespace cudalabs {

/// "__syncthreads()", "team.sync()", "cg::sync(team)".
struct BarrierText {
  std::string_view text;  // up to its bracket
  std::size_t place = 0;
  std::uint32_t line = 0;
};

/// Barriers of all threads of a block, in their order: `__syncthreads` and its kin, and `sync` of a group that the
/// source gives no other value than `this_thread_block()`. `code` has no comments.
std::vector<BarrierText> block_barriers_of(std::string_view code);

/// What a way through a part of the text leads to.
struct BarriersOnWay {
  /// A barrier under a condition, and that.
  struct Conditional {
    BarrierText barrier;
    ConditionText condition;
  };

  bool always = false;                   // to a barrier, whatever conditions say
  std::vector<Conditional> conditional;  // to these, where the condition holds, or in its `else`
  bool clear = true;                     // else there is more in the text, such as jumps and loops with barriers

  void add(const BarriersOnWay& next);
};

/// The barriers of one source, and what is around them.
class BarrierWays {
 public:
  /// `code` has no comments, and must outlive it.
  explicit BarrierWays(std::string_view code);

  /// The innermost loop that repeats what stands at both places; null: none does.
  const LoopText* loop_around(std::size_t first, std::size_t last) const;
  /// The way from one place of a function straight on to another one. What is around both of `ends` counts as executed.
  BarriersOnWay between(std::size_t begin, std::size_t end, const std::pair<std::size_t, std::size_t>& ends) const;

 private:
  void add(const BarrierText& barrier, const std::pair<std::size_t, std::size_t>& ends, BarriersOnWay& ways) const;

  std::string_view code_;
  std::vector<BarrierText> barriers_;
  std::vector<LoopText> loops_;
  std::vector<ConditionText> conditions_;
};

}  // namespace cudalabs
