// Conditions that decide about an access, and are kept in variables.
#include "source/guard_text.h"

#include <string>

#include "catch.h"

using namespace cudalabs;

namespace {

std::optional<KeptGuard> guard(const std::string& body, std::uint32_t line, bool reads = true) {
  return kept_guard_of("__global__ void k(float* a, int n) {\n" + body + "}\n", line, reads);
}

}  // namespace

TEST_CASE("a choice of one variable leads to where it is set") {
  const auto found = guard("  const bool exists = r < n || c < n;\n  t[r] = exists ? a[r * n + c] : 0.0f;\n", 3);
  REQUIRE(found);
  CHECK(found->where.line == 2);
  CHECK(found->value == "r < n || c < n");
  CHECK(found->holds);
  CHECK_FALSE(guard("  const bool out = r >= n;\n  t[r] = out ? 0 : a[r];\n", 3)->holds);
  CHECK_FALSE(guard("  const bool out = r >= n;\n  t[r] = !out ? a[r] : 0;\n", 3)->holds);
  // What is stored to is outside of the choice, and both sides read.
  CHECK_FALSE(guard("  const bool exists = r < n;\n  t[r] = exists ? a[r] : 0;\n", 3, false));
  CHECK_FALSE(guard("  const bool exists = r < n;\n  t[r] = exists ? a[r] : a[0];\n", 3));
  CHECK_FALSE(guard("  const int e = n;\n  t[r] = r < e ? a[r] : 0;\n", 3));
}

TEST_CASE("so does the nearest condition around it, or the last way out before it") {
  const std::string inside = "  const bool inside = r < n;\n";
  CHECK(guard(inside + "  if (inside) a[r] = 1;\n", 3, false)->where.line == 2);
  CHECK(guard(inside + "  if (inside) {\n    f();\n    a[r] = 1;\n  }\n", 5, false)->where.line == 2);
  CHECK(guard(inside + "  for (;;) {\n    if (!inside) continue;\n    a[r] = 1;\n  }\n", 5, false)->holds);
  CHECK_FALSE(guard(inside + "  if (inside) {\n    f();\n  }\n  a[r] = 1;\n", 6, false));
  CHECK_FALSE(guard(inside + "  if (inside) {\n    if (r < 3) {\n      a[r] = 1;\n    }\n  }\n", 5, false));
  CHECK_FALSE(guard("  if (inside) a[r] = 1;\n", 2, false));  // a parameter, say
}

TEST_CASE("a condition on the same index for a later access is found, if none comes before") {
  const auto later = [](const std::string& body, std::uint32_t line) {
    return later_check_of("__global__ void k(float* a, int n) {\n" + body + "}\n", line);
  };
  const std::string load = "  x += b[col + j * step];\n", store = "  if (col + j*step < p) c[col + j * step] = x;\n";
  CHECK(later(load + store, 2) == Setting{{"col + j * step"}, 3, 3, Setting::How::asked});
  CHECK_FALSE(later("  if (col + j * step >= p) return;\n" + load + store, 3));
  CHECK_FALSE(later(load + "  if (col < p) c[col + j * step] = x;\n", 2));
  CHECK_FALSE(later("  x += b[i];\n  if (i < n) c[i] = x;\n", 2));
  CHECK_FALSE(later(load + "}\nvoid f() {\n" + store, 2));
}

TEST_CASE("texts that are made to be long are read to their end") {
  const auto many = [](const std::string& piece) {
    std::string text;
    for (int i = 0; i < 30'000; ++i) text += piece;
    return text;
  };
  for (const std::string piece : {"){", "if(", "a[", "if (!x) return;", "{ if (x", "x = y ? a[i] : 0; "}) {
    const std::string body = "  const bool x = 1;\n  " + many(piece) + "\n  t[i + 1] = a[i + 1];\n";
    guard(body, 4);
    guard(body, 3);
    CHECK_FALSE(later_check_of("void k() {\n" + body + "}\n", 3));
  }
}
