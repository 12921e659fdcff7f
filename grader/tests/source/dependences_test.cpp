// Names that the values of others are computed from.
#include "source/dependences.h"

#include <string>

#include "catch.h"

namespace cudalabs {
namespace {

constexpr std::string_view kBody =
    "{ const int lane = threadIdx.x;\n"
    "  const int col = blockIdx.x * 32 + lane; int row(0);\n"
    "  for (int base = 0; base < n; base += step) { own = base + lane; v = own < n ? a[own] : 0.0f; }\n"
    "  if (row == col) total = f(v, 1) + g(col);\n"
    "  s.x = row; out[row] = lane; f(row, 2); }";

}  // namespace

TEST_CASE("a name depends on what is assigned to it, and to that") {
  const Dependences of(kBody);
  CHECK(of.all_of("col") == std::set<std::string_view>{"col", "blockIdx", "lane", "threadIdx"});
  CHECK(of.all_of("2 * base") == std::set<std::string_view>{"base", "step"});
  CHECK(of.all_of("v") == std::set<std::string_view>{"v", "own", "n", "a", "base", "step", "lane", "threadIdx"});
  CHECK(of.all_of("total").contains("blockIdx"));
  // A comparison sets nothing, and neither does a member or an element.
  CHECK(of.all_of("row") == std::set<std::string_view>{"row"});
  CHECK(of.all_of("out") == std::set<std::string_view>{"out"});
  CHECK(of.all_of("1.0f").empty());
}

TEST_CASE("what a function is given is of all of its calls") {
  const Dependences of(kBody);
  CHECK(of.all_given_to("g") == of.all_of("col"));
  CHECK(of.all_given_to("f").contains("row"));
  CHECK(of.all_given_to("f").contains("v"));
  CHECK(of.all_given_to("h").empty());
}

TEST_CASE("a long text is read to no end") {
  std::string body = "{";
  for (int i = 0; i < 20'000; ++i) body += "a = b(";
  const Dependences of(body);
  CHECK(of.all_of("a").contains("b"));
}

}  // namespace cudalabs
