// Where names may be used.
#include "source/scope_text.h"

#include "catch.h"

namespace cudalabs::test {
namespace {

constexpr std::string_view kCode =
    "__global__ void k(const float* in, int n) {\n"              // 1
    "  const int me = threadIdx.x;\n"                            // 2
    "  for (int b = 0; b < n; ++b) {\n"                          // 3
    "    const float* at = in + b;\n"                            // 4
    "    use(at);\n"                                             // 5
    "  }\n"                                                      // 6
    "  for (int i = me; i < n; ++i) sum += in[i];\n"             // 7
    "  if (me < n) {\n    int half = 2;\n    use(half);\n  }\n"  // 8 to 11
    "  for (int j = 0; j < n; ++j)\n"                            // 12
    "    use(j);\n"                                              // 13
    "  use(me);\n"                                               // 14
    "}\n"
    "void other() {\n  use(1);\n}\n";

}  // namespace

TEST_CASE("a name is known in its block and in those within") {
  CHECK(is_in_scope(kCode, "n", 14));
  CHECK(is_in_scope(kCode, "me", 5));
  CHECK(is_in_scope(kCode, "me", 14));
  CHECK(is_in_scope(kCode, "at", 5));
  CHECK(is_in_scope(kCode, "half", 10));
}

TEST_CASE("behind its block, and behind the loop whose head declares it, a name is not known") {
  CHECK(is_in_scope(kCode, "b", 5));
  CHECK_FALSE(is_in_scope(kCode, "b", 7));
  CHECK_FALSE(is_in_scope(kCode, "at", 7));
  CHECK_FALSE(is_in_scope(kCode, "half", 12));
  CHECK(is_in_scope(kCode, "j", 13));
  CHECK_FALSE(is_in_scope(kCode, "j", 14));
}

TEST_CASE("what another function has, or nobody, is not known") {
  CHECK_FALSE(is_in_scope(kCode, "me", 17));
  CHECK_FALSE(is_in_scope(kCode, "nobody", 14));
  CHECK_FALSE(is_in_scope(kCode, "n", 0));
  CHECK_FALSE(is_in_scope(kCode, "n", 99));
  CHECK_FALSE(is_in_scope("void f() { ((((", "x", 1));
}

}  // namespace cudalabs::test
