// Casts to a byte whose result is divided.
#include "explain/values/early_cast.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

std::string kernel_with(const std::string& statement) {
  return "using byte_t = unsigned char;\ntypedef std::uint8_t gray_t;\nconst int HALF = 128;\n"
         "__device__ byte_t mix(int r, int g) {\n  " +
         statement + "\n}\n";
}

std::uint32_t line_of(const std::string& statement) {
  const auto cast = only_early_cast(kernel_with(statement));
  return cast ? cast->line : 0;
}

}  // namespace

TEST_CASE("a cast to a byte before a division is found, however it is written") {
  CHECK(only_early_cast(kernel_with("return (byte_t)(77 * r + 150 * g) / 256;")) ==
        EarlyCast{"byte_t", "256", 5, 10, false});
  CHECK(only_early_cast(kernel_with("return static_cast<unsigned char>(77 * r + f(g)) >> SHIFT;")) ==
        EarlyCast{"unsigned char", "SHIFT", 5, 10, true});
  CHECK(line_of("return gray_t(77 * r) / 256;") == 5);
  CHECK(line_of("return static_cast< std::uint8_t >(r + g) / n;") == 5);
}

TEST_CASE("a cast of the quotient, of a wider type, or of nothing that is divided is none") {
  CHECK(line_of("return (byte_t)((77 * r + 150 * g) / 256);") == 0);
  CHECK(line_of("return (int)(77 * r) / 256;") == 0);
  CHECK(line_of("return (byte_t)(77 * r);  // / 256") == 0);
  CHECK(line_of("return f(77 * r) / 256;") == 0);
  CHECK(line_of("return reinterpret_cast<unsigned char>(r) / 2;") == 0);
  CHECK(line_of("(byte_t)(r) /= 2; x = (byte_t)(r) >>= 1;") == 0);
  CHECK(line_of("return (byte_t)(r) / 2 + (byte_t)(g) / 2;") == 0);  // which?
  CHECK_FALSE(only_early_cast("unsigned char host(int r) { return (unsigned char)(r) / 2; }\n"));
  CHECK_FALSE(only_early_cast("__global__ void k() { x = (char)("));
}

TEST_CASE("the cast is the place of values that are made there, and of no others") {
  const std::string source = kernel_with("return (byte_t)(77 * r) / 256;") + "void k() {\n  out[i] = mix(1, 2);\n}\n";
  const auto shown = [&](std::uint32_t made, std::string_view id) {
    MergedFinding finding;
    finding.id = id;
    finding.where = {"picture.cu", 8, 10};
    finding.help = "as it was";
    if (made != 0) finding.other = OtherPlace{"`mix` returns this", {"picture.cu", made, 3}, {}, {}};
    std::vector<MergedFinding> findings{finding};
    show_early_casts(findings, source, "picture.cu");
    return findings.front();
  };
  const MergedFinding made_there = shown(5, finding_ids::kResultMismatch);
  CHECK(made_there.where.line == 5);
  REQUIRE(made_there.other);
  CHECK(made_there.other->place.line == 8);
  CHECK(
      made_there.help ==
      "the cast to `byte_t` comes before `/ 256` in line 5: it keeps the last 8 bits of the value, and only these are "
      "divided; put the division into the brackets of the cast");
  CHECK(shown(4, finding_ids::kResultMismatch).help == "as it was");
  CHECK(shown(0, finding_ids::kResultMismatch).help == "as it was");
  CHECK(shown(5, finding_ids::kGlobalRace).help == "as it was");
}

}  // namespace cudalabs::test
