// Memory that helpers allocate for their callers.
#include "source/handed_out.h"

#include "catch.h"

namespace cudalabs::test::of_handed_out {
namespace {

std::string pointers(const std::string& helper, const std::string& body) {
  std::string found;
  for (const HandedOut& one :
       handed_out_pointers(helper + "void run(float* out) {\n" + body + "\n}\n", 3, "cudaMalloc"))
    found += one.pointer + std::to_string(one.line) + " ";
  return found;
}

const std::string kReturns =
    "float* get(int n) {\n  float* p = nullptr;\n  if (cudaMalloc(&p, n)) return nullptr;\n  return p;\n}\n";

TEST_CASE("the pointers that a helper returns are found in its callers") {
  CHECK(pointers(kReturns, "  float* a = get(1);\n  float* b;\n  b = get(2);") == "a7 b9 ");
  CHECK(pointers(kReturns, "  T* a = get<T>(1);") == "a7 ");
  CHECK(pointers(kReturns, "  s.a = get(1);\n  f(get(2));\n  if (b == get(3)) return;").empty());
  CHECK(pointers("float* get(int n) {\n  float* p = nullptr;\n  cudaMalloc(&p, n);\n  return q;\n}\n",
                 "  float* a = get(1);")
            .empty());
}

TEST_CASE("the pointers that a helper sets are found in its callers") {
  const std::string by_pointer = "int get(float** p,\n  int n) {\n  return cudaMalloc(p, n);\n}\n";
  CHECK(pointers(by_pointer, "  get(&a, 1);\n  if (get((float**)&b, 2)) return;") == "a6 b7 ");
  const std::string by_reference = "void get(int n,\n  float*& p) {\n  cudaMalloc(&p, n);\n}\n";
  CHECK(pointers(by_reference, "  get(1, a);") == "a6 ");
  CHECK(pointers("void get(int n,\n  float* p) {\n  cudaMalloc(&p, n);\n}\n", "  get(1, a);").empty());
}

TEST_CASE("many calls of a helper are read once") {
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += "  float* a = get(get(1));\n";
  CHECK_FALSE(pointers(kReturns, many).empty());
}

}  // namespace
}  // namespace cudalabs::test::of_handed_out
