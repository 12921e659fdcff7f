// Conversions from and to numbers of a byte: every half, every pair of bytes, and floats of all kinds, on the virtual
// GPU and by the reference.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "byte_float.h"
#include "catch/catch.h"
#include "random_source.h"
#include "rounded.h"
#include "vgpu/ptx/refusal.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::reference;

namespace {

struct NamedFormat {
  const char* name;
  ByteFormat format;
};
constexpr NamedFormat kFormats[] = {{"e4m3x2", kE4M3}, {"e5m2x2", kE5M2}};

/// What `instruction` makes of each word, `operands` being registers that it finds in it: %r1 is the word, %h1 and %h2
/// its halves, %f1 the word as a float, %f2 the float of the thread before.
std::vector<std::uint32_t> converted(const std::string& instruction, std::vector<std::uint32_t> words,
                                     bool gives_word) {
  const std::string ptx = fmt::format(R"(.version 8.1
.target sm_89
.address_size 64
.visible .entry k(.param .u64 data)
{{
  .reg .b64 %p; .reg .b32 %r<8>; .reg .b16 %h<4>; .reg .f32 %f<4>;
  ld.param.u64 %p, [data];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.u32 %r2, %r2, %r3, %r4;
  mad.wide.u32 %p, %r2, 4, %p;
  ld.global.u32 %r1, [%p];
  mov.b32 {{%h1, %h2}}, %r1;
  mov.b32 %f1, %r1;
  neg.f32 %f2, %f1;
  {};
  {}
  st.global.u32 [%p], %r5;
  ret;
}}
)",
                                      instruction, gives_word ? "" : "cvt.u32.u16 %r5, %h3;");
  vgpu::VirtualGpuOptions options;
  options.model = vgpu::device_model("h200");
  vgpu::VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(ptx);
  const std::uint64_t array = gpu.allocate(words.size() * 4);
  REQUIRE(words.size() % 256 == 0);
  REQUIRE(gpu.copy_in(array, std::as_bytes(std::span(words))));
  const vgpu::LaunchConfig config{.grid = {static_cast<std::uint32_t>(words.size() / 256), 1, 1}, .block = {256, 1, 1}};
  const auto status = gpu.launch(module, "k", config, std::as_bytes(std::span(&array, 1))).status;
  for (const auto& refusal : gpu.refusals()) FAIL_CHECK(vgpu::ptx::describe(refusal));
  REQUIRE(status == vgpu::LaunchStatus::ok);
  REQUIRE(gpu.copy_out(std::as_writable_bytes(std::span(words)), array));
  return words;
}

template <class Expected>
void hold(const std::string& instruction, const std::vector<std::uint32_t>& words, bool gives_word, Expected expected) {
  const std::vector<std::uint32_t> results = converted(instruction, words, gives_word);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (results[i] == expected(words[i]) || ++wrong > 5) continue;
    FAIL_CHECK(fmt::format("{}: {:#x} of {:#x}, not {:#x}", instruction, results[i], words[i], expected(words[i])));
  }
  CHECK(wrong == 0);
}

std::vector<std::uint32_t> all_pairs() {
  std::vector<std::uint32_t> words;
  for (std::uint32_t bits = 0; bits < 0x1'0000; ++bits) words.push_back((0xFFFF - bits) << 16 | bits);
  return words;
}

// Every number of the format, every number half-way between two of them, and their neighbours among floats; numbers
// that are too large or too small, infinity, NaN, and random ones.
std::vector<std::uint32_t> floats_for(const ByteFormat& format) {
  std::vector<std::uint32_t> words;
  const auto add = [&](std::uint32_t bits) {
    for (const std::uint32_t sign : {0u, 0x8000'0000u}) {
      for (const std::uint32_t near : {0xFFFF'FFFFu, 0u, 1u}) words.push_back(((bits + near) & 0x7FFF'FFFF) | sign);
    }
  };
  for (std::uint64_t code = 0; code < format.most; ++code) {
    const double here = number_of(format, code), next = number_of(format, code + 1);
    add(std::bit_cast<std::uint32_t>(static_cast<float>(here)));
    add(std::bit_cast<std::uint32_t>(static_cast<float>((here + next) / 2)));
  }
  const double most = number_of(format, format.most);
  for (const double factor : {1.0, 1.01, 1.0625, 1.07, 1.125, 1.2, 2.0, 1e9}) {
    add(std::bit_cast<std::uint32_t>(static_cast<float>(most * factor)));
  }
  for (const std::uint32_t bits : {0u, 1u, 0x7F'FFFFu, 0x7F80'0000u, 0x7FC0'0000u, 0x7FFF'FFFFu}) add(bits);
  RandomSource random(7);
  while (words.size() < 0x4000) words.push_back(static_cast<std::uint32_t>(interesting_float(random, 32)));
  return words;
}

}  // namespace

TEST_CASE("the formats of a byte are what their definitions say") {
  CHECK(number_of(kE4M3, 1) == 0x1p-9);
  CHECK(number_of(kE4M3, 0x7E) == 448);
  CHECK(number_of(kE5M2, 1) == 0x1p-16);
  CHECK(number_of(kE5M2, 0x7B) == 57344);
  CHECK(byte_of(kE4M3, 464, false) == 0x7E);  // half-way to what would be the next number
  CHECK(byte_of(kE4M3, -INFINITY, false) == 0xFE);
  CHECK(byte_of(kE4M3, -1, true) == 0);
  CHECK(byte_of(kE5M2, NAN, true) == 0x7F);
  CHECK(byte_of(kE5M2, 61440, false) == 0x7B);
  CHECK(byte_of(kE4M3, 0x1p-10, false) == 0);  // half-way to the least number
  CHECK(byte_of(kE4M3, 0x3p-10, false) == 2);
  CHECK(half_of(kE5M2, 0xFC, false) == 0xFC00);
  CHECK(half_of(kE5M2, 0x7D, false) == 0x7FFF);
  CHECK(half_of(kE4M3, 0xFF, false) == 0x7FFF);
  CHECK(half_of(kE4M3, 0x38, false) == 0x3C00);
}

TEST_CASE("halves become bytes, and bytes halves") {
  for (const auto& [name, format] : kFormats) {
    for (const bool relu : {false, true}) {
      const std::string modifier = relu ? ".relu." : ".";
      const ByteFormat& of = format;
      hold("cvt.rn.satfinite" + modifier + name + ".f16x2 %h3, %r1", all_pairs(), false, [&](std::uint32_t word) {
        return static_cast<std::uint32_t>(byte_of(of, number_of(kHalf, word >> 16), relu) << 8 |
                                          byte_of(of, number_of(kHalf, word & 0xFFFF), relu));
      });
      hold("cvt.rn" + modifier + "f16x2." + name + " %r5, %h1", all_pairs(), true, [&](std::uint32_t word) {
        return static_cast<std::uint32_t>(half_of(of, word >> 8 & 0xFF, relu) << 16 | half_of(of, word & 0xFF, relu));
      });
    }
  }
}

TEST_CASE("floats become bytes, the first one the upper byte") {
  for (const auto& [name, format] : kFormats) {
    for (const bool relu : {false, true}) {
      const ByteFormat& of = format;
      hold(std::string("cvt.rn.satfinite") + (relu ? ".relu." : ".") + name + ".f32 %h3, %f1, %f2", floats_for(format),
           false, [&](std::uint32_t word) {
             const double value = number_of(kSingle, word);
             return static_cast<std::uint32_t>(byte_of(of, value, relu) << 8 | byte_of(of, -value, relu));
           });
    }
  }
}
