// Formatted reductions of surfaces (`sured.p`). What is held to an H200 is so called.
#include <algorithm>
#include <bit>
#include <map>

#include "surface_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

constexpr std::uint32_t kWidth = 8, kHeight = 4;

Image surface_of(ChannelKind kind, std::uint8_t channels = 1, std::uint32_t width = kWidth) {
  Image image;
  image.kind = kind;
  image.channels = channels;
  image.dimensions = 2;
  image.extent = {width, kHeight, 1};
  image.pitch = std::uint64_t{width} * 4 * channels;
  image.slice = image.pitch * kHeight;
  image.surface = true;
  return image;
}

/// By one thread, on a surface that holds `fill` everywhere.
SurfaceRun reduced(const Image& image, const std::string& operation, int x, int y, std::uint64_t value,
                   std::uint32_t fill, const std::string& boundary = "trap") {
  const std::string operand = operation.ends_with("b64") ? "%rd3" : "%r4";
  const std::size_t dot = operation.find('.');
  return run_on_image(image, std::vector<std::uint32_t>(image.bytes() / 4, fill),
                      "  mov.b32 %r2, " + std::to_string(x) + ";\n  mov.b32 %r3, " + std::to_string(y) +
                          ";\n  mov.u64 %rd3, " + std::to_string(value) + ";\n  cvt.u32.u64 %r4, %rd3;\n  sured.p." +
                          operation.substr(0, dot) + ".2d" + operation.substr(dot) + "." + boundary +
                          " [%rd2, {%r2, %r3}], " + operand + ";",
                      1);
}

using Changes = std::map<std::size_t, std::uint32_t>;

Changes changes(const SurfaceRun& run, std::uint32_t fill) {
  CHECK(run.status == LaunchStatus::ok);
  CHECK(run.findings.empty());
  Changes changed;
  for (std::size_t i = 0; i < run.texels.size(); ++i)
    if (run.texels[i] != fill) changed[i] = run.texels[i];
  return changed;
}

/// By the words of the PTX ISA.
template <class U, class S>
U by_the_isa(const std::string& operation, bool has_sign, U old, U value) {
  const bool less = has_sign ? std::bit_cast<S>(old) < std::bit_cast<S>(value) : old < value;
  if (operation.starts_with("min")) return less ? old : value;
  if (operation.starts_with("max")) return less ? value : old;
  if (operation.starts_with("and")) return old & value;
  if (operation.starts_with("or")) return old | value;
  return old + value;
}

constexpr ChannelKind kUnsigned = ChannelKind::unsigned_integer, kSigned = ChannelKind::signed_integer;

}  // namespace

TEST_CASE("a formatted reduction counts in elements, with the sign of the surface's format, as an H200 has it",
          "[vgpu]") {
  const Image numbers = surface_of(kUnsigned), with_sign = surface_of(kSigned), pairs = surface_of(kUnsigned, 2);
  const auto of = [](const Image& image, const std::string& operation, std::uint64_t value) {
    return changes(reduced(image, operation, 2, 1, value, 3), 3);
  };
  CHECK(of(numbers, "add.b32", 0xFFFFFFF5) == Changes{{10, 0xFFFFFFF8}});
  CHECK(of(numbers, "min.b32", 0xFFFFFFF5).empty());
  CHECK(of(numbers, "max.b32", 0xFFFFFFF5) == Changes{{10, 0xFFFFFFF5}});
  CHECK(of(numbers, "and.b32", 0xFFFFFFF5) == Changes{{10, 1}});
  CHECK(of(numbers, "or.b32", 0xFFFFFFF5) == Changes{{10, 0xFFFFFFF7}});
  CHECK(of(with_sign, "add.b32", 0xFFFFFFF5) == Changes{{10, 0xFFFFFFF8}});
  CHECK(of(with_sign, "min.b32", 0xFFFFFFF5) == Changes{{10, 0xFFFFFFF5}});
  CHECK(of(with_sign, "max.b32", 0xFFFFFFF5).empty());
  CHECK(of(with_sign, "and.b32", 0xFFFFFFF5) == Changes{{10, 1}});
  CHECK(of(with_sign, "or.b32", 0xFFFFFFF5) == Changes{{10, 0xFFFFFFF7}});
  CHECK(of(pairs, "min.b64", 0xFFFFFFF5) == Changes{{20, 0xFFFFFFF5}, {21, 0}});
}

TEST_CASE("an element is what the instruction takes, not what the surface holds, as an H200 has it", "[vgpu]") {
  CHECK(changes(reduced(surface_of(kUnsigned, 2), "add.b32", 2, 1, 7, 3), 3) == Changes{{18, 10}});
  CHECK(changes(reduced(surface_of(kUnsigned), "min.b64", 2, 1, 7, 3), 3) == Changes{{12, 7}, {13, 0}});
}

TEST_CASE("formatted reductions of all operations do what the ISA says", "[vgpu]") {
  const std::uint64_t values[] = {
      0, 1, 6, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF5, 0x7FFFFFFF'80000003, 0xFFFFFFF5'00000001};
  for (const ChannelKind kind : {kUnsigned, kSigned}) {
    const bool has_sign = kind == kSigned;
    for (const std::uint32_t fill : {3u, 0x80000003u}) {
      for (const std::uint64_t value : values) {
        CAPTURE(has_sign, fill, value);
        for (const std::string operation : {"add.b32", "min.b32", "max.b32", "and.b32", "or.b32"}) {
          CAPTURE(operation);
          const SurfaceRun run = reduced(surface_of(kind), operation, 5, 3, value, fill);
          CHECK(run.texels[29] ==
                by_the_isa<std::uint32_t, std::int32_t>(operation, has_sign, fill, static_cast<std::uint32_t>(value)));
        }
        for (const std::string operation : {"min.b64", "max.b64"}) {
          CAPTURE(operation);
          const SurfaceRun run = reduced(surface_of(kind, 2), operation, 5, 3, value, fill);
          const std::uint64_t old = fill | std::uint64_t{fill} << 32;
          CHECK((run.texels[58] | std::uint64_t{run.texels[59]} << 32) ==
                by_the_isa<std::uint64_t, std::int64_t>(operation, has_sign, old, value));
        }
      }
    }
  }
}

TEST_CASE("lanes that reduce the same element come one after another", "[vgpu]") {
  const SurfaceRun run = run_on_image(surface_of(kUnsigned), std::vector<std::uint32_t>(32, 5),
                                      R"(
  and.b32 %r2, %r1, 7;
  mov.b32 %r3, 1;
  sured.p.add.2d.b32.trap [%rd2, {%r2, %r3}], %r1;
)",
                                      32);
  CHECK(run.findings.empty());
  for (std::uint32_t x = 0; x < kWidth; ++x) CHECK(run.texels[kWidth + x] == 5 + 4 * x + 48);
}

TEST_CASE("a formatted reduction outside is a violation, is dropped, or takes the next element", "[vgpu]") {
  const Image image = surface_of(kUnsigned);
  for (const auto& [x, y] : {std::pair{8, 3}, std::pair{-1, 1}, std::pair{0, 4}, std::pair{1 << 30, 0}}) {
    CAPTURE(x, y);
    const SurfaceRun trap = reduced(image, "add.b32", x, y, 7, 3);
    CHECK(trap.status == LaunchStatus::illegal_address);  // of an x behind the last one, as on an H200
    CHECK(trap.ids() == std::vector<std::string>{"global-out-of-bounds"});
    CHECK(trap.texels == std::vector<std::uint32_t>(32, 3));
    CHECK(changes(reduced(image, "add.b32", x, y, 7, 3, "zero"), 3).empty());
    const std::size_t nearest = std::clamp(y, 0, 3) * kWidth + std::clamp(x, 0, 7);
    CHECK(changes(reduced(image, "add.b32", x, y, 7, 3, "clamp"), 3) == Changes{{nearest, 10}});
  }
  // Of a row that no number of such elements fills, the last whole one.
  const Image odd = surface_of(kUnsigned, 1, 6);
  CHECK(changes(reduced(odd, "min.b64", 100, 1, 7, 3, "clamp"), 3) == Changes{{10, 7}, {11, 0}});
  CHECK(reduced(odd, "min.b64", 3, 1, 7, 3).status == LaunchStatus::illegal_address);
}
