// Functions found in a source's text.
#include "source/function_text.h"

#include "catch.h"

using namespace cudalabs;

TEST_CASE("a long text in which no bracket closes is soon read") {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += "f( ";
  const std::string code = text + "\nvoid g(int a) { a = 1; }\n";
  CHECK(function_bodies(code).size() == 1);
  CHECK_FALSE(only_function(code, "f"));
}

TEST_CASE("the only definition of a name and its parameters are found") {
  const std::string source =
      "void add(const float* x, int n);\n"
      "template <class T>\n"
      "__global__ void add(const T* x,  // add(a, b) {\n"
      "                    float (*f)(int, int), std::array<int, 2> two, int n = 3) {\n"
      "  other(x);\n"
      "}\n"
      "void call() { add<<<1, 1>>>(0, 0, {}, 1); }\n";
  const auto add = only_function(source, "add");
  REQUIRE(add);
  CHECK(add->line == 3);
  CHECK(add->column == 17);
  REQUIRE(add->parameters.size() == 4);
  CHECK(add->parameters[0] == "const T* x");
  CHECK(parameter_name(add->parameters[0]) == "x");
  CHECK(parameter_name(add->parameters[2]) == "two");
  CHECK(parameter_name(add->parameters[3]) == "n");
  CHECK(parameter_name("float in[]") == "in");
  CHECK(parameter_name("float") == "");
  CHECK_FALSE(only_function(source, "other"));
  CHECK_FALSE(only_function(source + "void add(int) {\n}\n", "add"));
  CHECK(only_function("void f() {\n}\n", "f")->parameters.empty());
}

TEST_CASE("a body that is a block of `try`, or stands behind words, is one") {
  const std::string code =
      "void f(int n) try { g(n); } catch (...) { } struct S { int h() const noexcept { return 1; } }; int k() noexcept "
      "{ }";
  const auto bodies = function_bodies(code);
  REQUIRE(bodies.size() == 2);
  CHECK(bodies[1].name == "k");
  CHECK(bodies[0].name == "f");
  CHECK(code.substr(bodies[0].begin, bodies[0].end - bodies[0].begin) == "{ g(n); }");
  CHECK(defined_around(code, code.find("g(n)")) == "f");
  CHECK(defined_around(code, code.find("return")) == "h");
}

TEST_CASE("lines of a destructor are known, and those of other functions are not") {
  const std::string source =
      "struct Buffer {\n"
      "  ~Buffer() noexcept {\n"
      "    if (data) cudaFree(data);\n"
      "  }\n"
      "  void free() { cudaFree(data); }\n"
      "  int mask = ~bits;\n"
      "};\n";
  CHECK(destructor_around(source, 3) == "Buffer");
  CHECK(destructor_around(source, 5).empty());
  CHECK(destructor_around(source, 6).empty());
  CHECK(destructor_around("struct B { ~B() { cudaFree(p); } };\n", 1) == "B");
  CHECK(destructor_around("struct B { ~B() = default; };\nvoid f() { cudaFree(p); }\n", 2).empty());
}

TEST_CASE("a parameter of a type is a copy, but for references and pointers") {
  for (const char* copy : {"Buffer to", "const Buffer to", "Buffer<pair<T, 4>> to"}) CHECK(is_copy_of(copy, "Buffer"));
  for (const char* other : {"Buffer& to", "const Buffer* to", "Buffer::Size to", "vector<Buffer> to", "Buffers to"})
    CHECK_FALSE(is_copy_of(other, "Buffer"));
}

TEST_CASE("a place is in one of the functions or in none") {
  const std::string code = "int a() { return 1; }\nint b() { return 2; }\nint c() { return 3; }\n";
  std::vector<FunctionBody> functions = function_bodies(code);
  functions.erase(functions.begin() + 1);
  CHECK(function_at(functions, code.find('1')) == &functions[0]);
  CHECK(function_at(functions, code.find('2')) == nullptr);
  CHECK(function_at(functions, code.find('3')) == &functions[1]);
  CHECK(function_at(functions, 0) == nullptr);
}

TEST_CASE("the names that a line calls") {
  CHECK(called_in("int a;\nif (!upload(x, a) || ok (y)) return;\n", 2) ==
        std::vector<std::string>{"if", "upload", "ok"});
  CHECK(called_in("int a;\n", 9).empty());
}
