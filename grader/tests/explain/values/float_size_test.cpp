// Numbers of elements that were made `float`.
#include "explain/values/float_size.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_float_size {
namespace {

std::string with(const std::string& statement) {
  return "__global__ void k(float* c, int n) { c[0] = static_cast<float>(n) / 3; }\nvoid add(int n) {\n  " + statement +
         "\n  k<<<blocks, 256>>>(c, n);\n}\n";
}

std::uint32_t line_of(const std::string& statement) {
  const auto found = only_float_size(with(statement));
  return found ? found->line : 0;
}

MergedFinding shown(const std::string& source, const std::optional<MissingWhenTimed>& missing) {
  MergedFinding finding;
  finding.id = finding_ids::kWrongWhenTimed;
  finding.where = {"k.cu", 4, 0};
  finding.missing = missing;
  finding.help = "as before";
  std::vector<MergedFinding> findings{finding};
  show_float_sizes(findings, source, "k.cu");
  return findings.front();
}

const std::string kCeil = with("int blocks = std::ceil(static_cast<float>(n) / 256);");

}  // namespace

TEST_CASE("a number of elements that is made a float is found, however that is written") {
  CHECK(only_float_size(kCeil) == Setting{{"float"}, 3, 38});
  CHECK(line_of("int blocks = ceil((float)n / 256);") == 3);
  CHECK(line_of("int blocks = ceilf(float(n) / 256);") == 3);
  CHECK(line_of("int blocks = (n + 255) / 256.0f;") == 3);
  CHECK(line_of("int blocks = ceil(n / 256.f);") == 3);
  CHECK(only_float_size(with("int blocks = ceilf(n / 256.0);"))->names.front() == "ceilf");
  CHECK(only_float_size(with("int blocks = ceilf((float)n / 256);"))->names.front() == "float");
  CHECK(line_of("int blocks = (float)(n + 255) / 256.0f;") == 3);  // twice in one line
}

TEST_CASE("a variable that is a float makes one of what it divides, or is divided") {
  CHECK(only_float_size(with("constexpr float t = 256.0f; int blocks = ceil(n / t);"))->names.front() == "t");
  CHECK(line_of("const float t = 256;\n  int blocks = ceil(n / t);") == 4);
  CHECK(line_of("float size = n;\n  int blocks = ceil(size / 256);") == 4);
  CHECK(line_of("const double t = 256.0; int blocks = ceil(n / t);") == 0);
  CHECK(line_of("const float* t = 0; int blocks = n / t[0];") == 0);
  CHECK(line_of("float t = 1; int blocks = n / s.t;") == 0);
  CHECK(line_of("float t = 1; int blocks = s.t / 2;") == 0);
  CHECK(line_of("float t(int); int blocks = n / t(1);") == 0);
  CHECK(line_of("float t = 1; { int t = 256; blocks = n / t; }") == 0);
  CHECK(line_of("float t = 256; int x = n / t;\n  int y = m / t;") == 0);  // in several lines
  CHECK(line_of("return t; float t = 256; int x = n / t;") == 3);
}

TEST_CASE("a float that divides nothing, is of the device, or is one of several, is none") {
  CHECK(line_of("int blocks = (n + 255) / 256;") == 0);
  CHECK(line_of("int blocks = ceil(static_cast<double>(n) / 256);") == 0);
  CHECK(line_of("int blocks = ceil(n / 256.0);") == 0);
  CHECK(line_of("size_t bytes = n * sizeof(float);") == 0);
  CHECK(line_of("float x = 3; int blocks = n / 256;") == 0);
  CHECK(line_of("print((float)n);") == 0);
  CHECK(line_of("auto p = static_cast<float*>(q) + n / 2;") == 0);
  CHECK(line_of("f(float); int x = (float)n / 2;\n  int y = (float)m / 2;") == 0);
}

TEST_CASE("the line is shown where the float of the size leaves the missing element out") {
  const MergedFinding made = shown(kCeil, MissingWhenTimed{{{"n", 16777473}}, 16777472});
  CHECK(made.where == SourcePlace{"k.cu", 3, 38});
  REQUIRE(made.other);
  CHECK(made.other->place.line == 4);
  CHECK(made.help ==
        "a `float` holds every integer only up to 16777216: of n = 16777473 it makes 16777472, so that the number of "
        "blocks is too small; compute it with integers, `(size + block - 1) / block`");
  CHECK(shown(with("int blocks = ceilf(n / 256.0);"), MissingWhenTimed{{{"n", 16777473}}, 16777472})
            .help.starts_with(
                "`ceilf` gets a `float`, whose 24 bits leave no room for the fraction of so large a number: "
                "with n = 16777473 it is cut off"));
  CHECK(shown(with("const float t = 256; int blocks = ceil(n / t);"), MissingWhenTimed{{{"n", 16777473}}, 16777472})
            .help.starts_with("`t` is a `float`, and a `float` holds every integer only up to 16777216: of n = "));
  CHECK(shown(kCeil, MissingWhenTimed{{{"m", 3}, {"n", 33554689}}, 33554688}).where.line == 3);
}

TEST_CASE("where the float keeps the size, or more is missing than it loses, something else is wrong") {
  for (const std::int64_t size : {16777472, 16777475})
    CHECK(shown(kCeil, MissingWhenTimed{{{"n", size}}, size - 1}).help == "as before");
  CHECK(shown(kCeil, MissingWhenTimed{{{"n", 16777473}}, 65536}).help == "as before");
  CHECK(shown(kCeil, MissingWhenTimed{{}, 16777472}).help == "as before");
  CHECK(shown(kCeil, std::nullopt).help == "as before");
}

TEST_CASE("a long text of casts is read all the same") {
  std::string many = "void f(int n) {";
  for (int i = 0; i < 50'000; ++i) many += "x = (float)n / 3.0f;";
  CHECK(only_float_size(many + "}")->line == 1);
  CHECK_FALSE(only_float_size("void f() {" + std::string(1 << 20, '/')));
  std::string divisions = "float t = 2; int s = 1; void f() {";
  while (divisions.size() < 1 << 20) divisions += "t / t; s / s;";
  CHECK(only_float_size(divisions + "}")->line == 1);
}

}  // namespace cudalabs::test::of_float_size
