// Which objects of a class outlive the functions that use them.
#include "source/kept_objects.h"

#include "catch.h"

namespace cudalabs::test::of_kept_objects {
namespace {

const std::string kClass = "struct Buffer {\n  float* data = nullptr;\n  bool reserve(int n) {\n    grow();\n  }\n};\n";

/// "a b*": names of the objects, with a star where they are declared outside of all functions.
std::string kept(const std::string& source) {
  const std::string code = kClass + source;
  std::string names;
  for (const KeptObject& object : kept_objects(code, "Buffer"))
    names += (names.empty() ? "" : " ") + std::string(object.name) + (object.is_static ? "" : "*");
  return names;
}

}  // namespace

TEST_CASE("objects that are static, or outside of all functions, are kept") {
  CHECK(kept("void f() {\n  static Buffer a;\n  static Buffer b(16);\n}\n") == "a b");
  CHECK(kept("namespace {\nBuffer a, b;\n}\n") == "a* b*");
  CHECK(kept("static Buffer a{16};\nextern \"C\" {\nBuffer b;\n}\n") == "a* b*");
  CHECK(kept("Buffer& shared() {\n  static Buffer buffer;\n  return buffer;\n}\n") == "buffer");
  CHECK(kept("void f() {\n  thread_local Buffer a[2];\n}\n") == "a");
  CHECK(kept("void use(const Buffer& b, Buffer* c, Buffer d);\nvoid f() {\n  static Buffer a;\n}\n") == "a");
  CHECK(kept("struct Pads {\n  Buffer a, b;\n};\nvoid f() {\n  static Pads pads;\n}\n") == "pads");
  CHECK(kept("struct Pads {\n  static Buffer a;\n};\n") == "a");
  const auto objects = kept_objects(kClass + "void f() {\n  static Buffer a;\n}\n", "Buffer");
  REQUIRE(objects.size() == 1);
  CHECK(objects[0] == KeptObject{objects[0].name, 8, 17, true});
  const std::string generic =
      "template <class T> struct Array {\n  T* p;\n};\nvoid f() {\n  static Array<float> a;\n}\n";
  CHECK(kept_objects(generic, "Array").size() == 1);
}

TEST_CASE("nothing is said where some object ends earlier, or may do so") {
  for (const char* other :
       {"void g() {\n  Buffer c;\n}\n", "void g() {\n  auto* c = new Buffer;\n}\n",
        "Buffer make() {\n  return g();\n}\n", "std::vector<Buffer> all;\n", "using B = Buffer;\n",
        "void g() {\n  use(Buffer{16});\n}\n", "struct Pair {\n  Buffer a;\n};\nvoid g() {\n  Pair p;\n}\n",
        "extern \"C\" void g() {\n  Buffer c;\n}\n"})
    CHECK(kept("void f() {\n  static Buffer a;\n}\n" + std::string(other)).empty());
  CHECK(kept("").empty());
}

TEST_CASE("the class around a place is that of the body, or of the function's name") {
  const std::string code =
      kClass + "template <class T>\nvoid Other<T>::add() {\n  x;\n}\nvoid Third::end() { y; }\nint z;\n";
  CHECK(class_around(code, code.find("grow")) == "Buffer");
  CHECK(class_around(code, code.find("x;")) == "Other");
  CHECK(class_around(code, code.find("y;")) == "Third");
  CHECK(class_around(code, code.find("z;")).empty());
  CHECK(class_around("template <class T> void f() { x; }", 30).empty());
  CHECK(class_around("struct A f() { x; }", 15).empty());
  CHECK(has_member(code, "Buffer", "data"));
  CHECK_FALSE(has_member(code, "Buffer", "grow"));
  CHECK_FALSE(has_member(code, "Other", "data"));
}

TEST_CASE("a hostile text of objects is read in one go") {
  for (const std::string part : {"{", "Buffer ", "Buffer a(", "struct a{", "Buffer<", "\"", "static Buffer a,", "}"}) {
    std::string text = kClass;
    while (text.size() < (1U << 20)) text += part;
    kept_objects(text, "Buffer");
    class_around(text, text.size());
  }
}

}  // namespace cudalabs::test::of_kept_objects
