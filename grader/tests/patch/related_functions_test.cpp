#include "patch/related_functions.h"
#include "patch/patched_source.h"

#include <catch2/catch.hpp>

#include <string>

namespace cudalabs::patch::test::of_related_functions {
namespace {

/// Whether `marked`, a text that stands once in the code, is related to what is seen in the functions of these names.
bool is_related(std::string_view code, std::string_view marked, const std::vector<std::string>& seen_in) {
  const PatchedSource source(code);
  const std::vector<FunctionBody> functions = function_bodies(code);
  std::set<std::size_t> begins;
  for (const FunctionBody& function : functions) {
    if (std::ranges::find(seen_in, function.name) != seen_in.end()) begins.insert(function.begin);
  }
  REQUIRE(code.find(marked) != std::string_view::npos);
  REQUIRE((seen_in.empty() || !begins.empty()));
  return RelatedFunctions(source, functions, begins).has(code.find(marked));
}

constexpr std::string_view kCode =
    "int size(int n) { return n + 1; } int other(int n) { return n + 2; } int half(int n) { return n + 3; } "
    "__global__ void k(int* p) { p[4] = 0; } __global__ void l(int* p) { p[5] = half(0); } "
    "void run(int* p) { k<<<size(6), 1>>>(p); } void run_other(int* p) { l<<<other(7), 1>>>(p); }";

TEST_CASE("callers, and what they call, are related to what is seen in a kernel") {
  CHECK(is_related(kCode, "p[4]", {"k"}));
  CHECK(is_related(kCode, "size(6)", {"k"}));
  CHECK(is_related(kCode, "n + 1", {"k"}));
}

TEST_CASE("what only other functions call is not") {
  CHECK_FALSE(is_related(kCode, "n + 2", {"k"}));
  CHECK_FALSE(is_related(kCode, "n + 3", {"k"}));
  CHECK_FALSE(is_related(kCode, "p[5]", {"k"}));
  CHECK_FALSE(is_related(kCode, "other(7)", {"k"}));
  CHECK(is_related(kCode, "n + 3", {"l"}));
  CHECK_FALSE(is_related(kCode, "n + 3", {"size"}));
}

TEST_CASE("where nothing is known of a function all are related") {
  CHECK(is_related(kCode, "n + 2", {}));
  CHECK(is_related(kCode, "p[5]", {}));
}

TEST_CASE("what macros and members of classes call may be called from anywhere") {
  const std::string own(kCode);
  CHECK(is_related("#define TWICE(n) \\\n  (2 * other(n))\n" + own, "n + 2", {"k"}));
  CHECK(is_related("struct S { int f() { return other(8); } }; " + own, "n + 2", {"k"}));
  CHECK(is_related("struct S { int f() { return other(8); } }; " + own, "return other(8)", {"k"}));
  CHECK(is_related("int other(int n); " + own, "n + 2", {"k"}));
  CHECK_FALSE(is_related("#define TWICE(n) (2 * another(n))\n" + own, "n + 2", {"k"}));
}

TEST_CASE("functions that call each other end") {
  const std::string_view code = "void a() { b(); } void b() { a(); c(); } void c() { a(); } void d() { 9; }";
  CHECK(is_related(code, "c(); }", {"a"}));
  CHECK_FALSE(is_related(code, "9", {"a"}));
}

TEST_CASE("functions of one name are one") {
  const std::string_view code =
      "int g(int n) { return 1; } int g(float n) { return 2; } void k() { g(0); } void l() { 3; }";
  CHECK(is_related(code, "return 1", {"k"}));
  CHECK(is_related(code, "return 2", {"k"}));
  CHECK_FALSE(is_related(code, "3;", {"k"}));
}

TEST_CASE("many functions of one name that call each other are soon read") {
  std::string code;
  for (int i = 0; i < 20'000; ++i) code += "void f() { f(); }\n";
  CHECK(is_related(code, "f(); }", {"f"}));
}

TEST_CASE("long texts are read in linear time") {
  std::string code;
  for (int i = 0; i < 20'000; ++i) code += "void f" + std::to_string(i) + "() { f" + std::to_string(i + 1) + "(); }\n";
  CHECK(is_related(code, "f20000()", {"f0"}));
}

}  // namespace
}  // namespace cudalabs::patch::test::of_related_functions
