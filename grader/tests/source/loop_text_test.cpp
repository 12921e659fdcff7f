// Loops that are found in the text, and counters that nothing sets back.
#include "source/loop_text.h"

#include "catch.h"

namespace cudalabs::test {
namespace {

/// The line of the inner loop, in a kernel whose loops begin in line 2; 0: none.
std::uint32_t unreset(const std::string& body) {
  const auto found =
      unreset_counter_at("__global__ void k(float* c, int w, int h) {\n" + body + "\n}\nvoid f() {\n}\n", 2);
  return found ? found->inner.line : 0;
}

}  // namespace

TEST_CASE("heads and ends of loops are found") {
  const std::string code =
      "for (int i = f(0); i < n; ++i)\n  if (i > 2) {\n    while (k) --k;\n  } else {\n    g(i);\n  }\nh();\n";
  const std::vector<LoopText> loops = loops_of(code);
  REQUIRE(loops.size() == 2);
  CHECK(loops[0].first == "int i = f(0)");
  CHECK(loops[0].condition == " i < n");
  CHECK(loops[0].step == " ++i");
  CHECK(code.substr(loops[0].end) == "\nh();\n");
  CHECK(loops[1].line == 3);
  CHECK(loops[1].condition == "k");
  CHECK(code.substr(loops[1].body, loops[1].end - loops[1].body) == " --k;");
  CHECK(loops[0].holds(loops[1]));
  CHECK_FALSE(loops[1].holds(loops[0]));
  CHECK(loops_of("for (;;").empty());
  CHECK(loops_of("for (const int x : list) f(x);")[0].condition.empty());
}

TEST_CASE("the `while` that ends a `do` repeats nothing behind it") {
  const std::string macro = "#define TRY(call) do { good(call); } while (0)\nvoid g() { launch(); }\n";
  const std::vector<LoopText> loops = loops_of(macro);
  REQUIRE(loops.size() == 1);
  CHECK(loops[0].body == loops[0].end);
  CHECK(innermost_loop(loops, macro.find("launch"), macro.find("launch")) == nullptr);
  const std::string inside = "do { while (n > 1) halve(n); } while (again(n)); next();";
  const std::vector<LoopText> both = loops_of(inside);
  REQUIRE(both.size() == 2);
  CHECK(innermost_loop(both, inside.find("halve"), inside.find("halve"))->condition == "n > 1");
  CHECK(innermost_loop(both, inside.find("next"), inside.find("next")) == nullptr);
  const std::string plain = "do step(); while (--k); while (m) other();";
  CHECK(innermost_loop(loops_of(plain), plain.find("other"), plain.find("other"))->condition == "m");
  CHECK(loops_of("do").empty());
  CHECK(loops_of("do {").empty());
}

TEST_CASE("names that statements change are found") {
  using Names = std::vector<std::string_view>;
  CHECK(changed_names("a = b; c += d[e]; --f; g++; int h(i); j{0}; k <<= 1; x(&l);") ==
        Names{"a", "c", "f", "g", "h", "k", "l"});
  CHECK(changed_names("if (a == b && c <= d) return f(e) & g;").empty());
}

TEST_CASE("a counter that is not set back for the next round of the loop around it is found") {
  CHECK(unreset("int x = f(), y = f();\nfor (; y < h; y += s)\n  for (; x < w; x += s)\n    c[y * w + x] = 1;") == 4);
  CHECK(unreset(
            "int x = 0;\nfor (int y = 0; y < h; ++y) {\n  while (x < w) {\n    c[y * w + x] = 1;\n    ++x;\n  }\n}") ==
        4);
  const auto found = unreset_counter_at("int x = 0;\nfor (;y < h; ++y)\n  for (; x < w; ++x) f();\n", 3);
  REQUIRE(found);
  CHECK(found->inner == Setting{{"x"}, 3, 3});
  CHECK(found->outer == 2);
}

TEST_CASE("a second loop on the same counter, and steps the same way, set nothing back") {
  CHECK(unreset("int x = 0;\nfor (; y < h; ++y) {\n  for (; x + 1 < w; x += 2) f(x);\n  for (; x < w; ++x) f(x);\n}") ==
        4);
  CHECK(unreset("int s = 8;\nfor (; y < h; ++y) {\n  for (; s > 0; s /= 2) f(s);\n  --s;\n}") == 4);
  CHECK(unreset("int x = 0;\nfor (; y < h; ++y) {\n  for (; x < w; ++x) f(x);\n  x -= w;\n}") == 0);
  CHECK(unreset("int x = 0;\nfor (; y < h; ++y) {\n  for (; x < w; ++x) f(x);\n  x += -w;\n}") == 0);
  CHECK(unreset("int x = 0;\nfor (; y < h; ++y) {\n  for (; x < w; ++x) f(x);\n  --x;\n}") == 0);
  CHECK(unreset("int x = 0;\nfor (; y < h; ++y) {\n  for (; x < w; ++x) f(x);\n  x %= 4;\n}") == 0);
  const auto found = unreset_counter_at("int x = 0;\nfor (;y < h; ++y)\n  for (; x < w; ++x)\n    f();\n", 3);
  REQUIRE(found);
  CHECK(found->last_of_outer == 4);
}

TEST_CASE("a counter that begins anew, or goes on as it should, is none") {
  CHECK(unreset("for (int y = 0; y < h; ++y)\n  for (int x = 0; x < w; ++x) c[x] = 1;") == 0);
  CHECK(unreset("int x;\nfor (; y < h; ++y)\n  for (x = 0; x < w; ++x) c[x] = 1;") == 0);
  CHECK(unreset("for (; y < h; ++y) {\n  int x = 0;\n  for (; x < w; ++x) c[x] = 1;\n}") == 0);
  CHECK(unreset("for (; y < h; ++y) {\n  int x(f());\n  for (; x < w; ++x) c[x] = 1;\n}") == 0);
  CHECK(unreset("int x = 0;\nfor (; y < h; ++y) {\n  for (; x < w; ++x) c[x] = 1;\n  x = 0;\n}") == 0);
  CHECK(unreset("int x = 0;\nwhile (x < h * w) {\n  for (; x < w; ++x) c[x] = 1;\n}") == 0);
  // Its end moves on, or it is left early.
  CHECK(unreset("int x = 0, end = 0;\nfor (; y < h; ++y) {\n  end += w;\n  for (; x < end; ++x) c[x] = 1;\n}") == 0);
  CHECK(unreset("int x = 0;\nfor (int y = 0; y < h; ++y)\n  for (; x < y * w; ++x) c[x] = 1;") == 0);
  CHECK(unreset("int x = 0;\nfor (; y < h; ++y)\n  for (; x < w; ++x) if (c[x] > y) break;") == 0);
  CHECK(unreset("int x = 0;\nfor (; y < h; ++y) {\n  reset(&x);\n  for (; x < w; ++x) c[x] = 1;\n}") == 0);
  // One after the other, and another function's.
  CHECK(unreset("int x = 0;\nfor (; y < h; ++y) f();\nfor (; x < w; ++x) c[x] = 1;") == 0);
  CHECK_FALSE(
      unreset_counter_at("void g() {\n  for (;y < h; ++y)\n    for (; x < w; ++x) f();\n}\nvoid k() {\n}\n", 5));
}

TEST_CASE("a loop whose counter the one before it has taken to the end is found") {
  const auto spent = [](const std::string& body) {
    const auto found = spent_loop_at("__global__ void k(float* c, int n) {\n" + body + "\n}\n", 2);
    return found ? found->second.line : 0;
  };
  const std::string first = "int i = f();\nfor (; i < n; i += s)\n  a[i] = 1;\n";
  CHECK(spent(first + "for (; i < n; i += s) b[i] = 1;") == 5);
  CHECK(spent(first + "while (i<n) {\n  b[i] = 1;\n  ++i;\n  }") == 5);
  CHECK(
      spent("int i;\nfor (i = f(); i < n; ++i) {\n  for (int j = 0; j < 3; ++j) g();\n  }\nfor (; i < n; ++i) h();") ==
      6);
  CHECK(spent("for (int t = 0; t < 3; ++t) {\n" + first + "for (; i < n; i += s) b[i] = 1;\n}") == 6);
  // It begins anew, goes on to another end, or is the rest that the first one leaves.
  CHECK(spent(first + "i = f();\nfor (; i < n; i += s) b[i] = 1;") == 0);
  CHECK(spent(first + "for (i = f(); i < n; i += s) b[i] = 1;") == 0);
  CHECK(spent(first + "for (int i = f(); i < n; i += s) b[i] = 1;") == 0);
  CHECK(spent(first + "for (; i < 2 * n; i += s) b[i] = 1;") == 0);
  CHECK(spent(first + "n *= 2;\nfor (; i < n; i += s) b[i] = 1;") == 0);
  CHECK(spent("int i = 0;\nfor (; i + 3 < n; i += 4) g(i);\nfor (; i < n; ++i) g(i);") == 0);
  CHECK(spent("int i = 0;\nfor (; i < n; ++i) if (a[i] > 0) break;\nfor (; i < n; ++i) g(i);") == 0);
  CHECK(spent("int i = 0;\nif (n > 3) for (; i < n; ++i) g(i);\nfor (; i < n; ++i) h(i);") == 0);
  CHECK(spent("int i = 0;\nif (n > 3) {\n  for (; i < n; ++i) g(i);\n  }\nfor (; i < n; ++i) h(i);") == 0);
  CHECK(spent("for (int i = 0; i < n; ++i) g(i);\nfor (; i < n; ++i) h(i);") == 0);
}

TEST_CASE("subscripts that a loop counts on say that a thread does several elements") {
  const std::string loop =
      "int x = f();\nfor (int y = 0; y < h; y += s) {\n  for (; x < w; x += s)\n    out[y * w + x] = in[x];\n}\nout[x] "
      "= 1;\n";
  CHECK(counted_subscripts(loop, 4) == std::vector<std::string>{"y", "x"});
  CHECK(counted_subscripts(loop, 6).empty());
  CHECK(counted_subscripts("while (i < n) {\n  c[i] = 1;\n  i += s;\n}\n", 2) == std::vector<std::string>{"i"});
  // By way of an index, or of a pointer to a row.
  CHECK(counted_subscripts("for (; y < h; y += s) {\n  const int at = y * w + x;\n  out[at] = 1;\n}\n", 3) ==
        std::vector<std::string>{"y"});
  CHECK(counted_subscripts("for (; y < h; y += s) {\n  float* row = out + y * w;\n  row[x] = 1;\n}\n", 3) ==
        std::vector<std::string>{"y"});
  CHECK(
      counted_subscripts("int at = k;\nfor (int k = 0; k < n; ++k) {\n  const float v = a[k];\n  out[at] = v;\n}\n", 4)
          .empty());
  // The sum that is stored has a loop, the store has none.
  CHECK(counted_subscripts("for (int k = 0; k < n; ++k) s += a[k];\nc[i] = s;\n", 2).empty());
  CHECK(counted_subscripts("for (int k = 0; k < n; ++k)\n  c[i] += a[k];\n", 2).empty());
}

TEST_CASE("where a counter ends is read from a condition of its own alone") {
  CHECK(end_of_counting(" k < n", "k") == " n");
  CHECK(end_of_counting("k != n / 2", "k") == " n / 2");
  for (const char* other : {"k <= n", "k << n", "j < n", "k > n", "k", "", "n < k"}) {
    CAPTURE(other);
    CHECK(end_of_counting(other, "k").empty());
  }
}

}  // namespace cudalabs::test
