// What stands before the name of a function.
#include "source/function_head.h"

#include <string>

#include "catch.h"

namespace cudalabs {
namespace {

FunctionHead head_in(const std::string& code) {
  const auto bodies = function_bodies(code);
  REQUIRE(bodies.size() == 1);
  return head_of(code, bodies.front()).value_or(FunctionHead{});
}

}  // namespace

TEST_CASE("the result of a function is found, without what does not belong to its type", "[source]") {
  CHECK(head_in("int f(int n) {\n}\n").result == "int");
  CHECK(head_in("static const Plan& plan(int m, int n) {\n}\n").result == "const Plan&");
  CHECK(head_in("extern int x;\n#define N 4\nconst Plan *plan(int m) {\n}\n").result == "const Plan *");
  CHECK(
      head_in("#define CHECK(x) \\\n  do {        \\\n    x;        \\\n  } while (0)\n\nint f(int n) {\n}\n").result ==
      "int");
  CHECK(head_in("__device__ __forceinline__ unsigned  int f(int n) {\n}\n").result == "unsigned int");
  CHECK(head_in("[[nodiscard]] std::vector<int> f(int n) {\n}\n").result == "std::vector<int>");
  CHECK(head_in("__global__ void __launch_bounds__(256, 2) k(float* c) {\n}\n").result == "void");
  CHECK(head_in("int __device__ f(int n) {\n}\n").result == "int");
  CHECK(head_in("__global__ __launch_bounds__(256) void k(float* c) {\n}\n").result == "void");
  CHECK(head_in("const Plan& Planner::plan(int n) const {\n}\n").result == "const Plan&");
}

TEST_CASE("the parameters of its template and its places are known", "[source]") {
  const std::string code =
      "int y;\ntemplate <typename T, int N, class Sum = Plus<T>>\n  __device__ T add(T a, T b) {\n}\n";
  const FunctionHead head = head_in(code);
  CHECK(head.result == "T");
  CHECK(head.line == 3);
  CHECK(head.column == 14);
  CHECK(head.type_names == std::vector<std::string>{"T", "Sum"});
  CHECK(head.value_names == std::vector<std::string>{"N"});
  CHECK(code.substr(head.name, 3) == "add");
}

TEST_CASE("a head that is long, or is none, has no result", "[source]") {
  CHECK(head_in("f(int n) {\n}\n") == FunctionHead{});
  CHECK(head_in(std::string(500, 'x') + " f(int n) {\n}\n") == FunctionHead{});
  CHECK(head_in("template <int N\nint f(int n) {\n}\n") == FunctionHead{});
}

TEST_CASE("a long text before a function is read all the same", "[source]") {
  std::string macro = "#define LONG";
  for (int i = 0; i < 100'000; ++i) macro += " \\\n  x;";
  CHECK(head_in(macro + "\nint f(int n) {\n}\n").result == "int");
  CHECK(head_in(std::string(1 << 20, ' ') + "f(int n) {\n}\n") == FunctionHead{});
}

}  // namespace cudalabs
