#include "patch/operators/declaration_patches.h"

#include <catch2/catch.hpp>

#include "applied_texts.h"

namespace cudalabs::patch::test::of_declaration_patches {
namespace {

Texts declared_texts(std::string_view body) {
  return applied_in_body(add_declarations, body);
}

const std::string kBuffer = "struct Buffer { ~Buffer(); }; ";

Texts with_buffers(const std::string& code) {
  Texts texts;
  for (const std::string& text : applied_to(add_declarations, kBuffer + code)) {
    texts.push_back(text.substr(kBuffer.size()));
  }
  return texts;
}

TEST_CASE("a static that depends on the call is no static") {
  CHECK(applied_to(add_declarations, "void f(int n) { static const int blocks = n / 2; g(blocks); }") ==
        Texts{"void f(int n) { const int blocks = n / 2; g(blocks); }"});
  CHECK(declared_texts("static int calls = 0; ++calls;") == Texts{"int calls = 0; ++calls;"});
  CHECK(
      applied_to(add_declarations, "struct Pair { ~Pair() { g(); } };\nvoid f() { static Pair pair; pair.start(); }") ==
      Texts{"struct Pair { ~Pair() { g(); } };\nvoid f() { Pair pair; pair.start(); }"});
  CHECK(applied_to(add_declarations, "struct Pair { int a; };\nvoid f() { static Pair pair; g(pair.a); }").empty());
  CHECK(declared_texts("static const int size = 4; static constexpr int n = 3; g(size);").empty());
}

TEST_CASE("parameters whose copies free something are taken by reference") {
  CHECK(with_buffers("void f(Buffer a, int n, Buffer b) { g(a); }") ==
        Texts{"void f(Buffer& a, int n, Buffer& b) { g(a); }",
              "void f(const Buffer& a, int n, const Buffer& b) { g(a); }"});
  CHECK(words_in_body(add_declarations, "struct B { ~B(); }; auto h = [](B a, B b) {};") ==
        Texts{"`B& a` and the other objects by reference", "`const B& a` and the other objects by reference"});
  CHECK(with_buffers("void f(const Buffer a) { g(a); }") == Texts{"void f(const Buffer& a) { g(a); }"});
  CHECK(applied_to(add_declarations, "template <typename T> class A { ~A() {} }; void f(const T* in, A<T> a) { }") ==
        Texts{"template <typename T> class A { ~A() {} }; void f(const T* in, A<T>& a) { }",
              "template <typename T> class A { ~A() {} }; void f(const T* in, const A<T>& a) { }"});
  CHECK(with_buffers("void f(Buffer& a, const Buffer& b, Buffer* c, Buffer&& d, Other e) { g(a); }").empty());
}

TEST_CASE("an object without a name gets one") {
  CHECK(with_buffers("void f() { Buffer(3); g(); }") == Texts{"void f() { Buffer object_of_its_own(3); g(); }"});
  CHECK(words_in_body(add_declarations, "struct B { ~B(); }; B{3}; g();") == Texts{"a name for this `B`"});
  CHECK(with_buffers("void f() { Buffer b(3); g(Buffer(3)); Other(3); Buffer(3).go(); }").empty());
}

TEST_CASE("types that cannot hold what is computed are changed") {
  CHECK(declared_texts("int s = 0; for (;;) s += a[i] * b[i];") == Texts{"float s = 0; for (;;) s += a[i] * b[i];"});
  CHECK(declared_texts("auto s = 0; for (;;) s += a[i];") == Texts{"float s = 0; for (;;) s += a[i];"});
  CHECK(declared_texts("float s = 0.0f; for (;;) s += a[i];") == Texts{"double s = 0.0f; for (;;) s += a[i];"});
  CHECK(declared_texts("const int row = x; c[row * n + k] = 1;") ==
        Texts{"const long long row = x; c[row * n + k] = 1;"});
  CHECK(declared_texts("int w = p[i]; g(w >> 24);") == Texts{"unsigned w = p[i]; g(w >> 24);"});
  CHECK(declared_texts("unsigned d = 3; while (d >= 0) g(--d);") == Texts{"int d = 3; while (d >= 0) g(--d);"});
  CHECK(words_in_body(add_declarations, "int s = 0; s += a[i];") == Texts{"`float` in place of `int`"});
}

TEST_CASE("other types stay") {
  CHECK(declared_texts("int n = 0; n += 2; float x = a[i]; int row = y; g(row * 2);").empty());
  CHECK(declared_texts("const long long row = x; c[row * n] = 1; unsigned int u = 1; g(u);").empty());
  CHECK(declared_texts("int row = x; c[(size_t)row * n] = 1; c[k * stride + row] = 1;").empty());
  CHECK(declared_texts("float* s = 0; s += a[i]; double d = 0; d += a[i]; auto f = 0.0f; f += a[i];").empty());
}

}  // namespace
}  // namespace cudalabs::patch::test::of_declaration_patches
