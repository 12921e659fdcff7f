// Two names for parts of one array, as a source has them.
#include "source/overlapping_arrays.h"

#include "catch.h"

using namespace cudalabs;

namespace {

/// The second line sets `sb` to `value`; the stores are in lines 3 and 4.
std::optional<OverlappingArrays> with(const std::string& value) {
  return overlapping_arrays(
      "float* sa = smem;\nfloat* sb = " + value + ";\nsa[y * w + x] = a[i];\nsb[y * w + x] = b[i];\n", 4, 3);
}

}  // namespace

TEST_CASE("a pointer that begins inside an array shares its elements") {
  for (const char* value : {"smem + w", "sa + w", "&sa[w]", "& smem[w * 2]"}) {
    CAPTURE(value);
    const auto found = with(value);
    REQUIRE(found);
    CHECK(found->first == "sa");
    CHECK(found->second == "sb");
    CHECK(found->second_set.line == 2);
  }
  const auto fixed =
      overlapping_arrays("__shared__ float all[64];\n  float* half = all + 16;\n  all[t] = 0;\n  half[t] = 1;\n", 3, 4);
  REQUIRE(fixed);
  CHECK(fixed->first == "all");
  CHECK(fixed->second_set.line == 2);
}

TEST_CASE("pointers of which nothing is known share nothing") {
  for (const char* value : {"other + w", "smem", "sa", "f(sa + w)", "w + x"}) {
    CAPTURE(value);
    CHECK_FALSE(with(value));
  }
  // Set twice, not stored to, or one array.
  CHECK_FALSE(overlapping_arrays("float* sb = sa + w;\nsb = sa + v;\nsa[x] = 0;\nsb[x] = 0;\n", 3, 4));
  CHECK_FALSE(overlapping_arrays("float* sb = sa + w;\nsa[x] = 0;\nsum += sb[x];\n", 2, 3));
  CHECK_FALSE(overlapping_arrays("float* sb = sa + w;\nsa[x] = 0;\nif (sb[x] == 0) return;\n", 2, 3));
  CHECK_FALSE(overlapping_arrays("sa[x] = 0;\nsa[y] = 0;\n", 1, 2));
  CHECK_FALSE(overlapping_arrays("sa[x] = 0;\n", 1, 2));
  CHECK_FALSE(overlapping_arrays("sa[x = 0;\nsb[", 1, 2));
}
