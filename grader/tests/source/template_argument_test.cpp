#include "source/template_argument.h"

#include "catch.h"

namespace cudalabs::test::of_template_argument {
namespace {

constexpr std::string_view kCode =
    "constexpr int THREADS = 256;\n"
    "template <int THREADS = 128, typename T = float>\n"
    "__global__ void add(T* c, int n) {\n"
    "  c[blockIdx.x * THREADS + threadIdx.x] = n;\n"
    "}\n"
    "__global__ void plain(int THREADS) {}\n";

}  // namespace

TEST_CASE("a number that an instance of a template was made with is read from its name") {
  CHECK(template_argument(kCode, "add<128, float>", "THREADS") == 128);
  CHECK(template_argument(kCode, "(anonymous namespace)::add<64u, float>", "THREADS") == 64);
}

TEST_CASE("what is no number of the template is none of its arguments") {
  CHECK_FALSE(template_argument(kCode, "add<128, float>", "T"));
  CHECK_FALSE(template_argument(kCode, "add<128, float>", "n"));
  CHECK_FALSE(template_argument(kCode, "plain", "THREADS"));
  CHECK_FALSE(template_argument(kCode, "plain<3>", "THREADS"));
  CHECK_FALSE(template_argument(kCode, "other<128>", "THREADS"));
  CHECK_FALSE(template_argument(kCode, "add<", "THREADS"));
  CHECK_FALSE(template_argument("void add(int n) {}\nvoid add(float x) {}\n", "add<1>", "n"));
}

TEST_CASE("numbers of a template and of its types are put in the place of their names") {
  constexpr std::string_view kMembers =
      "template <int bm, int bn, int tn>\n"
      "struct Config {\n"
      "  static constexpr int BM = bm;\n"
      "  static constexpr int X = bn / tn, Y = X + LOST;\n"
      "};\n"
      "struct Plain { static constexpr int SIDE = 32; };\n"
      "template <class C, int S>\n"
      "__global__ void walk(int n) {}\n";
  const auto read = [&](std::string_view expression, const std::string& instance = "walk<Config<64, 48, 4>, 8>") {
    return with_template_numbers(kMembers, instance, expression);
  };
  CHECK(read("(n + C::BM - 1) / C::BM") == "(n + 64 - 1) / 64");
  CHECK(read("t * S + C::X") == "t * 8 + 12");
  CHECK(read("Plain::SIDE") == "32");
  CHECK(read("C::SIDE", "walk<(anonymous namespace)::Plain, 8>") == "32");
  CHECK(read("C::Y + C::BN + D::BM") == "C::Y + C::BN + D::BM");  // not known
  CHECK(read("C::BM", "walk<Config<") == "C::BM");
  CHECK(read("S", "other<1>") == "S");
}

TEST_CASE("members that are made of each other are read for a bounded time") {
  std::string code = "struct C { static constexpr int A = A + A * A, B = A + B; };\ntemplate <class T> void f() {}\n";
  CHECK(with_template_numbers(code, "f<C>", "T::A + T::B") == "T::A + T::B");
}

}  // namespace cudalabs::test::of_template_argument
