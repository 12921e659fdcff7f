// Which functions of a text can have to do with a mistake.
#pragma once

#include <cstddef>
#include <set>
#include <string_view>
#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"
#include "source/function_text.h"

namespace cudalabs::patch {

/// The callers of those functions in which a mistake is seen, these themselves, and all that these call, by names: what
/// stands in another one cannot have made it.
class RelatedFunctions {
 public:
  /// `functions`: of the source. `seen_in`: where the bodies of some of them begin; empty: all functions are related.
  RelatedFunctions(const PatchedSource& source, const std::vector<FunctionBody>& functions,
                   const std::set<std::size_t>& seen_in);

  /// Of a place in the text: whether it lies in one of these, or in no function at all.
  bool has(std::size_t place) const;

 private:
  using Numbers = std::set<std::size_t>;

  /// Functions of one name count as one, that of the first: a text may be made of many.
  std::size_t function_at(std::size_t place) const;
  /// What macros, members of classes and the like name, which are in no function, may be called from anywhere.
  void find_calls(const PatchedSource& source);
  Numbers closure(Numbers from, const std::vector<Numbers>& to) const;

  const std::vector<FunctionBody>& functions_;
  std::vector<std::size_t> number_;       // of each function: that of the first one of its name
  std::vector<Numbers> calls_, callers_;  // by that number
  Numbers called_from_anywhere_, related_;
};

}  // namespace cudalabs::patch
