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

}  // namespace cudalabs::test::of_template_argument
