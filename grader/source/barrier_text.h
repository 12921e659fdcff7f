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

/// What a way through a part of the text leads to, also by calls of functions of the source.
struct BarriersOnWay {
  /// A barrier under a condition, and that.
  struct Conditional {
    BarrierText barrier;
    ConditionText condition;
    std::string_view helper = {};   // the function that has both, where the way calls one
    std::uint32_t called_from = 0;  // the line that calls it
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
  /// A call of a function of the source that has barriers.
  struct HelperCall {
    BarrierText call;     // the name that is called
    bool always = false;  // the function has a barrier that no condition is around
    std::optional<BarriersOnWay::Conditional>
        conditional;  // its only barrier; neither: the text does not say when it comes
  };

  void add(const BarrierText& barrier, const std::pair<std::size_t, std::size_t>& ends, BarriersOnWay& ways) const;
  void add_call(const HelperCall& call, const std::pair<std::size_t, std::size_t>& ends, BarriersOnWay& ways) const;
  /// What a call of the function means.
  HelperCall helper_of(std::size_t begin, std::size_t end) const;
  void find_calls();

  std::string_view code_;
  std::vector<BarrierText> barriers_;
  std::vector<HelperCall> calls_;
  std::vector<LoopText> loops_;
  std::vector<ConditionText> conditions_;
};

}  // namespace cudalabs
