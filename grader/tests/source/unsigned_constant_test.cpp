// Negative constants that a source gives an unsigned type.
#include "source/unsigned_constant.h"

#include <string>

#include "catch.h"
#include "tests/replaced.h"

using namespace cudalabs;
using cudalabs::test::replaced;
using How = UnsignedConstant::How;

namespace {

const std::string kJoined =
    "static double to_ms(bool ok, std::uint64_t ns) {\n"
    "  return (ok ? ns : -1) / 1e6;\n"
    "}\n";

}  // namespace

TEST_CASE("`?:` gives a negative constant the unsigned type of its other side") {
  CHECK(only_unsigned_constant(kJoined, 64) == UnsignedConstant{How::joined, "-1", "ns", 2});
  CHECK(only_unsigned_constant(replaced(kJoined, "ok ? ns : -1", "ok ? -1 : ns"), 64) ==
        UnsignedConstant{How::joined, "-1", "ns", 2});
  CHECK(only_unsigned_constant(replaced(kJoined, "? ns", "? ns - ns"), 64)->name == "ns - ns");
  CHECK(only_unsigned_constant(replaced(kJoined, "std::uint64_t", "const unsigned long long"), 64));
  CHECK(only_unsigned_constant(replaced(kJoined, "std::uint64_t", "unsigned"), 32));
  CHECK(only_unsigned_constant("using Ns = std::uint64_t;\n" + replaced(kJoined, "std::uint64_t", "Ns"), 64)->line ==
        3);
}

TEST_CASE("a negative constant that stays negative is not told") {
  for (const char* type : {"std::int64_t", "long long", "double", "unsigned char", "const std::uint64_t*"})
    CHECK_FALSE(only_unsigned_constant(replaced(kJoined, "std::uint64_t", type), 64));
  CHECK_FALSE(only_unsigned_constant(kJoined, 32));
  CHECK_FALSE(only_unsigned_constant(replaced(kJoined, "-1", "-1.0"), 64));
  CHECK_FALSE(only_unsigned_constant(replaced(kJoined, "? ns", "? static_cast<double>(ns)"), 64));
  CHECK_FALSE(only_unsigned_constant(replaced(kJoined, "-1", "-0"), 64));
}

TEST_CASE("of two such constants none is told") {
  CHECK_FALSE(only_unsigned_constant(kJoined + replaced(kJoined, "to_ms", "other"), 64));
}

TEST_CASE("a constant is returned by a function of an unsigned type, or stored in such a variable") {
  CHECK(only_unsigned_constant("std::uint64_t f(bool ok) {\n  if (!ok) return -1;\n  return 5;\n}\n", 64) ==
        UnsignedConstant{How::returned, "-1", "f", 2});
  CHECK(only_unsigned_constant("static unsigned f(int fine) {\n  return -2;\n}\n", 32) ==
        UnsignedConstant{How::returned, "-2", "f", 2});
  CHECK(only_unsigned_constant("double f() {\n  size_t ns = 0;\n  ns = -1;\n  return ns / 1e6;\n}\n", 64) ==
        UnsignedConstant{How::stored, "-1", "ns", 3});
  CHECK_FALSE(only_unsigned_constant("double f() {\n  return -1;\n}\n", 64));
  CHECK_FALSE(only_unsigned_constant("size_t g();\ndouble f() {\n  float ms = -1;\n  return ms;\n}\n", 64));
  CHECK_FALSE(only_unsigned_constant("size_t f() {\n  auto g = [](int i) { return -1; };\n  return 1;\n}\n", 64));
  // The last declaration counts.
  CHECK_FALSE(only_unsigned_constant("double f(size_t ns) {\n  double ns = 0;\n  ns = -1;\n  return ns;\n}\n", 64));
}
