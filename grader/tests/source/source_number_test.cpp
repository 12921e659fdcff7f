// What expressions of a source are worth in a launch.
#include "source/source_number.h"

#include <string>

#include "catch.h"

using namespace cudalabs;

namespace {

const std::string kCode =
    "#define SIDE 8\n"
    "constexpr int LANES = 32;\n"
    "enum { ITEMS = 4, TILE = LANES * ITEMS };\n"
    "__device__ Walk walk() {\n"
    "  const int threads = gridDim.x * blockDim.x;\n"
    "  w.step = threads / LANES;\n"
    "  int moved = 3;\n"
    "  moved += 1;\n"
    "}\n"
    "__global__ void k(float* c, int n, int threads, int pieces) {\n"
    "  const int twice = static_cast<int>(gridDim.y) * (blockDim.y + 1);\n"
    "  int other = 1;\n"
    "  if (n > 3) other = 2;\n"
    "  c[twice] = other;\n"
    "}\n"
    "void host(int n) {\n"
    "  int pieces = 7;\n"
    "}\n";

std::optional<std::int64_t> worth(const std::string& expression, std::uint32_t line) {
  const vgpu::LaunchConfig launch{{4, 3, 1}, {64, 2, 1}};
  return SourceNumbers(kCode).value(expression, line, &launch);
}

}  // namespace

TEST_CASE("constants, extents of a launch, and names that are set once have a value") {
  CHECK(worth("gridDim.x * blockDim.x", 14) == 256);
  CHECK(worth("twice", 14) == 9);
  CHECK(worth("w.step", 14) == 8);
  CHECK(worth("SIDE + (TILE - 1) / LANES", 14) == 11);
  CHECK(worth("(long long)TILE % 0x30u", 14) == 32);
  CHECK(worth("threads", 6) == 256);
  CHECK(worth("TILE + 64 >> 5", 14) == 6);
  CHECK(worth("(1 << 4) + 1", 14) == 17);
  CHECK(worth("size_t(1) << 22", 14) == 4'194'304);
  CHECK(worth("std::size_t(SIDE - 1) * int(TILE)", 14) == 896);
}

TEST_CASE("what differs, changes or is not clear has none") {
  CHECK_FALSE(worth("float(1)", 14));
  CHECK_FALSE(worth("size_t(1", 14));
  CHECK_FALSE(worth("std::max(1)", 14));
  CHECK_FALSE(worth("n", 14));
  CHECK_FALSE(worth("threads", 14));  // a parameter there
  CHECK_FALSE(worth("pieces", 14));   // the host's own is another one
  CHECK_FALSE(worth("other", 14));
  CHECK_FALSE(worth("moved", 8));
  CHECK_FALSE(worth("blockIdx.x", 14));
  CHECK_FALSE(worth("f(3)", 14));
  CHECK_FALSE(worth("4 / (SIDE - 8)", 14));
  CHECK_FALSE(worth("3 +", 14));
  CHECK_FALSE(worth("(SIDE - 20) >> 1", 14));
  CHECK_FALSE(worth("1 << (SIDE - 20)", 14));
  CHECK_FALSE(worth("1 << 41", 14));
  CHECK_FALSE(worth("3 << 40", 14));
  CHECK_FALSE(worth("1 < 4", 14));
  CHECK_FALSE(SourceNumbers(kCode).value("blockDim.x", 14, nullptr));
  CHECK_FALSE(SourceNumbers("int a = b;\nint b = a;\n").value("a", 1, nullptr));
  CHECK_FALSE(SourceNumbers(kCode).value(std::string(5000, '('), 14, nullptr));
}

TEST_CASE("a name leads to the line that sets it, also as a member") {
  const SourceNumbers numbers(kCode);
  CHECK(numbers.setting_of(" w.step ", 14)->line == 6);
  CHECK(numbers.setting_of("w.step", 14)->column == 5);
  CHECK(numbers.setting_of("twice", 14)->line == 11);
  CHECK_FALSE(numbers.setting_of("twice + 1", 14));
  CHECK_FALSE(numbers.setting_of("other", 14));
}
