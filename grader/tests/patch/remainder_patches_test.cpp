#include "patch/operators/remainder_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_remainder_patches {
namespace {

Texts changed_remainders(std::string_view code) {
  return changed(add_remainders, code);
}

TEST_CASE("an if for what a loop of several elements a round leaves becomes a loop") {
  const std::string loop = "int i = f(), s = g(); for (; i + 3 * s < n; i += 4 * s) v += x[i]; ";
  CHECK(changed_remainders(loop + "if (i < n) v += x[i];") ==
        Texts{loop + "for (; i < n; i += s) v += x[i];", loop + "for (; i < n; i += 4) v += x[i];"});
  CHECK(patches_of(add_remainders, "void f() { " + loop + "if (i < n) v += x[i]; }")[0].words ==
        "`for (; i < n; i += s)` in place of `if (i < n)`");
  const std::string by_four = "int i = 0; while (i + 4 <= n) { g(x + i); i = i + 4; } ";
  CHECK(changed_remainders(by_four + "float v = 0; if (n > i) { v += x[i]; }") ==
        Texts{by_four + "float v = 0; for (; n > i; ++i) { v += x[i]; }"});
  const std::string named = "const int s = g(), big = s * K; int i = t; for (; i + big <= n; i += big) v += x[i]; ";
  CHECK(changed_remainders(named + "if (i + 1 < n) v += x[i];") ==
        Texts{named + "for (; i + 1 < n; i += K) v += x[i];", named + "for (; i + 1 < n; i += s) v += x[i];"});
}

TEST_CASE("an if that a loop does not lead to, or that takes all that is left, stays") {
  const std::string loop = "int i = f(); for (; i + 3 * s < n; i += 4 * s) v += x[i]; ";
  CHECK(changed_remainders(loop + "i = k; if (i < n) v += x[i];").empty());
  CHECK(changed_remainders(loop + "if (i < n) { v += x[i]; i += s; }").empty());
  CHECK(changed_remainders(loop + "if (i < n) v += x[i]; else g();").empty());
  CHECK(changed_remainders(loop + "if (i < n) return;").empty());
  CHECK(changed_remainders(loop + "if (i == n) v += x[i];").empty());
  CHECK(changed_remainders(loop + "if (i < n) g();").empty());
  CHECK(changed_remainders(loop + "if (k < n) v += x[k];").empty());
  CHECK(changed_remainders("for (int i = 0; i < n; i += 4) v += x[i]; if (i < n) v += x[i];").empty());
  CHECK(changed_remainders("int i = 0; for (; i < n; ++i) v += x[i]; if (i < n) v += x[i];").empty());
  CHECK(changed_remainders("int i = 0; for (; i < n; i += a + b) v += x[i]; if (i < n) v += x[i];").empty());
  CHECK(changed_remainders("int i = t; if (i < n) v += x[i];").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_remainder_patches
