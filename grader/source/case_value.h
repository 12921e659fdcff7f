// What an expression of a source is worth in a case: of the sizes that the function is given, in a thread of a launch.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "source/function_text.h"
#include "source/loop_text.h"
#include "source/source_number.h"
#include "vgpu/exec/observer.h"
#include "vgpu/finding.h"

namespace cudalabs {

struct CaseExpression {
  std::string text;      // numbers, sizes of the case by name, `threadIdx.x` and its like, and what computes with them
  bool counted = false;  // in the last round of a loop, whose counter it depends on
};

/// Values of the source's variables, in the terms of the case.
class CaseExpressions {
 public:
  /// `code` has no comments, and must outlive it. `sizes`: names of the parameters that cases give.
  CaseExpressions(std::string_view code, std::set<std::string> sizes);

  /// Nothing where the expression, which stands in that line of the function, depends on anything else, or on a
  /// variable that is of 8 or 16 bits, or changed in any other way than the counter of a loop around the line.
  std::optional<CaseExpression> of(std::string_view expression, std::uint32_t line, const FunctionBody& function) const;
  /// Likewise, of what the function is given for its parameter of that number.
  std::optional<CaseExpression> of_parameter(std::size_t number, const FunctionBody& function) const;

  /// Where the variable is set, if that is once in the function.
  std::optional<SourceNumbers::Place> only_setting(std::string_view name, const FunctionBody& function) const;
  bool is_kernel(const FunctionBody& function) const;
  const std::vector<FunctionBody>& functions() const { return functions_; }
  /// The function whose body has the place; null: none.
  const FunctionBody* around(std::size_t place) const;
  /// What `read` makes of the loops of a kernel, called by its plain name: of the only one of which it makes anything.
  /// `read` takes a loop and the function it is in. Nothing where there are several, or many loops.
  template <typename Read>
  std::invoke_result_t<Read, const LoopText&, const FunctionBody&> only_loop(std::string_view kernel,
                                                                             const Read& read) const {
    constexpr std::size_t kMostLoops = 64;  // a text may be made to be long to read
    std::invoke_result_t<Read, const LoopText&, const FunctionBody&> found;
    std::size_t tried = 0;
    for (const LoopText& loop : loops_) {
      const FunctionBody* const function = around(loop.begin);
      if (function == nullptr || function->name != kernel || !is_kernel(*function)) continue;
      if (++tried > kMostLoops) return std::nullopt;
      auto here = read(loop, *function);
      if (here && found) return std::nullopt;
      if (here) found = std::move(here);
    }
    return found;
  }

 private:
  friend class CaseExpressionReader;

  std::string_view code_;
  std::set<std::string> sizes_;
  SourceNumbers numbers_;
  std::vector<std::string_view> lines_;
  std::vector<FunctionBody> functions_;
  std::map<std::size_t, std::set<std::string_view>> changed_;   // by where a body begins: the names that it changes
  std::map<std::string_view, std::vector<std::size_t>> calls_;  // where a name has parentheses behind it
  std::vector<LoopText> loops_;
  std::set<std::size_t> kernels_;  // where bodies of the device begin
};

/// A thread of a launch.
struct LaunchedThread {
  vgpu::LaunchConfig config;
  Index3 block{}, thread{};
};

/// The one with the largest numbers.
LaunchedThread last_thread(const vgpu::LaunchConfig& config);

/// Whether no thread has a larger value than the last one, as far as the operators say.
bool rises_with_threads(const CaseExpression& expression);

/// The value in a case of those sizes. `thread`: null outside of kernels.
std::optional<std::int64_t> value_of(const CaseExpression& expression, const std::map<std::string, std::int64_t>& sizes,
                                     const LaunchedThread* thread);

}  // namespace cudalabs
