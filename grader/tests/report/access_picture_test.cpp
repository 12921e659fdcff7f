// The accesses of a warp, in words and drawn.
#include "report/access_picture.h"

#include <functional>

#include "catch.h"
#include "golden.h"
#include "report/printable.h"
#include "sample_reports.h"

using namespace cudalabs;
using namespace cudalabs::test;
using vgpu::AccessKind;
using vgpu::AccessSample;
using vgpu::MemorySpace;

namespace {

constexpr TerminalStyle kPlain{.color = false, .unicode = true, .width = 100};

AccessSample sample(std::uint32_t line, std::uint32_t column, AccessKind kind, MemorySpace space, std::uint64_t region,
                    const std::function<std::uint64_t(std::uint32_t)>& at, vgpu::LaneMask active = ~0u) {
  AccessSample access;
  access.kernel = "tiled_kernel";
  access.where = {"matmul.cu", line, column};
  access.kind = kind;
  access.space = space;
  access.active = active;
  access.region = region;
  access.region_bytes = 1 << 16;
  for (std::uint32_t lane = 0; lane < vgpu::kWarpSize; ++lane) {
    if ((active >> lane & 1) != 0) access.address[lane] = region + at(lane);
  }
  return access;
}

/// Two rows, a column, a conflict, a broadcast of some lanes, and a last warp that is not full.
AccessPicture picture() {
  AccessPicture picture{"lab4", "case `many_tiles` (several tiles)", {}};
  const auto add = [&](const AccessSample& access) { picture.samples.push_back(access); };
  add(sample(9, 22, AccessKind::load, MemorySpace::global, 0x7000'0000,
             [](auto l) { return 256 * (l / 16) + 4 * (l % 16); }));
  add(sample(9, 22, AccessKind::load, MemorySpace::global, 0x7000'0000, [](auto l) { return 256 * l; }));
  add(sample(9, 20, AccessKind::store, MemorySpace::shared, 0, [](auto l) { return 8 * l; }));
  add(sample(
      12, 43, AccessKind::load, MemorySpace::shared, 0, [](auto) { return 64; }, 0x00ff'ffff));
  AccessSample last = sample(
      12, 59, AccessKind::atomic, MemorySpace::global, 0x7000'0000, [](auto l) { return 4 * l; }, 0xff);
  last.present = 0xfff;
  last.warp = 3;
  last.block = {1, 0, 2};
  last.name = "total";
  add(last);
  return picture;
}

}  // namespace

TEST_CASE("accesses of a warp on a terminal") {
  check_golden("accesses.txt", render_accesses(picture(), SampleSources(), kPlain));
  check_golden("accesses.color.txt",
               render_accesses(picture(), SampleSources(), {.color = true, .unicode = true, .width = 100}));
  check_golden("accesses.narrow.txt",
               render_accesses(picture(), SampleSources(), {.color = false, .unicode = true, .width = 50}));
}

TEST_CASE("accesses of a warp as a picture") {
  check_golden("accesses.svg", render_access_svg(picture(), SampleSources()));
}

TEST_CASE("a warp that wastes nothing is told so, and one without accesses too") {
  AccessPicture good = picture();
  good.samples.resize(1);
  CHECK(render_accesses(good, SampleSources(), kPlain)
            .ends_with("no access of this warp costs much more than its bytes need\n"));
  good.samples.clear();
  CHECK(render_accesses(good, SampleSources(), kPlain).find("neither global nor shared memory") != std::string::npos);
  CHECK(render_access_svg(good, SampleSources()).find("neither global nor shared memory") != std::string::npos);
}

TEST_CASE("names from a submission reach neither terminal nor picture unharmed") {
  AccessPicture hostile = picture();
  for (AccessSample& access : hostile.samples) {
    access.kernel = "k\x1b[2J<script>&";
    access.name = "v\x1b]0;x\x07\xff\"<b>";
    access.where = {"matmul.cu", 3, 9};
  }
  hostile.test = "case \x1b[2J</title>";
  const std::string text = render_accesses(hostile, SampleSources(), kPlain),
                    svg = render_access_svg(hostile, SampleSources());
  CHECK(text == printable(text));
  CHECK(svg == printable(svg));
  CHECK(svg.find("<script") == std::string::npos);
  CHECK(svg.find("<b>") == std::string::npos);
  CHECK(svg.find("</title>") == svg.rfind("</title>"));
}

TEST_CASE("widths and places at their limits are drawn") {
  AccessPicture wide = picture();
  wide.samples = {sample(4, 400, AccessKind::load, MemorySpace::shared, 0, [](auto l) { return 512 * l; }),
                  sample(77, 0, AccessKind::atomic, MemorySpace::shared, 0, [](auto) { return 0; })};
  wide.samples[0].bytes = 16;
  const std::string text = render_accesses(wide, SampleSources(), {.color = false, .unicode = false, .width = 100});
  CHECK_FALSE(render_accesses(wide, SampleSources(), {.color = false, .unicode = false, .width = 1}).empty());
  CHECK(text.find("8-way bank conflict") != std::string::npos);
  CHECK(text.find("updates 4 bytes a lane in shared memory, atomically") != std::string::npos);
  CHECK(render_access_svg(wide, SampleSources()).ends_with("</svg>\n"));
}
