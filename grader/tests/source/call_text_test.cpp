// Calls of the runtime in a program's text.
#include "source/call_text.h"

#include "catch.h"

namespace cudalabs::test::of_call_text {
namespace {

ResultUse use(const std::string& line) {
  return use_of_result("void f() {\n" + line + "\n}\n", 2, "cudaDeviceSynchronize");
}

const std::string kHelper = R"(bool ok() {
  return cudaGetLastError() == cudaSuccess;
}
void f(float* a, int n) {
  float* d_sums;
  if (cudaMalloc(&d_sums, n) != cudaSuccess) return;
  k<<<1, n>>>(a, d_sums);
  if (!ok()) return;
  cudaFree(d_sums);
}
void g(float* d_sums) {
  cudaFree(d_sums);
}
)";

}  // namespace

TEST_CASE("a result is used where the call is part of an expression") {
  CHECK(use("  const cudaError_t error = cudaDeviceSynchronize();") == ResultUse::used);
  CHECK(use("  CHECK(cudaDeviceSynchronize());") == ResultUse::used);
  CHECK(use("  return cudaDeviceSynchronize();") == ResultUse::used);
  CHECK(use("  if (cudaDeviceSynchronize() != cudaSuccess) return;") == ResultUse::used);
  CHECK(use("  const bool fine =\n      ok(cudaDeviceSynchronize());") == ResultUse::used);
}

TEST_CASE("a result is dropped where the call is a statement of its own") {
  CHECK(use("  cudaDeviceSynchronize();") == ResultUse::dropped);
  CHECK(use("  (void)cudaDeviceSynchronize();") == ResultUse::dropped);
  CHECK(use("  if (n > 0) cudaDeviceSynchronize();") == ResultUse::dropped);
  CHECK(use("  else cudaDeviceSynchronize();") == ResultUse::dropped);
}

TEST_CASE("of a call that the statement does not have, or has twice, nothing is known") {
  CHECK(use("  WAIT();") == ResultUse::unknown);
  CHECK(use("  a = cudaDeviceSynchronize() + cudaDeviceSynchronize();") == ResultUse::unknown);
  CHECK(use("  case 1: cudaDeviceSynchronize();") == ResultUse::unknown);
  CHECK(use("  cudaDeviceSynchronize(") == ResultUse::unknown);
  CHECK(use_of_result("int a;\n", 7, "f") == ResultUse::unknown);
  CHECK(use_of_result("int a;\n", 0, "f") == ResultUse::unknown);
}

TEST_CASE("a later call is looked for in the same function") {
  CHECK(later_call(kHelper, 8, "cudaFree", "d_sums") == 9);
  CHECK(later_call(kHelper, 8, "cudaFree", "") == 9);
  CHECK(later_call(kHelper, 8, "cudaFree", "other") == 0);
  CHECK(later_call(kHelper, 9, "cudaFree", "d_sums") == 0);
  CHECK(later_call(kHelper, 2, "cudaFree", "d_sums") == 0);
  CHECK(later_call("void f() {\n  cudaFree(a;\n  cudaFree(a);\n}\n", 1, "cudaFree", "a") == 0);
}

TEST_CASE("the pointer that an allocation sets is told") {
  const auto pointer = [](const std::string& line) { return allocated_pointer(line, 1, "cudaMalloc"); };
  CHECK(pointer("check(cudaMalloc(&sums, n * sizeof(T)), \"cudaMalloc\");\n") == "sums");
  CHECK(pointer("if (OK(cudaMalloc(&p, n))) {\n  if (OK(cudaMalloc(&q, n))) f();\n}\n") == "p");
  CHECK(pointer("check(cudaMalloc(&p, sizeof(T{})));") == "p");
  CHECK(pointer("a = cudaMalloc(&p, n), b = cudaMalloc(&q, n);").empty());
  CHECK(pointer("CHECK(cudaMalloc(&d_a, n * sizeof(float)));") == "d_a");
  CHECK(pointer("cudaMalloc((void**)&d_a, n);") == "d_a");
  CHECK(pointer("cudaMalloc(reinterpret_cast<void**>(&d_a), n);") == "d_a");
  CHECK(pointer("cudaMalloc(&d.a, n);") == "d.a");
  CHECK(pointer("cudaMalloc(&d[1], n);").empty());
  CHECK(pointer("cudaMalloc(p, n);").empty());
  CHECK(pointer("allocate(&d_a, n);").empty());
}

TEST_CASE("an element that an allocation sets is told by its number") {
  const auto element = [](const std::string& line) { return allocated_element(line, 1, "cudaMalloc"); };
  CHECK(element("err = cudaMalloc((void **)&buf[0], (size_t)n * sizeof(T));") == "buf[0]");
  CHECK(element("cudaMalloc(&d[i], n);").empty());
  CHECK(element("cudaMalloc(&d[1][2], n);").empty());
  CHECK(element("cudaMalloc(&d[], n);").empty());
  CHECK(element("cudaMalloc(&d.a[1], n);").empty());
  CHECK(element("cudaMalloc(&p, n);").empty());
}

TEST_CASE("a call in a helper is reached from where the helper is called") {
  CHECK(line_in_function_of(kHelper, 6, 7, 0) == 7);
  CHECK(line_in_function_of(kHelper, 6, 2, 8) == 8);
  CHECK(line_in_function_of(kHelper, 6, 2, 9) == 0);  // no call of the helper
  CHECK(line_in_function_of(kHelper, 6, 2, 12) == 0);
  CHECK(line_in_function_of(kHelper, 6, 0, 8) == 0);
  CHECK(line_in_function_of(kHelper, 0, 7, 0) == 0);
}

TEST_CASE("a call in a helper is reached from a member function") {
  const std::string code =
      "void check() {\n  cudaDeviceSynchronize();\n}\ntemplate <class T>\nstruct Adder {\n  void run() const {\n"
      "    k<<<1, 1>>>();\n    check();\n  }\n  void other() {\n    check();\n  }\n};\n";
  CHECK(line_in_function_of(code, 7, 2, 8) == 8);
  CHECK(line_in_function_of(code, 7, 8, 0) == 8);
  CHECK(line_in_function_of(code, 7, 2, 11) == 0);
  CHECK(line_in_function_of(code, 5, 2, 8) == 0);
}

TEST_CASE("a call in a macro's definition is found from a line that uses the macro") {
  const std::string source =
      "#define CHECK(call) \\\n  if ((call) != cudaSuccess) { \\\n    exit(1); \\\n  }\n"
      "#define LOOK(call) (call)\nvoid f() {\n  CHECK(cudaFree(a));\n  LOOK(cudaFree(a));\n  exit(1);\n  "
      "CHECK(exit(1));\n}\n";
  CHECK(call_by_macro(source, 7, "exit") == MacroCall{"CHECK", 3});
  CHECK_FALSE(call_by_macro(source, 8, "exit"));
  CHECK_FALSE(call_by_macro(source, 9, "exit"));
  CHECK_FALSE(call_by_macro(source, 10, "exit"));
  CHECK_FALSE(call_by_macro(source, 99, "exit"));
}

}  // namespace cudalabs::test::of_call_text
