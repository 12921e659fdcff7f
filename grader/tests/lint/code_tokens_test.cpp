// Samples as tokens: what is equal whatever its format, what of a file the device has, and where two differ.
#include "lint/code_tokens.h"

#include <string>
#include <string_view>
#include <vector>

#include "catch.h"

using namespace cudalabs::lint;

namespace {

using Tokens = std::vector<std::string>;

std::size_t places(std::string_view one, std::string_view other) {
  return places_of_difference(tokens_of(one), tokens_of(other));
}

bool same_device_code(std::string_view one, std::string_view other) {
  return device_tokens(tokens_of(one)) == device_tokens(tokens_of(other));
}

const std::string kKernel =
    "#include <cuda_runtime.h>\n__global__ void twice(float* x, int n) {\n  if (n > 0) { x[0] *= 2.0f; }\n}\n";

}  // namespace

TEST_CASE("tokens are words, numbers, texts and signs, without comments and spacing") {
  CHECK(tokens_of("int a=1'000; // one\n/* two\n*/ s = \"a // \\\" b\"; c = '\"';") ==
        Tokens{"int", "a", "=", "1'000", ";", "s", "=", "\"a // \\\" b\"", ";", "c", "=", "'\"'", ";"});
  CHECK(tokens_of("x = 0.5f + .5;") == Tokens{"x", "=", "0.5f", "+", ".", "5", ";"});
  CHECK(tokens_of("").empty());
  CHECK(tokens_of("\"no end") == Tokens{"\"no end"});
  CHECK(tokens_of("/* no end") == Tokens{});
}

TEST_CASE("a line of the preprocessor is one token, with the lines it goes on in") {
  CHECK(tokens_of("#define  A(x)   \\\n  ((x) + 1)  // more\nint a;") ==
        Tokens{"#define A(x) ((x) + 1)", "int", "a", ";"});
}

TEST_CASE("the device's code is the same whatever the host does, and whatever the format") {
  const std::string host = "static void run() { twice<<<1, 2>>>(nullptr, 1); }\n";
  const std::string other_host =
      "#include <cstdio>\nnamespace {\nint run(int n) { if (n) { return 1; } return 2; }\n}\n";
  CHECK(same_device_code(kKernel, kKernel + host));
  CHECK(same_device_code("namespace {\n}\n" + kKernel, other_host + kKernel));
  CHECK(same_device_code(kKernel, "__global__ void twice(float *x,int n)\n{ if (n>0) {x[0]*=2.0f;} } // twice\n"));
}

TEST_CASE("the device's code differs by its functions, by what stands outside of functions, and by templates") {
  const std::string host = "void run() { twice<<<1, 2>>>(nullptr, 1); }\n";
  CHECK_FALSE(same_device_code(kKernel, "__global__ void twice(float* x, int n) { if (n > 1) { x[0] *= 2.0f; } }\n"));
  CHECK_FALSE(same_device_code(kKernel, "__device__ float one() { return 1; }\n" + kKernel));
  CHECK_FALSE(same_device_code("constexpr int kBlock = 1;\n" + kKernel, "constexpr int kBlock = 2;\n" + kKernel));
  CHECK_FALSE(same_device_code("#define BLOCK 1\n" + kKernel, "#define BLOCK 2\n" + kKernel));
  const std::string of_template = "template <int K> __global__ void some(float* x) { x[0] = K; }\n";
  CHECK_FALSE(same_device_code(of_template + "void run() { some<1><<<1, 2>>>(nullptr); }\n",
                               of_template + "void run() { some<2><<<1, 2>>>(nullptr); }\n"));
  CHECK(same_device_code(of_template + host, of_template + host));
}

TEST_CASE("codes that differ in their format alone differ nowhere") {
  CHECK(places("int a = 1;  // one", "int a\n=1;") == 0);
  CHECK(places("", "") == 0);
}

TEST_CASE("differences with less than a line of code between them are one place") {
  const std::string line = "a = b + c; d = e + f; ";
  CHECK(places("x;", "y;") == 1);
  CHECK(places("x; " + line, "y; " + line) == 1);
  CHECK(places("x; " + line + "x;", "y; " + line + "y;") == 2);
  CHECK(places("x; a = b; x;", "y; a = b; y;") == 1);
  CHECK(places("x; " + line, line) == 1);
  CHECK(places(line + "x;", line) == 1);
  CHECK(places(line + "x;" + line + "x;" + line, line + line + line) == 2);
  CHECK(places("", line) == 1);
}

TEST_CASE("a difference of many lines counts as several places") {
  std::string one, other;
  for (int i = 0; i < 100; ++i) one += "a = b + c; ", other += "while (d) ";
  CHECK(places(one, other) == 1 + (600 + 400 - 1) / kPlace);
  CHECK(places(one, "") == 1 + (600 - 1) / kPlace);
  CHECK(places("", one) == places(one, ""));
}
