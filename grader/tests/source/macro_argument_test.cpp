// Macros that have their argument more than once.
#include "source/macro_argument.h"

#include <string>

#include "catch.h"

namespace cudalabs::test::of_macro_argument {
namespace {

/// The macro is defined in line 1, and used in line 2.
std::optional<RepeatedArgument> repeated(const std::string& definition, const std::string& use) {
  return repeated_argument_in("#define " + definition + "\n" + use + "\n", 2);
}

}  // namespace

TEST_CASE("a macro that has the value of its argument twice calls twice") {
  const auto found = repeated("TRY(call) if ((call) != 0) return (call)", "TRY(cudaFree(p));");
  REQUIRE(found);
  CHECK(*found == RepeatedArgument{"TRY", "call", "cudaFree", 2, 1});
  CHECK(repeated("TRY(what, call) f(what, call, call, call)", "TRY(1, cudaFree(p));")->times == 3);
}

TEST_CASE("the text of an argument, another argument and what is no call are not called twice") {
  CHECK_FALSE(repeated("TRY(call) if ((call) != 0) puts(#call)", "TRY(cudaFree(p));"));
  CHECK_FALSE(repeated("TRY(what, call) f(what, what, call)", "TRY(1, cudaFree(p));"));
  CHECK_FALSE(repeated("TRY(call) f(call, call)", "TRY(status);"));
  CHECK_FALSE(repeated("TRY(call) f(call, call)", "CHECK(cudaFree(p));"));
  CHECK_FALSE(repeated("TRY f(call, call)", "TRY(cudaFree(p));"));
  CHECK_FALSE(repeated_argument_in("", 1));
}

}  // namespace cudalabs::test::of_macro_argument
