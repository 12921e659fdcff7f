#include "patch/operators/counting_patches.h"

#include <catch2/catch.hpp>

#include "patched_texts.h"

namespace cudalabs::patch::test::of_counting_patches {
namespace {

Texts counted(std::string_view code) {
  return changed(add_countings, code);
}

TEST_CASE("a count may be changed before or after its value is used") {
  CHECK(counted("while (--m > 0) g(m);") == Texts{"while (m-- > 0) g(m);"});
  CHECK(counted("while (m-- > 0) g(m);") == Texts{"while (--m > 0) g(m);"});
  CHECK(counted("while (--m) g(m);") == Texts{"while (m--) g(m);"});
  CHECK(counted("while (m > 0 && --m) g(m);") == Texts{"while (m > 0 && m--) g(m);"});
  CHECK(counted("if (++m == n) return;") == Texts{"if (m++ == n) return;"});
  CHECK(counted("for (int k = n; --k > 0;) g(k);") == Texts{"for (int k = n; k-- > 0;) g(k);"});
  CHECK(counted("while (m > 0) g(x[m--]);") == Texts{"while (m > 0) g(x[--m]);"});
  CHECK(counted("x[m++] = 0;") == Texts{"x[++m] = 0;"});
  CHECK(counted("n = m++;") == Texts{"n = ++m;"});
  CHECK(counted("return n < 4 && m-- > 0;") == Texts{"return n < 4 && --m > 0;"});
  CHECK(patches_of(add_countings, "void f() { while (--k > 0) g(); }")[0].words == "`k--` in place of `--k`");
}

TEST_CASE("what is counted without a use of its value stays") {
  CHECK(counted("++m; m--; for (int k = 0; k < n; ++k) g(k); if (m > n) ++m; else m++;").empty());
  CHECK(counted("for (int k = 0, l = n; k < l; ++k, --l) g(k);").empty());
  CHECK(counted("while (x[m]-- > 0) g(m); while (--s.n > 0) g(m); while (--p->n > 0) g(m);").empty());
  CHECK(counted("g(++m); g(m, n--);").empty());
  CHECK(patches_of(add_countings, "int a = b--;").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_counting_patches
