// Members of structures.
#include "source/structure_text.h"

#include "catch.h"

namespace cudalabs::test {

TEST_CASE("members of one word each have their order") {
  using Names = std::vector<std::string>;
  CHECK(word_members("struct Extent {\n  int rows, cols;  // of the picture\n};\n", "Extent") == Names{"rows", "cols"});
  CHECK(word_members("struct S { std::int32_t a; unsigned b; float c; };", "S") == Names{"a", "b", "c"});
  CHECK(word_members("struct T { int x; };\nstruct S { int y; };", "S") == Names{"y"});
}

TEST_CASE("structures with anything else have no such members") {
  CHECK(word_members("struct S { int a; double b; };", "S").empty());
  CHECK(word_members("struct S { int a[2]; };", "S").empty());
  CHECK(word_members("struct S { const float* a; int b; };", "S").empty());
  CHECK(word_members("struct S { int a; int f() const { return a; } };", "S").empty());
  CHECK(word_members("struct S;", "S").empty());
  CHECK(word_members("struct S {", "S").empty());
  CHECK(word_members("struct S { ; ,; };", "S").empty());
}

}  // namespace cudalabs::test
