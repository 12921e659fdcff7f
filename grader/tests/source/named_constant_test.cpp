// Constants by their value.
#include "source/named_constant.h"

#include "catch.h"

namespace cudalabs::test {

TEST_CASE("the only constant of a value is named where it may be used") {
  constexpr std::string_view kCode =
      "#define FACTOR 4\n"                                    // 1
      "constexpr int TILE = 8 * FACTOR;\n"                    // 2
      "const int one = 16, other = 16;\n"                     // 3
      "#define SIDE 64\n"                                     // 4
      "constexpr int EDGE = 64;\n"                            // 5
      "void run(int n) {\n  const int local = 5;\n"           // 7
      "  use(local);\n}\n__global__ void k() {\n  at();\n}";  // 11
  CHECK(constant_worth(kCode, 4, 11) == "FACTOR");
  CHECK(constant_worth(kCode, 32, 11) == "TILE");
  CHECK(constant_worth(kCode, 64, 11).empty());
  CHECK(constant_worth(kCode, 3, 11).empty());
  CHECK(constant_worth(kCode, 5, 8) == "local");
  CHECK(constant_worth(kCode, 5, 11).empty());
}

}  // namespace cudalabs::test
