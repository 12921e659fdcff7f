// Calls of cudaMemset that set numbers, and those that set bytes.
#include "source/byte_fill.h"

#include "catch.h"

using namespace cudalabs;

TEST_CASE("a number that cudaMemset would have to set in one piece is seen") {
  CHECK(byte_fill("void f() {\n  cudaMemset(d, 128, n * sizeof(int));\n}\n") ==
        ByteFill{2, 3, "cudaMemset", "128", "int"});
  CHECK(byte_fill("check(cudaMemsetAsync(d, 1.0f,\n      sizeof(float) * n, s));\n") ==
        ByteFill{1, 7, "cudaMemsetAsync", "1.0f", "float"});
  CHECK(byte_fill("void f(int n) {\n  size_t bytes = n * sizeof(int);\n  cudaMemset(d, 1, bytes);\n}\n") ==
        ByteFill{3, 3, "cudaMemset", "1", "int"});
  CHECK(byte_fill("cudaMemset(d, 0x80, n * sizeof(T));")->value == "0x80");
  CHECK(byte_fill("cudaMemset(d, -1, n * sizeof(float));")->value == "-1");
}

TEST_CASE("bytes that are alike, arrays of bytes, other values and several such calls are not") {
  for (const char* right :
       {"cudaMemset(d, 0, n * sizeof(int));", "cudaMemset(d, 0.0f, n * sizeof(float));",
        "cudaMemset(d, 0x00, n * sizeof(double));", "cudaMemset(d, -1, n * sizeof(int));",
        "cudaMemset(d, 0xFF, n * sizeof(unsigned));", "cudaMemset(d, 128, n * sizeof(unsigned char));",
        "cudaMemset(d, 128, n);", "cudaMemset(d, value, n * sizeof(int));", "memset(d, 1, n * sizeof(int));",
        "// cudaMemset(d, 1, n * sizeof(int));", "cudaMemset(d, 1", "cudaMemset", "cudaMemset(d, 1, sizeof(",
        "cudaMemset(d, 1, n * sizeof(int)); cudaMemset(e, 1, n * sizeof(int));"}) {
    CAPTURE(right);
    CHECK_FALSE(byte_fill(right));
  }
}

TEST_CASE("among more calls than a program has, none is the only one") {
  const std::string wrong = "cudaMemset(d, 1, n * sizeof(int));\n";
  std::string calls;
  for (int i = 0; i < 63; ++i) calls += "cudaMemset(d, 0, n);\n";
  CHECK(byte_fill(calls + wrong));
  CHECK_FALSE(byte_fill(calls + "cudaMemset(d, 0, n);\n" + wrong));
}

TEST_CASE("a fill of fewer bytes than a number has is found, the only one") {
  CHECK(short_fill("void f() {\n  check(cudaMemset(d, 0, 1));\n}\n") == ByteFill{2, 9, "cudaMemset", "1", ""});
  CHECK(short_fill("cudaMemsetAsync(d, 0, 2, s);")->value == "2");
  for (const char* right : {"cudaMemset(d, 0, 4);", "cudaMemset(d, 0, n);", "cudaMemset(d, 1, sizeof(int));",
                            "cudaMemset(d, 0, 1); cudaMemset(e, 0, 1);", "cudaMemset(d, 0)"}) {
    CAPTURE(right);
    CHECK_FALSE(short_fill(right));
  }
}
