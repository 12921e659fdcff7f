// Constants that do not fit in their type, on the way to a wrong output.
#include "explain/values/narrowed_value.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs {
namespace {

MergedFinding shown(std::string_view source, std::uint32_t stored) {
  std::vector<MergedFinding> findings(1);
  findings[0].id = finding_ids::kResultMismatch;
  findings[0].where = {"k.cu", stored, 1};
  findings[0].help = "as it was";
  show_narrowed_value(findings, source, "k.cu");
  return findings[0];
}

std::string label(std::string_view body, std::uint32_t stored = 5) {
  const std::string source =
      "struct Parts { int8_t red, green; int more; };\n"
      "__device__ int mix(int a, const unsigned char b) { return a * b; }\n"
      "__global__ void k(const int* in, int* out) {\n" +
      std::string(body) + "}\n";
  const MergedFinding finding = shown(source, stored);
  return finding.other ? finding.other->label : std::string();
}

const std::string kGreen = "150 does not fit in `int8_t` and becomes -106";

}  // namespace

TEST_CASE("a constant that its type cannot hold is shown with both numbers", "[explain]") {
  CHECK(label(" const int8_t w = 150;\n out[0] = w * in[0];\n") == kGreen);
  CHECK(label(" const auto w = static_cast<std::int8_t>(150);\n out[0] = w * in[0];\n") == kGreen);
  CHECK(label(" const int w = (int8_t)150;\n out[0] = w * in[0];\n") == kGreen);
  CHECK(label(" const int8_t w[] = {77, 150};\n out[0] = w[1] * in[0];\n") == kGreen);
  CHECK(label(" const Parts w = {77, 150, 500};\n out[0] = w.green * in[0];\n") == kGreen);
  CHECK(label(" const int s = mix(in[0], 300);\n out[0] = s;\n") ==
        "300 does not fit in `unsigned char` and becomes 44");
}

TEST_CASE("constants that fit, that are bits, or that the output does not depend on are not", "[explain]") {
  CHECK(label(" const int8_t w = 120;\n out[0] = w * in[0];\n").empty());
  CHECK(label(" const unsigned char w = -1;\n out[0] = w * in[0];\n").empty());
  CHECK(label(" const int8_t w = 0xff;\n out[0] = w * in[0];\n").empty());
  CHECK(label(" const int8_t w = 150;\n out[0] = in[0];\n").empty());
  CHECK(label(" const int w = 150;\n out[0] = w * in[0];\n").empty());
  CHECK(label(" const Parts w = {77, 15, 500};\n out[0] = w.more * in[0];\n").empty());
}

}  // namespace cudalabs
