// Why a function whose launch failed returned a number that is not negative.
#include "check/checks/lab6_errors.h"

#include "catch.h"
#include "tests/replaced.h"

namespace cudalabs::test {
namespace {

using lab6::why_wrapped, lab6::wrapped_negative, lab6::WrappedNegative;

std::string in_hand(const std::string& statements) {
  WatchedCall told;
  told.name = "cudaGetLastError";
  told.where = {"folder/timing.cu", 2, 3};
  return lab6::error_in_hand(told, "double f(Launch launch) {\n" + statements + "  return 1;\n}\n");
}

/// "TRY(cudaGetLastError());" with the macro's value.
std::string by_macro(const std::string& value) {
  WatchedCall told;
  told.name = "cudaGetLastError";
  told.where = {"timing.cu", 3, 3};
  return lab6::error_in_hand(
      told, "#define TRY(call) " + value + "\ndouble f(Launch launch) {\n  TRY(cudaGetLastError());\n  return 1;\n}\n");
}

}  // namespace

TEST_CASE("a macro that has its argument twice returns what the second call does") {
  CHECK_THAT(by_macro("if ((call) != cudaSuccess) return -double(call)"),
             contains_text("returned the error, but the macro `TRY` (line 1) has its argument 2 times") &&
                 contains_text("the second one returns `cudaSuccess`: keep what one call returns in a variable") &&
                 !contains_text("does no more with it"));
  CHECK_THAT(by_macro("if ((call) != cudaSuccess) puts(#call)"), !contains_text("times"));
}

TEST_CASE("a number near a power of two is a negative one that became unsigned") {
  CHECK(wrapped_negative(18446744073709551615.0 / 1e6) == WrappedNegative{64, 6});
  CHECK(wrapped_negative(18446744073709551615.0f / 1e3f) == WrappedNegative{64, 3});
  CHECK(wrapped_negative(18446744073709551615.0) == WrappedNegative{64, 0});
  CHECK(wrapped_negative(4294967295.0 / 1e6) == WrappedNegative{32, 6});
  CHECK(wrapped_negative(4294967295.0) == WrappedNegative{32, 0});
  for (const double time : {0.0, 80.25, 4294.9, 4295.0, 1.8e13, 1.85e13, 1e19}) CHECK_FALSE(wrapped_negative(time));
}

TEST_CASE("the line is named that gives -1 an unsigned type, where there is one") {
  const std::string joined = "static double to_ms(bool ok, std::uint64_t ns) {\n  return (ok ? ns : -1) / 1e6;\n}\n";
  const double returned = 18446744073709551615.0 / 1e6;
  CHECK_THAT(why_wrapped(returned, joined), contains_text("that is 2^64 / 10^6") &&
                                                contains_text("in line 2 `ns` is unsigned, so `?:` makes -1 unsigned"));
  CHECK_THAT(why_wrapped(returned, replaced(joined, "std::uint64_t", "long")),
             contains_text("a negative number that became an unsigned one") && !contains_text("line"));
  CHECK_THAT(why_wrapped(returned, "size_t f() {\n  return -1;\n}\n"), contains_text("line 2 returns -1 from `f`"));
  CHECK_THAT(why_wrapped(4294967295.0, "double f() {\n  unsigned ms = -1;\n  return ms;\n}\n"),
             contains_text("line 2 stores -1 in `ms`"));
  CHECK(why_wrapped(80.25, joined).empty());
}

TEST_CASE("nobody is told to look at a result that the program uses") {
  const std::string looks = "look at what it returns";
  CHECK_THAT(in_hand("  cudaGetLastError();\n"), contains_text("nothing uses its result: " + looks));
  CHECK_THAT(in_hand("  cudaError_t e = cudaGetLastError();\n"), contains_text("returned the error: " + looks));
  for (const char* used :
       {"  return to_ms(cudaGetLastError(), ns);\n", "  if (cudaGetLastError() != cudaSuccess) say();\n",
        "  cudaError_t e = cudaGetLastError();\n  if (e != cudaSuccess) say();\n"})
    CHECK_THAT(in_hand(used), contains_text("the program uses what it returned") && !contains_text(looks));
  for (const char* given : {"  failed(cudaGetLastError());\n", "  failed(\"launch\", cudaGetLastError());\n"})
    CHECK_THAT(in_hand(given), contains_text("line 2 gives it to `failed` and does no more with it: return -1"));
  for (const char* more : {"  ok = failed(cudaGetLastError());\n", "  if (failed(cudaGetLastError())) say();\n",
                           "  failed(cudaGetLastError()) || say();\n"})
    CHECK_THAT(in_hand(more), contains_text("the program uses what it returned"));
  CHECK_THAT(in_hand("  CHECK_LAUNCH();\n"), !contains_text(looks) && contains_text("return -1"));
}

}  // namespace cudalabs::test
