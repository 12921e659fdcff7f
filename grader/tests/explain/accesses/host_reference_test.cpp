// References in what a kernel gets, and structures that hold copies.
#include "explain/accesses/host_reference.h"

#include "catch.h"
#include "source/reference_member.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kMembers = R"(template <typename T>
struct Canvas {
  const T* in;
  const int &width, &height;
  __device__ bool inside(int row, int col) const {
    return row < height && col < width;
  }
};
using FloatCanvas = Canvas<float>;
__global__ void twice(FloatCanvas canvas, float* out) {
  if (canvas.inside(0, threadIdx.x)) out[threadIdx.x] = canvas.in[threadIdx.x * canvas.width];
}
__global__ void other(float* out, const int& n) {
  if (threadIdx.x < n) out[threadIdx.x] = 1;
}
__global__ void plain(const Canvas<float>* canvas, float* out) {
  out[0] = canvas->width;
}
)";

std::string name_in(const std::string& kernel, std::uint32_t line, std::uint32_t column) {
  const auto found = host_reference(kMembers, kernel, line, column);
  return found ? found->declared.names.front() : "";
}

MergedFinding access_in(const std::string& kernel, std::uint32_t line) {
  MergedFinding finding;
  finding.id = finding_ids::kHostPointerDereference;
  finding.message = "read of 4 bytes through a pointer to host memory";
  finding.access.what = "read of 4 bytes";
  finding.where = {"k.cu", line, 18};
  finding.kernel = kernel;
  finding.thread = Index3{1, 2, 3};
  finding.help = "use `cudaMalloc`";
  return finding;
}

}  // namespace

TEST_CASE("members that are references are found in the structures that have them") {
  CHECK(reference_members("struct S {\n public:\n  float& a;\n  int b;\n};\n") ==
        std::vector{ReferenceMember{"S", "float", "a", 29}});
  CHECK(reference_members("struct S { void f(int& a); int* b; int c = 1 & 2; S&& d; };").empty());
  CHECK(reference_members("void f() { int& a = b; int& c; } int& d;").empty());
  CHECK(reference_members("struct S { void f() { int& a; } };").empty());
  CHECK(reference_members("struct S { int& a").empty());
}

TEST_CASE("the reference is one that the line has, and the kernel gets") {
  CHECK(name_in("twice", 6, 18) == "height");
  CHECK(name_in("twice", 6, 32) == "width");
  CHECK(name_in("twice", 11, 1) == "width");
  CHECK(host_reference(kMembers, "twice", 6, 18) == HostReference{{{"height"}, 4, 22}, "int", true});
  CHECK(host_reference(kMembers, "other", 14, 21) == HostReference{{{"n"}, 13, 46}, "int", false});
  CHECK(name_in("twice", 3, 1).empty());
  CHECK(name_in("other", 6, 18).empty());
  CHECK(name_in("plain", 17, 1).empty());
  CHECK(name_in("none", 6, 18).empty());
  CHECK(name_in("twice", 99, 1).empty());
}

TEST_CASE("an access to the host's memory is placed at the reference") {
  std::vector<MergedFinding> findings{access_in("twice", 6), access_in("other", 14)};
  show_host_references(findings, kMembers, "k.cu");
  CHECK(findings[0].message == "read of 4 bytes of host memory through the reference `height`");
  CHECK(findings[0].where == SourcePlace{"k.cu", 4, 22});
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->place.line == 6);
  CHECK(findings[0].other->thread == Index3{1, 2, 3});
  CHECK(findings[0].help.ends_with("let the structure hold a copy, `int height` in place of the reference"));
  CHECK(findings[1].help.ends_with("take the value itself, `int n` in place of the reference"));
}

TEST_CASE("a pointer to the host's memory keeps its own words") {
  std::vector<MergedFinding> findings{access_in("plain", 17), access_in("twice", 6)};
  findings[1].id = finding_ids::kNullPointerDereference;
  show_host_references(findings, kMembers, "k.cu");
  CHECK(findings[0].help == "use `cudaMalloc`");
  CHECK(findings[1].help == "use `cudaMalloc`");
}

}  // namespace cudalabs::test
