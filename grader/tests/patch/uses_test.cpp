#include "patch/uses.h"
#include "patch/patched_source.h"

#include <catch2/catch.hpp>

namespace cudalabs::patch::test::of_uses {
namespace {

bool uses_name(std::string_view code, std::string_view name) {
  const PatchedSource source(code);
  return uses(source.tokens, {0, source.tokens.size() - 1}, name);
}

bool changes_name(std::string_view code, std::string_view name) {
  const PatchedSource source(code);
  return changes(source.tokens, {0, source.tokens.size() - 1}, name);
}

std::string quote(std::string_view code) {
  const PatchedSource source(code);
  return quoted(source, {0, source.tokens.size() - 1});
}

TEST_CASE("a member is no use of a variable of its name") {
  CHECK(uses_name("f(x);", "x"));
  CHECK_FALSE(uses_name("p.x = q->x + N::x;", "x"));
}

TEST_CASE("assignments, steps and addresses that are handed on change a variable") {
  CHECK(changes_name("x = 1;", "x"));
  CHECK(changes_name("x[i].y += 1;", "x"));
  CHECK(changes_name("--x;", "x"));
  CHECK(changes_name("x++;", "x"));
  CHECK(changes_name("f(&x);", "x"));
  CHECK_FALSE(changes_name("y = x;", "x"));
  CHECK_FALSE(changes_name("y[x] = 1;", "x"));
  CHECK_FALSE(changes_name("y = z & x;", "x"));
  CHECK_FALSE(changes_name("x == 1;", "x"));
}

TEST_CASE("calls are those of functions and kernels") {
  const PatchedSource source("if (f(sizeof(x))) k<<<1, 2>>>(y);");
  CHECK(called_in(source.tokens, {0, source.tokens.size() - 1}) == std::vector<std::string_view>{"f", "k"});
  CHECK(release_in(source.tokens, {0, source.tokens.size() - 1}) == std::string_view::npos);
  const PatchedSource freed("check(cudaFree(p));");
  CHECK(release_in(freed.tokens, {0, freed.tokens.size() - 1}) == 2);
}

TEST_CASE("a quote is on one line, and short") {
  CHECK(quote("f(a,\n  b);") == "`f(a, b)`");
  CHECK(quote("ok = check(cudaMemcpyAsync(target, from, bytes, kind));") == "`cudaMemcpyAsync(...)`");
  CHECK(quote("for (int k = 0; k < n; ++k) sum += f(left[k], right[k]);") == "`for (...)`");
  CHECK(quote("if (!fine(cudaGetLastError(), \"the launch of it\")) return;") == "`cudaGetLastError(...)`");
  CHECK(quote("a_rather_long_name = another_rather_long_name + 1;") == "`a_rather_long_name = ...`");
  CHECK(quote("cells[threadIdx.x] = i < n ? in[i] : static_cast<T>(0);") == "`cells[threadIdx.x] = ...`");
  CHECK(quote("a_rather_long_name + another_rather_long_name;") == "`a_rather_long_name + another_rather_ ...`");
}

}  // namespace
}  // namespace cudalabs::patch::test::of_uses
