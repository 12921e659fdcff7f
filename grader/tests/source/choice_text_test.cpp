// The condition of the choice that an access stands in.
#include "source/choice_text.h"

#include <string>

#include "catch.h"

namespace cudalabs::test::of_choice_text {
namespace {

/// Around the letter "@" in the line.
std::string condition_in(const std::string& line) {
  return std::string(choice_around(line, line.find('@')));
}

TEST_CASE("the condition of a choice is found around its first value") {
  CHECK(condition_in("  s[y][x] = (k < n && c < p) ? b[@ * p + c] : 0.0f;") == "k < n && c < p");
  CHECK(condition_in("  s[y] = i < n ? b[@] : 0;") == "i < n");
  CHECK(condition_in("  return i <= n ? b[@] : 0;") == "i <= n");
  CHECK(condition_in("  sum += f(i == n ? b[@] : 0, 1);") == "i == n");
  CHECK(condition_in("  x = a ? b : c < d ? e[@] : 0;") == "c < d");
  CHECK(condition_in("  x = a ? (b ? c : d) + e[@] : 0;") == "a");
  CHECK(condition_in("  x = a ? std::max(b, e[@]) : 0;") == "a");
}

TEST_CASE("a place that is in no first value has none") {
  CHECK(condition_in("  s[y] = i < n ? 0 : b[@];").empty());
  CHECK(condition_in("  s[@] = i < n ? b[i] : 0;").empty());
  CHECK(condition_in("  s[y] = f(i < n ? b[i] : 0) + b[@];").empty());
  CHECK(condition_in("  s[y] = b[@];").empty());
  CHECK(condition_in(std::string(1 << 20, '(') + "a ? @ : b").empty());
}

}  // namespace
}  // namespace cudalabs::test::of_choice_text
