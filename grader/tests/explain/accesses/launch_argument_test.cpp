// The kernel's name for an argument, and where the host sets it.
#include "explain/accesses/launch_argument.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kSource =
    "__global__ void sum(const float* in, size_t chunk) {\n  use(in[chunk]);\n}\n"
    "void f(const float* in, size_t n) {\n  const size_t part = n / 3;\n"
    "  sum<<<3, 32>>>(in, part);\n  sum<<<3, 32>>>(in, n / 4);\n}\n";

MergedFinding shown(std::string_view id, std::uint32_t launch, std::uint32_t argument = 2) {
  MergedFinding finding;
  finding.id = id;
  finding.kernel = "(anonymous namespace)::sum<float>";
  finding.where = {"k.cu", 2, 7};
  finding.launch.argument = argument;
  finding.launch.where = {"k.cu", launch, 0};
  finding.note = "argument 2 of the launch, 4167, is no multiple of 4";
  finding.help = "round argument 2 of the launch up to a multiple of 4";
  show_launch_argument(finding, kSource);
  return finding;
}

}  // namespace

TEST_CASE("an argument gets the kernel's name for it, and the line that sets it") {
  const MergedFinding set = shown(finding_ids::kMisalignedAccess, 6);
  CHECK(set.note == "`chunk`, 4167, is no multiple of 4");
  CHECK(set.help == "round `chunk` up to a multiple of 4");
  REQUIRE(set.other);
  CHECK(set.other->label == "`part` is set here");
  CHECK(set.other->place.line == 5);
}

TEST_CASE("of what the launch computes itself the launch is shown") {
  const MergedFinding computed = shown(finding_ids::kMisalignedAccess, 7);
  REQUIRE(computed.other);
  CHECK(computed.other->label == "`chunk` is `n / 4` in this launch");
  CHECK(computed.other->place.line == 7);
}

TEST_CASE("a launch that is not known is one of those of the kernel") {
  CHECK_FALSE(shown(finding_ids::kMisalignedAccess, 0).other);  // they get different values
  MergedFinding finding;
  finding.id = finding_ids::kMisalignedAccess;
  finding.kernel = "sum<float, true>";
  finding.where = {"k.cu", 1, 0};
  finding.launch.argument = 1;
  show_launch_argument(finding,
                       "template <class T, bool W>\n__global__ void sum(int chunk) {}\nvoid f(bool w, int n) {\n"
                       "  const int part = n / 3;\n  if (w) {\n    sum<float, true><<<3, 32>>>(part);\n  } else {\n"
                       "    sum<float, false><<<3, 32>>>(part);\n  }\n}\n");
  REQUIRE(finding.other);
  CHECK(finding.other->place.line == 4);
}

TEST_CASE("without an argument, and beside another finding, nothing is shown") {
  CHECK(shown(finding_ids::kMisalignedAccess, 6, 0).note.starts_with("argument 2"));
  CHECK_FALSE(shown(finding_ids::kGlobalOutOfBounds, 6).other);
}

TEST_CASE("a pitch that counts elements is told of memory that was allocated with one") {
  const auto help = [](const std::string& allocation) {
    MergedFinding finding;
    finding.id = finding_ids::kGlobalOutOfBounds;
    finding.kernel = "rows";
    finding.where = {"k.cu", 1, 0};
    finding.launch.argument = 2;
    finding.help = "look at the index";
    finding.other = OtherPlace{"allocated here", {"k.cu", 2, 0}, {}, {}, PlaceRole::allocation};
    show_launch_argument(finding, "__global__ void rows(float* out, size_t pitch) { out[pitch] = 0; }\n" + allocation);
    return finding.help;
  };
  CHECK(help("void f() { cudaMallocPitch(&d, &p, 4 * n, m); }\n").starts_with("`pitch` counts bytes"));
  CHECK(help("void f() { cudaMalloc(&d, n * m); }\n") == "look at the index");
}

}  // namespace cudalabs::test
