#include "patch/operators/connective_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_connectives {
namespace {

Texts with_connectives(std::string_view code) {
  return changed(add_connectives, code);
}

TEST_CASE("each connective of a condition becomes the other one") {
  CHECK(with_connectives("if (m < n && !g(p) || *x) return;") ==
        Texts{"if (m < n || !g(p) || *x) return;", "if (m < n && !g(p) && *x) return;"});
  CHECK(with_connectives("bool a = m == 0\n  && n == 0;") == Texts{"bool a = m == 0\n  || n == 0;"});
}

TEST_CASE("connectives of one kind that follow each other become the other one together, too") {
  CHECK(with_connectives("if (a != m &&\n b != n && (c || d)) return;") ==
        Texts{"if (a != m ||\n b != n && (c || d)) return;", "if (a != m &&\n b != n || (c || d)) return;",
              "if (a != m &&\n b != n && (c && d)) return;", "if (a != m ||\n b != n || (c || d)) return;"});
  CHECK(with_connectives("f(a && b, c && d);") == Texts{"f(a || b, c && d);", "f(a && b, c || d);"});
}

TEST_CASE("the words name both connectives") {
  const std::vector<Patch> patches = patches_of(add_connectives, "void f() { if (a && b) { } }");
  REQUIRE(patches.size() == 1);
  CHECK(patches[0] == Patch{PatchKind::connective, 17, 2, "||", "`||` in place of `&&`"});
}

TEST_CASE("references to what goes away are no connectives, nor is what strings hold") {
  CHECK(with_connectives("auto&& a = g(); S&& b = h(); f([](auto&& c) { }); g<T&&>(m); puts(\"a && b\");").empty());
  CHECK(with_connectives("static_assert(T > 0 && T < 9);").empty());
}

TEST_CASE("only bodies of functions are changed") {
  CHECK(patches_of(add_connectives, "bool a = b && c;\n#define D (b && c)\nvoid f(T&& x);").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_connectives
