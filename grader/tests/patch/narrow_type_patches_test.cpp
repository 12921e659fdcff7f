#include "patch/operators/narrow_type_patches.h"

#include <catch2/catch.hpp>
#include <string>

#include "applied_texts.h"
#include "patched_texts.h"

namespace cudalabs::patch::test::of_narrow_type_patches {
namespace {

Texts widened(std::string_view code) {
  return changed(add_narrow_types, code);
}

TEST_CASE("a local variable that something is computed for gets a wider type") {
  CHECK(widened("const short s = 77 * m + 150 * n;") == Texts{"const int s = 77 * m + 150 * n;"});
  CHECK(widened("unsigned short s = m << 4;") == Texts{"int s = m << 4;"});
  CHECK(widened("unsigned short int s = m << 4;") == Texts{"int s = m << 4;"});
  CHECK(widened("std::uint8_t s{m + n};") == Texts{"int s{m + n};"});
  CHECK(widened("unsigned char s = 0; for (int k = 0; k < n; ++k) s += z[k];") ==
        Texts{"int s = 0; for (int k = 0; k < n; ++k) s += z[k];"});
  CHECK(widened("for (unsigned char k = 0; k < n; ++k) f(k);") == Texts{"for (int k = 0; k < n; ++k) f(k);"});
  CHECK(widened("__shared__ short part[64]; part[m] = part[m] + part[n];").size() == 1);
  CHECK(widened("short a = 0, b = m * n;") == Texts{"int a = 0, b = m * n;"});
  CHECK(patches_of(add_narrow_types, "void f(int m) { short s = m * 3; }")[0].words == "`int` in place of `short`");
}

TEST_CASE("a type of 8 or 16 bits is known in each of its spellings") {
  const Texts of_words{"short", "short int", "signed short", "unsigned short int", "short unsigned int", "int short"};
  const Texts of_letters{"char", "signed char", "unsigned char", "unsigned  char", "char unsigned"};
  const Texts with_names{"int16_t", "uint8_t", "std::int16_t", "std::uint16_t", "std::uint_least16_t", "ushort"};
  for (const Texts& types : {of_words, of_letters, with_names}) {
    for (const std::string& type : types) {
      INFO(type);
      CHECK(widened("const " + type + " s = 77 * m + n;") == Texts{"const int s = 77 * m + n;"});
      CHECK(widened(type + " const s = 77 * m + n;") == Texts{"int const s = 77 * m + n;"});
    }
  }
  CHECK(widened("x[0] = static_cast<std::int16_t>(m * n) / 2;") == Texts{"x[0] = static_cast<int>(m * n) / 2;"});
  CHECK(widened("x[0] = (std::int16_t)(m * n) / 2;") == Texts{"x[0] = (int)(m * n) / 2;"});
  CHECK(widened("return std::int16_t(m * n) / 2;") == Texts{"return int(m * n) / 2;"});
  CHECK(widened("auto s = std::uint16_t(m * n);") == Texts{"auto s = int(m * n);"});
  CHECK(applied_to(add_narrow_types, "__device__ std::int16_t f(const std::int16_t a) { return a; }") ==
        Texts{"__device__ int f(const std::int16_t a) { return a; }",
              "__device__ std::int16_t f(const int a) { return a; }"});
  CHECK(applied_to(add_narrow_types, "using Sum = std::int16_t; void f() {}") == Texts{"using Sum = int; void f() {}"});
  for (const std::string type : {"int", "unsigned", "unsigned int", "long", "std::uint32_t", "std::size_t"})
    CHECK(widened("const " + type + " s = 77 * m + n;").empty());
}

TEST_CASE("parameters, results and conversions of 16 bits get a wider type") {
  CHECK(applied_to(add_narrow_types, "__device__ short f(int a) { return 77 * a; }") ==
        Texts{"__device__ int f(int a) { return 77 * a; }"});
  CHECK(applied_to(add_narrow_types, "__device__ int f(int16_t a) { return a / 256; }") ==
        Texts{"__device__ int f(int a) { return a / 256; }"});
  CHECK(applied_to(add_narrow_types, "using Sum = short; void f() {}") == Texts{"using Sum = int; void f() {}"});
  CHECK(widened("x[0] = static_cast<short>(m * n) / 2;") == Texts{"x[0] = static_cast<int>(m * n) / 2;"});
  CHECK(widened("x[0] = (short)(m * n) / 2;") == Texts{"x[0] = (int)(m * n) / 2;"});
}

TEST_CASE("what only says how memory is laid out, and what nothing is computed for, keeps its type") {
  CHECK(widened("unsigned char g = static_cast<unsigned char>(m); g = h[m + n];").empty());
  CHECK(widened("unsigned char g = h[m + n];").empty());
  CHECK(widened("const unsigned char* g = h + 3 * m;").empty());
  CHECK(widened("unsigned char g = static_cast<unsigned char>(m / 256);").empty());
  CHECK(applied_to(add_narrow_types, "struct P { unsigned char r, g; short s; };").empty());
  CHECK(applied_to(add_narrow_types, "void f(const short* a, unsigned char b);").empty());
  CHECK(applied_to(add_narrow_types, "__device__ unsigned char f(int a) { return a / 256; }").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_narrow_type_patches
