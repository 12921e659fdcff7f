// The numbers at which a source may do something else.
#include "source/size_limits.h"

#include <string>

#include "catch.h"

using cudalabs::size_limits_of;
using cudalabs::SizeLimits;

using Numbers = std::vector<std::int64_t>;

TEST_CASE("numbers that a source writes are limits, and so are products of its constants") {
  const SizeLimits limits = size_limits_of(
      "#define BLOCK 192\n"
      "constexpr int PER_THREAD = 4;\n"
      "const int most = 3 * BLOCK;\n"
      "void f(int n) { if (n > 5000u) g<<<(n + 1) / 2, BLOCK>>>(n); }\n");
  CHECK(limits.numbers == Numbers{2, 3, 4, 192, 576, 5000});
  CHECK(limits.products == Numbers{768, 2304, 110'592});
}

TEST_CASE("a digit separator is part of a number") {
  CHECK(size_limits_of("a = 1'048'576; b = 16'384u;\n").numbers == Numbers{16'384, 1'048'576});
}

TEST_CASE("without constants numbers are multiplied") {
  const SizeLimits limits = size_limits_of("void f(int n) { g<<<n / (128 * 8), 128>>>(n); }\n");
  CHECK(limits.numbers == Numbers{8, 128});
  CHECK(limits.products == Numbers{1024});
}

TEST_CASE("what is no decimal whole number, or too small or large for a size, is no limit") {
  CHECK(size_limits_of("").numbers.empty());
  CHECK(size_limits_of("x1 = 1; y = 0x40; z = 1.5f + .25 + 7.; s = \"80\"; h = 1e6; m = 077;\n").numbers.empty());
  CHECK(size_limits_of("a = 99999999999; b = 9999999999999999999999; c = 2147483648;\n").numbers.empty());
  CHECK(size_limits_of("a = 2147483647; b = 46341 * 46341;\n").products.empty());
}

TEST_CASE("of a long text only some are taken") {
  std::string code;
  for (int i = 0; i < 10'000; ++i) code += "const int c" + std::to_string(i) + " = " + std::to_string(i + 2) + ";\n";
  const SizeLimits limits = size_limits_of(code);
  CHECK(limits.numbers.size() == 64);
  CHECK(limits.products.size() <= 64);
}
