// Catch2, whichever of 2.13 (Debian 12) and 3.x is installed.
#pragma once

#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#define CUDALABS_CATCH2_V3 1
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#define CUDALABS_CATCH2_V3 0
#endif

namespace cudalabs {

/// The class a matcher derives from.
#if CUDALABS_CATCH2_V3
template <typename Subject>
using MatcherBase = Catch::Matchers::MatcherBase<Subject>;
/// Matches a text that holds `part`.
inline auto contains_text(const std::string& part) {
  return Catch::Matchers::ContainsSubstring(part);
}
#else
template <typename Subject>
using MatcherBase = Catch::MatcherBase<Subject>;
inline auto contains_text(const std::string& part) {
  return Catch::Matchers::Contains(part);
}
#endif

}  // namespace cudalabs
