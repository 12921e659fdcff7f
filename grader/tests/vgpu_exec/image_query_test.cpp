// What textures and surfaces say of their size (`txq`, `suq`).
#include <array>

#include "surface_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

using Extent = std::array<std::uint32_t, 3>;

Image image_of(Extent extent, std::uint8_t dimensions, bool surface) {
  Image image;
  image.extent = extent;
  image.dimensions = dimensions;
  image.surface = surface;
  image.pitch = std::uint64_t{extent[0]} * 4;
  image.slice = image.pitch * extent[1];
  return image;
}

SurfaceRun asked(const Image& image, const std::string& question, const std::string& before = {}) {
  std::string body = before;
  for (const std::string axis : {"width", "height", "depth"})
    body +=
        "  " + question + "." + axis + ".b32 %r2, [%rd2];\n  st.global.u32 [%rd1], %r2;\n  add.u64 %rd1, %rd1, 4;\n";
  return run_on_image(image, std::vector<std::uint32_t>(image.bytes() / 4), body, 1);
}

void says(const Image& image, Extent wanted) {
  const std::string question = image.surface ? "suq" : "txq";
  CAPTURE(question, wanted);
  const SurfaceRun run = asked(image, question);
  CHECK(run.status == LaunchStatus::ok);
  CHECK(run.findings.empty());
  CHECK(std::vector(run.words.begin(), run.words.begin() + 3) == std::vector(wanted.begin(), wanted.end()));
}

}  // namespace

TEST_CASE("textures and surfaces say how large they are, and 0 of dimensions that they have not", "[vgpu]") {
  for (const bool surface : {false, true}) {
    says(image_of({100, 30, 1}, 2, surface), {100, 30, 0});  // as an H200 says
    says(image_of({100, 1, 1}, 1, surface), {100, 0, 0});
    says(image_of({20, 30, 10}, 3, surface), {20, 30, 10});
    says(image_of({50, 1, 7}, 1, surface), {50, 0, 0});    // layers
    says(image_of({50, 20, 7}, 2, surface), {50, 20, 0});  // layers
    says(image_of({32, 32, 6}, 2, surface), {32, 32, 0});  // a cube's faces
  }
}

TEST_CASE("a size is told in elements, whatever the rows' distance is", "[vgpu]") {
  Image pitched = image_of({60, 20, 1}, 2, false);
  pitched.pitch = 256;
  says(pitched, {60, 20, 0});
  Image wide = image_of({16, 8, 1}, 2, true);
  wide.channels = 4;
  wide.pitch = 256;
  says(wide, {16, 8, 0});
}

TEST_CASE("lanes that do not ask keep what they have", "[vgpu]") {
  const Image image = image_of({8, 4, 1}, 2, false);
  const SurfaceRun run = run_on_image(image, std::vector<std::uint32_t>(32),
                                      R"(
  setp.lt.u32 %p1, %r1, 5;
  mov.b32 %r2, 77;
  @%p1 txq.width.b32 %r2, [%rd2];
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd1, %rd1, %rd3;
  st.global.u32 [%rd1], %r2;
)",
                                      32, 32);
  CHECK(run.status == LaunchStatus::ok);
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(run.words[i] == (i < 5 ? 8 : 77));
}

TEST_CASE("lanes ask each of its own texture, and lanes without one are told 0", "[vgpu]") {
  const SurfaceRun run = run_on_image(image_of({8, 4, 1}, 2, false), std::vector<std::uint32_t>(32),
                                      R"(
  cvt.u64.u32 %rd4, %r1;
  and.b64 %rd4, %rd4, 1;
  add.u64 %rd4, %rd4, %rd2;
  txq.height.b32 %r2, [%rd4];
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd1, %rd1, %rd3;
  st.global.u32 [%rd1], %r2;
)",
                                      32, 32);
  CHECK(run.status != LaunchStatus::ok);
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(run.words[i] == (i % 2 == 0 ? 4 : 0));
}

TEST_CASE("a question by a handle that is none is a violation", "[vgpu]") {
  const Image texture = image_of({8, 4, 1}, 2, false), surface = image_of({8, 4, 1}, 2, true);
  for (const SurfaceRun& run :
       {asked(texture, "txq", "  mov.u64 %rd2, 12345;\n"), asked(surface, "txq"), asked(texture, "suq")}) {
    CHECK(run.status != LaunchStatus::ok);
    CHECK_FALSE(run.findings.empty());
    for (const std::string& id : run.ids()) CHECK(id == "null-pointer-dereference");
  }
}
