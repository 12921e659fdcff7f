// Lines that only the text leads to.
#include "explain/places/cause_line.h"

#include "catch.h"
#include "check/origin_place.h"
#include "explain/places/signed_type.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;

namespace {

std::uint32_t line_of(const std::optional<Setting>& setting) {
  return setting ? setting->line : 0;
}

}  // namespace

TEST_CASE("the declaration of a thread's own array is found, a shared one is not") {
  const std::string source =
      "__global__ void k(float* c) {\n"
      "  __shared__ float both[9];\n"
      "  float tile_a[16][16], tile_b[16];\n"
      "  both[1] = tile_a[threadIdx.y][0];\n"
      "  tile_b[threadIdx.x] = 1;\n"
      "  both[0] = 2;\n"
      "}\n";
  CHECK(own_array_of(source, 4)->line == 3);
  CHECK(own_array_of(source, 5)->column == 25);
  CHECK_FALSE(own_array_of(source, 6));
  CHECK_FALSE(own_array_of(source, 99));
}

TEST_CASE("the only return at zero is found, on the host") {
  const auto line_in = [](const std::string& body) {
    return line_of(only_return_at_zero("__global__ void k(int n) {\n  if (n == 0) return;\n}\nvoid f(int n) {\n" +
                                       body + "  k<<<1, 1>>>(n);\n}\n"));
  };
  CHECK(line_in("  if (n == 0) return;\n") == 5);
  CHECK(line_in("  if (n <= 0) {\n    return;\n  }\n") == 5);
  CHECK(line_in("  if (!(n > 0)) return;\n") == 5);
  CHECK(line_in("  if (!n) return;\n") == 5);
  CHECK(line_in("  // if (n == 0) return;\n") == 0);
  CHECK(line_in("  if (n == 01) return;\n") == 0);
  CHECK(line_in("  if (n == 0) n = 1;\n") == 0);
  CHECK(line_in("  if (n == 0) returns();\n") == 0);
  CHECK(line_in("  if (!ok()) return;\n") == 0);
  CHECK(line_in("  if (n == 0) return;\n  if (n < 1) return;\n") == 0);
}

TEST_CASE("the only static variable of a function is found") {
  CHECK(line_of(only_static_variable("static int all;\nvoid f() {\n  static int kept = 1;\n}\n")) == 3);
  CHECK(line_of(only_static_variable("namespace {\nstatic int all;\n}\n")) == 0);
  CHECK(line_of(only_static_variable("void f() {\n  static constexpr int kSize = 1;\n}\n")) == 0);
  CHECK(line_of(only_static_variable("void f() {\n  static int a;\n  static int b;\n}\n")) == 0);
}

TEST_CASE("a sum that begins anew is found between the loop and what adds to it") {
  const std::string source =
      "__global__ void k(float* c) {\n"
      "  float sum = 0;\n"
      "  for (int t = 0; t < 3; ++t) {\n"
      "    sum = 0;\n"
      "    for (int k = 0; k < 3; ++k) sum += k;\n"
      "  }\n"
      "  c[0] = sum;\n"
      "}\n";
  CHECK(line_of(restart_of(source, {"sum"}, 5, 3)) == 4);
  CHECK(line_of(restart_of(source, {"sum"}, 3, 0)) == 2);
  CHECK(line_of(restart_of(source, {"sum"}, 3, 2)) == 0);
  CHECK(line_of(restart_of("c = c + 1;\n", {"c"}, 1, 0)) == 0);

  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"k.cu", 7, 8};
  finding.detector = "product_sums_last_tile";
  finding.other = OtherPlace{"the loop begins here", {"k.cu", 3, 1}, {}, {}};
  std::vector<MergedFinding> findings{finding};
  show_cause_lines(findings, source, "k.cu", {});
  CHECK(findings[0].where.line == 4);
  CHECK(findings[0].other->place.line == 7);
  // Without the loop nobody knows which of the lines begins anew.
  findings = {finding};
  findings[0].other.reset();
  show_cause_lines(findings, source, "k.cu", {});
  CHECK(findings[0].where.line == 7);
}

TEST_CASE("a value that is set where it should be added to is shown there") {
  const auto line_in = [](const std::string& statement) {
    MergedFinding finding;
    finding.id = finding_ids::kResultMismatch;
    finding.where = {"k.cu", 5, 8};
    finding.detector = "product_keeps_last";
    std::vector<MergedFinding> findings{finding};
    show_cause_lines(findings,
                     "void k() {\n  float sum = 0;\n  for (int i = 0; i < n; ++i)\n" + statement + "  c[0] = sum;\n}\n",
                     "k.cu", {});
    return findings[0].where.line;
  };
  CHECK(line_in("    sum = a[i] * b[i];\n") == 4);
  CHECK(line_in("    sum += a[i] * b[i];\n") == 5);
}

TEST_CASE("elements read at wrong places lead to where the index is set, else to where they are read") {
  const auto found = [](const std::string& set) {
    MergedFinding finding;
    finding.id = finding_ids::kResultMismatch;
    finding.where = {"k.cu", 5, 8};
    finding.detector = "sum_with_gaps";
    finding.other = OtherPlace{"", {"k.cu", 4, 12}, {}, {}, PlaceRole::reading};
    std::vector<MergedFinding> findings{finding};
    show_cause_lines(findings,
                     "__global__ void k() {\n" + set + "  float x = 0;\n  if (i < n) x = in[i];\n  out[b] = x;\n}\n",
                     "k.cu", {});
    return std::pair(findings[0].where.line, findings[0].other->place.line);
  };
  CHECK(found("  int i = blockIdx.x * 8;\n") == std::pair(2u, 4u));
  CHECK(found("\n") == std::pair(4u, 5u));
}

TEST_CASE("what goes wrong at the second call leads to what is kept from the first") {
  MergedFinding wrong;
  wrong.id = finding_ids::kUnwrittenOutput;
  wrong.right_at_first = true;
  wrong.where = {"k.cu", 1, 1};
  MergedFinding read;
  read.id = finding_ids::kUninitializedRead;
  read.right_at_first = true;
  read.where = wrong.where;
  std::vector<MergedFinding> findings{wrong, read};
  show_cause_lines(findings, "// kernel\nvoid f(int n) {\n  static int kept = n;\n}\n", "k.cu", {});
  CHECK(findings[0].where.line == 3);
  CHECK(findings[0].other->place.line == 1);
  CHECK(findings[1].where.line == 1);
  CHECK(findings[1].other->place.line == 3);
}

TEST_CASE("of two arrays whose size the launch gives the second one is shown") {
  const std::string two = "extern __shared__ float a[];\nextern __shared__ float b[];\n";
  const std::string both = "__global__ void k(float* c) {\n  a[0] = 1;\n  b[0] = 2;\n  c[0] = a[0];\n}\n";
  const auto second = second_dynamic_array(two + both);
  REQUIRE(second);
  CHECK(second->names == std::vector<std::string>{"a", "b"});
  CHECK(second->line == 2);
  CHECK_FALSE(second_dynamic_array("extern __shared__ float a[];\n" + both));
  CHECK_FALSE(second_dynamic_array(two + "void f() {\n  a[0] = 1;\n}\nvoid g() {\n  b[0] = 2;\n}\n"));
  CHECK_FALSE(second_dynamic_array("__shared__ float a[2];\n__shared__ float b[2];\n" + both));

  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.message = "`c` is wrong";
  finding.where = {"k.cu", 6, 3};
  const auto shown = [&](const MergedFinding& of) {
    std::vector<MergedFinding> findings{of};
    show_cause_lines(findings, two + both, "k.cu", {});
    return findings[0];
  };
  CHECK(shown(finding).where.line == 2);
  CHECK(shown(finding).other->place.line == 6);
  CHECK(shown(finding).message == "`c` is wrong; `a` and `b` lie at the same place");
  finding.detector = "sum_with_gaps";  // what the values tell says more
  CHECK(shown(finding).where.line == 6);
  finding.detector.clear();
  finding.id = finding_ids::kSharedRace;
  CHECK(shown(finding).where.line == 6);
}

TEST_CASE("bytes that are taken as signed lead to the only type that makes them so") {
  const std::string kernel = "__global__ void k(const unsigned char* in, unsigned char* out) {\n";
  const std::string access = "  out[0] = p[0];\n}\n";
  CHECK(line_of(only_signed_char(kernel + "  const char* p = (const char*)in;  // char\n" + access)) == 2);
  CHECK(line_of(only_signed_char(kernel + "  auto p = reinterpret_cast<const std::int8_t*>(in);\n" + access)) == 2);
  CHECK(line_of(only_signed_char(kernel + access)) == 0);
  const std::string on_host = "void say(const char* text) {\n  const char* p = text;\n}\n";
  CHECK(line_of(only_signed_char(on_host + kernel + "  char* p = (char*)in;\n" + access)) == 5);
  CHECK(line_of(only_signed_char(kernel + "  char x = in[0];\n  char y = in[1];\n" + access)) == 0);

  MergedFinding finding;
  finding.id = finding_ids::kResultMismatch;
  finding.where = {"k.cu", 3, 10};
  finding.detector = "gray_of_signed_bytes";
  std::vector<MergedFinding> findings{finding};
  show_cause_lines(findings, kernel + "  signed char* p = (signed char*)in;\n" + access, "k.cu", {});
  CHECK(findings[0].where.line == 2);
  CHECK(findings[0].other->place.line == 3);
}
