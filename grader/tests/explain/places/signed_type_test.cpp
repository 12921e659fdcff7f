// Types that make bytes from 128 on negative.
#include "explain/places/signed_type.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_signed_type {
namespace {

/// "uchar3 for char3 in 1 and 3"; empty: nothing is known.
std::string type_in(const std::string& source) {
  const auto found = only_signed_type(source);
  if (!found) return {};
  const std::string other = found->other == 0 ? "" : " and " + std::to_string(found->other);
  return found->instead + " for " + found->spelling + " in " + std::to_string(found->first.line) + other;
}

const std::string kWalk =
    "template <typename T>\n__global__ void walk(const T* from, unsigned char* to) {\n"
    "  to[0] = gray(from[0]);\n}\n";
const std::string kGray = "struct Gray {\n  __device__ int operator()(char3 color) const { return color.x; }\n};\n";
const std::string kHost = "void f(const unsigned char* rgb) {\n  launch(reinterpret_cast<const char3*>(rgb));\n}\n";

MergedFinding shown(const std::string& source) {
  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"k.cu", 3, 9};
  finding.help = "as before";
  show_signed_type(finding, source);
  return finding;
}

}  // namespace

TEST_CASE("vectors of signed bytes are found, in heads of functions and where the host casts") {
  CHECK(type_in(kWalk + kGray + kHost) == "uchar3 for char3 in 6 and 9");
  CHECK(type_in(kHost + kGray) == "uchar3 for char3 in 5 and 2");
  CHECK(type_in(kHost) == "uchar3 for char3 in 2");
  CHECK(type_in("__global__ void k(const char4* in) {\n  use(in[0]);\n}\n") == "uchar4 for char4 in 1");
}

TEST_CASE("plain types are found in the heads of kernels, and in casts of the host") {
  CHECK(type_in("__global__ void k(const signed char* in) {\n  use(in[0]);\n}\n") ==
        "unsigned char for signed char in 1");
  CHECK(type_in("__global__ void k(const std::int8_t* in) {\n  use(in[0]);\n}\nvoid f() {\n  k<<<1, "
                "1>>>((int8_t*)d);\n}\n") == "uint8_t for int8_t in 1 and 5");
  CHECK(type_in("__device__ int gray(char r) {\n  return r;\n}\nvoid f(const char* what) {\n  say(what);\n}\n") ==
        "unsigned char for char in 1");
  CHECK(type_in("void f(const unsigned char* d) {\n  g((const char*)d);\n}\n") == "unsigned char for char in 2");
}

TEST_CASE("texts of the host and of the device, and several types, say nothing") {
  CHECK(type_in("void f(const char* what) {\n  say(what);\n  int n = sizeof(char*);\n}\n").empty());
  CHECK(type_in("__device__ void say(const char* what) {\n  print(what);\n}\n").empty());
  CHECK(type_in(kGray + "__global__ void k(const char* in) {\n}\n").empty());
  CHECK(type_in("__global__ void k(const char* in) {\n  char x = 1;\n  char y = 2;\n}\n").empty());
  CHECK(type_in("__global__ void k(const unsigned char* in, const uchar3* more) {\n}\n// char3\n").empty());
  CHECK(type_in("__global__ void k(const chart* in, char30 x) {\n}\n").empty());
}

TEST_CASE("the declaration to change is shown, and the other line told") {
  const MergedFinding made = shown(kWalk + kGray + kHost);
  CHECK(made.where == SourcePlace{"k.cu", 6, 29});
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 3, 9});
  CHECK(made.help ==
        "a colour is 0 to 255, and each member of a `char3` is from -128 to 127: write `uchar3` in its place, here and "
        "in line 9");
  CHECK(shown("__global__ void k(const char* in) {\n  char x = in[0];\n}\n").help ==
        "a colour is 0 to 255, and a `char` holds numbers from -128 to 127: write `unsigned char` in its place, here "
        "and in line 2");
  // What the lab says of one line is enough.
  const MergedFinding plain = shown("__global__ void k(const unsigned char* in) {\n  char x = in[0];\n}\n");
  CHECK(plain.where.line == 2);
  CHECK(plain.help == "as before");
  CHECK(shown(kWalk) == shown(""));
}

TEST_CASE("a long text of types is read all the same") {
  std::string many;
  for (int i = 0; i < 60'000; ++i) many += "(char*)(const char*";
  CHECK(type_in(many) == "unsigned char for char in 1");
  std::string heads;
  for (int i = 0; i < 60'000; ++i) heads += "__device__ char3 f(";
  only_signed_type(heads);
  std::string blanks = "(" + std::string(1 << 20, ' ') + "char";
  only_signed_type(blanks);
  std::string words;
  for (int i = 0; i < 100'000; ++i) words += "char const\n";
  CHECK(type_in(words + "void f() {}\n").empty());
}

}  // namespace cudalabs::test::of_signed_type
