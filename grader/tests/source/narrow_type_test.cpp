#include "source/narrow_type.h"

#include <string>

#include "catch.h"

namespace cudalabs::test {
namespace {

std::string first_of(const std::string& text) {
  const auto found = narrow_type_from(text, 0);
  return found ? std::string(found->type.spelling) : "";
}

}  // namespace

TEST_CASE("types of 8 and 16 bits are found where they declare a name") {
  CHECK(first_of("const unsigned short row = 1;") == "unsigned short");
  CHECK(first_of("short int n;") == "short int");
  CHECK(first_of("f(std::uint8_t c)") == "uint8_t");
  CHECK(first_of("for (char k = 0;;)") == "char");
  CHECK(first_of("signed char k;") == "signed char");
  CHECK(first_of("unsigned short int k;") == "unsigned short int");
  CHECK(first_of("short unsigned k;") == "short unsigned");
  CHECK(first_of("const std::uint_least16_t k = 1;") == "uint_least16_t");
  CHECK(first_of("x = (short)y; unsigned char z = 1;") == "unsigned char");
  for (const std::string other : {"int row = 1;", "(short)row", "const char* text", "char* p", "shorter n",
                                  "f<char>(n)", "static_cast<unsigned short>(n)", "unsigned n;", ""})
    CHECK(first_of(other).empty());
}

TEST_CASE("what is left of a value is that of the type's range with the same last bits") {
  const NarrowType word = narrow_type_from("short i;", 0)->type, byte = narrow_type_from("unsigned char i;", 0)->type;
  CHECK(word.wrapped(32768) == -32768);
  CHECK(word.wrapped(65535) == -1);
  CHECK(word.wrapped(-32769) == 32767);
  CHECK(word.wrapped(5) == 5);
  CHECK(byte.wrapped(256) == 0);
  CHECK(byte.wrapped(-1) == 255);
  CHECK(byte.holds(255));
  CHECK_FALSE(byte.holds(256));
}

}  // namespace cudalabs::test
