// What the host has given the variables of a kernel's line.
#include "explain/places/host_value.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_host_value {
namespace {

const std::string kByStruct = R"(struct Shape { int width, height, pitch; };
__global__ void twice(const float* in, float* out, Shape s) {
  int row = blockIdx.y, col = threadIdx.x;
  if (row < s.height && col < s.width) out[row * s.pitch + col] = 2 * in[row * s.pitch + col];
}
void picture(const float* in, float* out, int width, int height) {
  Shape shape;
  shape.width = width;
  shape.height = height;
  shape.pitch = height;
  twice<<<dim3(1, height), width>>>(in, out, shape);
}
)";

const std::string kByConstant = R"(__constant__ int size;
__global__ void add(const float* a, float* c) {
  int i = threadIdx.x;
  if (i < size) c[i] = a[i];
}
void vector_add(const float* a, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  float* d;
  cudaMalloc(&d, bytes);
  const int limit = bytes;
  cudaMemcpyToSymbol(size, &limit, sizeof(limit));
  add<<<1, n>>>(d, c);
}
)";

using Values = std::vector<HostValue>;

}  // namespace

TEST_CASE("members of a structure are told with what the host sets them to") {
  CHECK(host_values_of(kByStruct, 4) ==
        Values{{"s.height", "height", 9}, {"s.width", "width", 8}, {"s.pitch", "height", 10}});
}

TEST_CASE("a variable of the device is told with what was copied to it, and what that was set to") {
  CHECK(host_values_of(kByConstant, 4) == Values{{"size", "bytes", 10}});
}

TEST_CASE("an argument that was computed is told, and one of the parameter's name is not") {
  const std::string source = R"(__global__ void k(float* out, int n, int pitch) {
  if (threadIdx.x < n) out[threadIdx.x * pitch] = 1;
}
void f(float* out, int n) {
  const int pitch = (n + 15) / 16;
  k<<<1, n>>>(out, n, pitch);
}
)";
  CHECK(host_values_of(source, 2) == Values{{"pitch", "(n + 15) / 16", 5}});
}

TEST_CASE("what is set under a condition or in a loop that the launch is not in is not told") {
  const auto given = [](const std::string& before, const std::string& launch) {
    return host_values_of(
        "__global__ void k(float* out, int n) {\n  if (threadIdx.x < n) out[threadIdx.x] = 1;\n}\n"
        "void f(float* out, int size) {\n  int fours = size / 4;\n" +
            before + launch + "}\n",
        2);
  };
  const std::string launch = "  k<<<1, 64>>>(out, fours);\n";
  CHECK(given("", launch) == Values{{"n", "size / 4", 5}});
  CHECK(given("  if (size < 9) fours = 0;\n", launch) == Values{{"n", "fours", 7}});
  CHECK(given("  while (fours > 9) fours = 8;\n", launch) == Values{{"n", "fours", 7}});
  CHECK(given("  if (size > 9) {\n  fours = 8;\n", launch + "  }\n") == Values{{"n", "8", 7}});
  const std::string member = kByStruct.substr(0, kByStruct.find("  shape.pitch")) +
                             "  if (width > 9) shape.pitch = 9;\n" + kByStruct.substr(kByStruct.find("  twice<<<"));
  CHECK(host_values_of(member, 4) == Values{{"s.height", "height", 9}, {"s.width", "width", 8}});
}

TEST_CASE("where several launches or copies may have set a value, nothing is told") {
  const std::string twice = kByStruct + "void again(Shape shape) { twice<<<1, 1>>>(0, 0, shape); }\n";
  CHECK(host_values_of(twice, 4).empty());
  const std::string copied = kByConstant + "void more(int m) { cudaMemcpyToSymbol(size, &m, 4); }\n";
  CHECK(host_values_of(copied, 4).empty());
  CHECK(host_values_of("void f() {\n  int x = 1;\n}\n", 2).empty());
  CHECK(host_values_of("", 0).empty());
  CHECK(host_values_of(kByConstant, 11).empty());  // a line of the host's
}

TEST_CASE("an allocation whose size has its sizeof is not blamed where the kernel's bound comes from the host") {
  const auto shown = [](const std::string& source) {
    std::vector<MergedFinding> findings(1);
    MergedFinding& finding = findings[0];
    finding.id = finding_ids::kGlobalOutOfBounds;
    finding.where = {"v.cu", 9, 3};
    finding.other = OtherPlace{"read past its end", {"v.cu", 4, 20}, Index3{0, 0, 0}, Index3{1, 0, 0}};
    finding.help = "as it was";
    show_host_values(findings, source, "v.cu");
    return finding;
  };
  const MergedFinding bound = shown(kByConstant);
  CHECK(bound.where.line == 4);
  CHECK(bound.other->place.line == 9);
  CHECK(bound.note == "from the host: `size` is `bytes` (line 10)");
  std::string elements = kByConstant;
  elements.replace(elements.find("n * sizeof(float)"), 17, "n");
  CHECK(shown(elements).help == "as it was");
}

TEST_CASE("a wrong output is told such values before its other facts, and other findings are not") {
  std::vector<MergedFinding> findings(1);
  findings[0].id = finding_ids::kResultMismatch;
  findings[0].where = {"p.cu", 4, 3};
  findings[0].note = "256 of 256 elements";
  show_host_values(findings, kByStruct, "p.cu");
  CHECK(findings[0].note ==
        "from the host: `s.height` is `height`, `s.width` is `width`, `s.pitch` is `height` (lines 8 to 10)\n256 of "
        "256 elements");
  findings[0].id = finding_ids::kGlobalRace;
  findings[0].note = "as it was";
  show_host_values(findings, kByStruct, "p.cu");
  CHECK(findings[0].note == "as it was");
}

}  // namespace cudalabs::test::of_host_value
