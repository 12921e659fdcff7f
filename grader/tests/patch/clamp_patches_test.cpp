#include "patch/operators/clamp_patches.h"

#include <catch2/catch.hpp>

#include "applied_texts.h"
#include "patched_texts.h"

namespace cudalabs::patch::test::of_clamp_patches {
namespace {

Texts guarded(std::string_view code) {
  return changed(add_clamps, code);
}

TEST_CASE("a load whose index is kept inside counts as 0 outside") {
  CHECK(guarded("x[m] = z[min(n + p, m - 1)];") == Texts{"x[m] = n + p < m ? z[min(n + p, m - 1)] : 0;"});
  CHECK(guarded("x[m] = z[std::min(m - 1, n) * p];") == Texts{"x[m] = n < m ? z[std::min(m - 1, n) * p] : 0;"});
  CHECK(guarded("x[m] = z[std::min<int>(n, m - 1)];") == Texts{"x[m] = n < m ? z[std::min<int>(n, m - 1)] : 0;"});
  CHECK(guarded("x[m] = z[std::clamp(n, 0, m - 1)];") == Texts{"x[m] = n < m ? z[std::clamp(n, 0, m - 1)] : 0;"});
  CHECK(guarded("x[m] += z[n < m ? n : m - 1] * y[n];") == Texts{"x[m] += (n < m ? z[n < m ? n : m - 1] : 0) * y[n];"});
  CHECK(guarded("x[m] = z[(n >= m ? m - 1 : n) * p];") == Texts{"x[m] = n < m ? z[(n >= m ? m - 1 : n) * p] : 0;"});
  CHECK(guarded("x[m] = z[(m > n) ? n : (m - 1)];") == Texts{"x[m] = n < m ? z[(m > n) ? n : (m - 1)] : 0;"});
  CHECK(guarded("int last = m - 1; x[m] = z[min(n, last)];") ==
        Texts{"int last = m - 1; x[m] = n <= last ? z[min(n, last)] : 0;"});
  CHECK(guarded("int last = m - 1; x[m] = z[n > last ? last : n];") ==
        Texts{"int last = m - 1; x[m] = n <= last ? z[n > last ? last : n] : 0;"});
  CHECK(guarded("x[m] = z[min(n | p, m - 1)];") == Texts{"x[m] = (n | p) < m ? z[min(n | p, m - 1)] : 0;"});
}

TEST_CASE("what is set from a clamped value is clamped, too") {
  CHECK(guarded("const int k = min(n, m - 1); x[m] = z[k * p];") ==
        Texts{"const int k = min(n, m - 1); x[m] = n < m ? z[k * p] : 0;"});
  CHECK(guarded("const float* row = z + (size_t)min(n, m - 1) * p; x[m] = row[p];") ==
        Texts{"const float* row = z + (size_t)min(n, m - 1) * p; x[m] = n < m ? row[p] : 0;"});
}

TEST_CASE("a function that only clamps is read where it is called") {
  const auto with_helper = [](const std::string& returned) {
    const std::string helper = "__device__ int inside(int i, int size) { return " + returned + "; }\n";
    Texts texts = applied_to(add_clamps, helper + "void f(int k, int n) { t[k] = a[(size_t)inside(k + 1, n) * n]; }");
    for (std::string& text : texts) text = text.substr(helper.size());
    return texts;
  };
  const Texts made{"void f(int k, int n) { t[k] = k + 1 < n ? a[(size_t)inside(k + 1, n) * n] : 0; }"};
  CHECK(with_helper("i < size ? i : size - 1") == made);
  CHECK(with_helper("(i < size) ? i : (size - 1)") == made);
  CHECK(with_helper("min(i, size - 1)") == made);
  CHECK(with_helper("max(0, min(i, size - 1))") == made);
  CHECK(with_helper("i >= size ? size - 1 : i") == made);
  CHECK(with_helper("i < size ? i : 0").empty());
  CHECK(with_helper("min(i, size)").empty());
}

TEST_CASE("the words say where 0 is meant") {
  const auto words = [](const std::string& load) {
    return patches_of(add_clamps, "void f(int k, int n) { t[k] = " + load + "; }")[0].words;
  };
  CHECK(words("a[min(k, n - 1)]") == "0 in place of the clamped `a[min(k, n - 1)]` where `k >= n`");
  CHECK(words("a[static_cast<std::size_t>(min(k, n - 1)) * columns]") ==
        "0 in place of the clamped `a[...]` where `k >= n`");
}

TEST_CASE("stores, addresses and other choices stay") {
  for (const std::string code : {"x[min(n, m - 1)] = 0;", "x[min(n, m - 1)] += z[n];", "x[min(n, m - 1)]++;",
                                 "f(&z[min(n, m - 1)]);", "float s[8 < m ? 8 : 8 - 1];", "x[m] = z[min(n, m)];",
                                 "x[m] = z[n < m ? n : 0];", "x[m] = z[n < m ? n : p - 1];", "x[m] = z[max(n, m - 1)];",
                                 "x[m] = n < m ? z[n] : 0;", "int k = min(n, m - 1); x[m] = k;"})
    CHECK(guarded(code).empty());
}

TEST_CASE("a hostile text of clamps is read in one go") {
  for (const std::string part :
       {"x=a[min(", "(k<n?k:n-1)", "a[a[", "min(n,m-1)", "?k:", "int f(int k){return k<n?k:n-1;}"}) {
    std::string code = "void f() {";
    while (code.size() < (1U << 18)) code += part;
    patches_of(add_clamps, code + "}");
  }
}

}  // namespace
}  // namespace cudalabs::patch::test::of_clamp_patches
