// Whether a condition of a source holds in a case, of what is computed from the sizes and a thread's number.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "source/case_value.h"

namespace cudalabs {

struct CaseCondition {
  std::optional<bool> holds;    // nothing: the text does not say so
  std::set<std::string> sizes;  // of the case, by name, that it depends on
};

/// The condition stands in that line of the function, and is asked for the first time. `thread`: null outside of
/// kernels. Of several comparisons one may be enough: `i < 0 && unknown` does not hold where `i` is 1.
CaseCondition condition_in_case(std::string_view condition, std::uint32_t line, const FunctionBody& function,
                                const CaseExpressions& expressions, const std::map<std::string, std::int64_t>& sizes,
                                const LaunchedThread* thread);

}  // namespace cudalabs
