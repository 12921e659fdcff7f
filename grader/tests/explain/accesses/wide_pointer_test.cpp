// Pointers of kernels that were cast to vector types.
#include "explain/accesses/wide_pointer.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

std::string kernel(const std::string& cast, const std::string& use) {
  return "__global__ void k(const unsigned char* rgb, float4* quads) {\n  " + cast + "\n  " + use + "\n}\n";
}

std::string type_in(const std::string& cast, const std::string& use) {
  const auto found = wide_pointer_in(kernel(cast, use), 3);
  return found ? found->type : "";
}

}  // namespace

TEST_CASE("a cast to a vector type is found from what is read through it") {
  CHECK(type_in("const uchar4* p = reinterpret_cast<const uchar4*>(rgb);", "uchar4 x = p[i];") == "uchar4");
  CHECK(type_in("auto p = (float2*)(rgb + 2);", "c[i] = p->x;") == "float2");
  CHECK(type_in("uchar4* p;  p = (uchar4 *)rgb;", "x = *p;") == "uchar4");
  // Another pointer, no vector type, no cast, or a parameter that the host has cast.
  CHECK(type_in("auto p = (uchar4*)rgb;", "x = rgb[i];").empty());
  CHECK(type_in("auto p = (int*)rgb;", "x = p[i];").empty());
  CHECK(type_in("uchar4 p = make_uchar4(rgb[0], 0, 0, 0);", "x = p[i];").empty());
  CHECK(type_in("int i = f();", "x = quads[i];").empty());
  CHECK(type_in("auto p = (uchar4*)rgb;", "x = 2 * p;").empty());
  CHECK_FALSE(wide_pointer_in(kernel("auto p = (uchar4*)rgb;", "f();") + "void f() {\n  x = p[i];\n}\n", 6));
}

TEST_CASE("how many the array has room for stands beside the access past its end") {
  const std::string source = kernel("auto p = (const uchar4*)rgb;", "const uchar4 x = p[i];");
  MergedFinding made{finding(std::string(finding_ids::kGlobalOutOfBounds), 3), {}};
  made.where.file = "k.cu";
  made.access.array = "rgb";
  made.access.past_end_of = 768;
  MergedFinding before = made, explained = made;
  show_wide_pointer(made, source);
  REQUIRE(made.other);
  CHECK(made.other->place == SourcePlace{"k.cu", 2, 8});
  CHECK(made.other->label == "a `uchar4` has 4 bytes: `rgb` has only 192 of them");
  before.access.past_end_of = 0;  // it misses the beginning
  show_wide_pointer(before, source);
  CHECK_FALSE(before.other);
  explained.other = OtherPlace{"allocated here", {"k.cu", 9, 1}, {}, {}};
  show_wide_pointer(explained, source);
  CHECK(explained.other->label == "allocated here");
}
