#include "patch/operators/conjunct_patches.h"

#include <catch2/catch.hpp>

#include <string>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_conjuncts {
namespace {

Texts asked(std::string_view code) {
  return changed(add_conjuncts, code);
}

TEST_CASE("a flag in a condition becomes one of its parts") {
  const std::string flag = "const bool in = m < 4 && n < 5; ";
  CHECK(asked(flag + "x[0] = in && p < 6 ? y[0] : 0;") ==
        Texts{flag + "x[0] = m < 4 && p < 6 ? y[0] : 0;", flag + "x[0] = n < 5 && p < 6 ? y[0] : 0;"});
  CHECK(asked(flag + "if (p < 6 && in) x[0] = 1;").size() == 2);
  CHECK(patches_of(add_conjuncts, "void f(int m) { bool in = m < 4 && m > 1; if (in && g(m)) h(); }")[0].words ==
        "`m < 4` in place of `in`");
}

TEST_CASE("one of several parts is left out") {
  CHECK(asked("if (m < 4 && n < 5 && p < 6) x[0] = 1;") ==
        Texts{"if (n < 5 && p < 6) x[0] = 1;", "if (m < 4 && p < 6) x[0] = 1;", "if (m < 4 && n < 5) x[0] = 1;"});
  CHECK(patches_of(add_conjuncts, "void f(int m) { if (m < 4 && m > 1 && m) g(); }")[1].words ==
        "without `m > 1` in the condition");
}

TEST_CASE("a condition of two parts, and a flag that is one alone, stay") {
  CHECK(asked("if (m < 4 && n < 5) x[0] = 1;").empty());
  CHECK(asked("bool in = m < 4; if (in && n < 5) x[0] = 1;").empty());
  CHECK(asked("bool in = m < 4 && n < 5; if (in) x[0] = 1;").empty());
}

TEST_CASE("parts of what `||` connects stay") {
  CHECK(asked("if (m < 4 && n < 5 && p < 6 || n) x[0] = 1;").empty());
  CHECK(asked("bool in = m < 4 && n < 5 || p; if (in && n) x[0] = 1;").empty());
  CHECK(asked("bool in = m && (n || p); if (in && n) x[0] = 1;").size() == 2);
}

TEST_CASE("long and strange texts are passed over") {
  std::string many = "void f(int m) { if (m";
  for (int i = 0; i < 50'000; ++i) many += " && m";
  CHECK(patches_of(add_conjuncts, many + ") g(); }").empty());
  CHECK(patches_of(add_conjuncts, "void f() { if (&& && &&) ; }").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_conjuncts
