// Copies of boxes of tensors, against a reference that goes element by element.
#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "tensor_run.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

struct Box {
  TensorMap map;
  std::int32_t first[kMostTensorDimensions] = {};
  std::uint32_t shared_at = 0;  // in `tile`
};

TensorMap map_with(TensorType type, std::vector<std::uint64_t> extents, std::vector<std::uint32_t> box,
                   TensorSwizzle swizzle = TensorSwizzle::none, std::vector<std::uint32_t> steps = {}) {
  TensorMap map;
  map.type = type;
  map.rank = static_cast<std::uint8_t>(extents.size());
  map.swizzle = swizzle;
  map.strides[0] = bytes_of(type);
  for (std::size_t i = 0; i < extents.size(); ++i) {
    map.extents[i] = extents[i];
    map.box[i] = box[i];
    if (i < steps.size()) map.steps[i] = steps[i];
    if (i != 0) map.strides[i] = (extents[i - 1] * map.strides[i - 1] + 15) / 16 * 16;
  }
  return map;
}

std::vector<std::byte> memory_for(const TensorMap& map) {
  std::vector<std::byte> memory(map.bytes_of_tensor() + 48);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(i * 37 + i / 256 + 1);
  return memory;
}

/// As the CUDA programming guide shows the patterns: the unit of 16 bytes in a row of 128 is told apart by which row of
/// 128 bytes of shared memory it is in.
std::uint64_t place_in_shared(std::uint64_t address, TensorSwizzle swizzle) {
  const std::uint64_t row = address / 128, unit = address / 16 % 8;
  const std::uint64_t changed = swizzle == TensorSwizzle::in_128_bytes  ? unit ^ row % 8
                                : swizzle == TensorSwizzle::in_64_bytes ? unit ^ row % 4
                                : swizzle == TensorSwizzle::in_32_bytes ? unit ^ row % 2
                                                                        : unit;
  return row * 128 + changed * 16 + address % 16;
}

/// Calls `visit(in shared memory, in global memory or -1)` for each element of the box.
template <class Visit>
void each_element(const Box& box, Visit&& visit) {
  const TensorMap& map = box.map;
  const std::uint64_t size = bytes_of(map.type);
  std::uint64_t row = map.count(0) * size;
  if (map.swizzle != TensorSwizzle::none) row = 16u << static_cast<int>(map.swizzle);
  std::uint32_t at[kMostTensorDimensions] = {};
  for (at[4] = 0; at[4] < map.count(4); ++at[4])
    for (at[3] = 0; at[3] < map.count(3); ++at[3])
      for (at[2] = 0; at[2] < map.count(2); ++at[2])
        for (at[1] = 0; at[1] < map.count(1); ++at[1])
          for (at[0] = 0; at[0] < map.count(0); ++at[0]) {
            std::int64_t global = static_cast<std::int64_t>(map.address);
            bool inside = true;
            for (std::uint32_t i = 0; i < map.rank; ++i) {
              const std::int64_t coordinate = std::int64_t{box.first[i]} + at[i] * map.steps[i];
              inside = inside && coordinate >= 0 && coordinate < static_cast<std::int64_t>(map.extents[i]);
              global += coordinate * static_cast<std::int64_t>(map.strides[i]);
            }
            const std::uint64_t rows = at[1] + map.count(1) * (at[2] + map.count(2) * (at[3] + map.count(3) * at[4]));
            visit(place_in_shared(box.shared_at + rows * row + at[0] * size, map.swizzle), inside ? global : -1);
          }
}

std::string coordinates(const Box& box) {
  std::string text;
  for (std::uint32_t i = 0; i < box.map.rank; ++i) text += (i == 0 ? "{" : ", ") + std::to_string(box.first[i]);
  return text + "}";
}

std::string dimensions(const Box& box) {
  return std::to_string(box.map.rank) + "d";
}

std::string load_of(const Box& box, const std::string& target = "shared::cluster") {
  return "  add.u32 %r8, %r2, " + std::to_string(box.shared_at) +
         ";\n  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd9, [%r3], " + std::to_string(box.map.bytes_of_box()) +
         ";\n  @%p1 cp.async.bulk.tensor." + dimensions(box) + "." + target +
         ".global.tile.mbarrier::complete_tx::bytes [%r8], [%rd1, " + coordinates(box) + "], [%r3];\n" + R"($wait:
  mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r3], 0;
  @!%p3 bra $wait;
)";
}

/// Fills `tile` with words that count, and copies it out.
std::string store_of(const Box& box, std::uint32_t bytes, const std::string& copy = "cp.async.bulk.tensor.",
                     const std::string& operation = "") {
  return R"(
  mov.u32 %r5, %r4;
$count:
  add.u32 %r6, %r2, %r5;
  mul.lo.u32 %r7, %r5, 0x9E3779B1;
  st.shared.u32 [%r6], %r7;
  add.u32 %r5, %r5, 128;
  setp.lt.u32 %p2, %r5, )" +
         std::to_string(bytes) + ";\n  @%p2 bra $count;\n  fence.proxy.async.shared::cta;\n  bar.sync 0;\n" +
         "  add.u32 %r8, %r2, " + std::to_string(box.shared_at) + ";\n  @%p1 " + copy + dimensions(box) +
         ".global.shared::cta" + operation + ".tile.bulk_group [%rd1, " + coordinates(box) +
         "], [%r8];\n  @%p1 cp.async.bulk.commit_group;\n  @%p1 cp.async.bulk.wait_group 0;\n";
}

void check_clean(const TensorRun& run) {
  CHECK(run.status == LaunchStatus::ok);
  for (const Finding& finding : run.findings) FAIL_CHECK(finding.id + ": " + finding.message + "; " + finding.note);
}

void check_load(const Box& box, std::uint32_t bytes = 4096) {
  const std::vector<std::byte> memory = memory_for(box.map);
  const std::uint32_t size = bytes_of(box.map.type);
  std::vector<std::byte> expected(bytes, std::byte{0xA5});
  each_element(box, [&](std::uint64_t to, std::int64_t from) {
    for (std::uint32_t i = 0; i < size; ++i)
      expected[to + i] = from < 0 ? std::byte{0} : memory[static_cast<std::size_t>(from) + i];
  });
  const TensorRun run = run_tensor(load_of(box), bytes, box.map, memory);
  check_clean(run);
  CHECK(std::memcmp(run.shared.data(), expected.data(), bytes) == 0);
}

void check_store(const Box& box, std::uint32_t bytes = 4096) {
  std::vector<std::byte> memory = memory_for(box.map), shared(bytes);
  for (std::uint32_t i = 0; i < bytes; i += 4) {
    const std::uint32_t word = i * 0x9E37'79B1u;
    std::memcpy(&shared[i], &word, 4);
  }
  const TensorRun run = run_tensor(store_of(box, bytes), bytes, box.map, memory);
  each_element(box, [&](std::uint64_t from, std::int64_t to) {
    if (to >= 0) std::memcpy(&memory[static_cast<std::size_t>(to)], &shared[from], bytes_of(box.map.type));
  });
  check_clean(run);
  CHECK(run.tensor == memory);
}

const std::vector<Box>& boxes() {
  static const std::vector<Box> all = [] {
    using enum TensorType;
    using enum TensorSwizzle;
    std::vector<Box> list;
    const TensorMap row = map_with(u8, {100}, {64}), plane = map_with(u32, {20, 16}, {8, 6});
    list.push_back({row, {0}});
    list.push_back({row, {-5}, 128});
    list.push_back({row, {70}});
    list.push_back({row, {100}});
    list.push_back({row, {-64}});
    for (const std::int32_t x : {0, 3, -3, 15, -8, 20, -2147483647 - 1, 2147483647})
      for (const std::int32_t y : {0, 12, -2, -2147483647 - 1, 2147483647}) list.push_back({plane, {x, y}, 256});
    list.push_back({map_with(u16, {33, 9}, {16, 9}), {5, -1}});
    list.push_back({map_with(u64, {5, 5}, {4, 5}), {2, 1}});
    list.push_back({map_with(u8, {19, 7}, {16, 7}), {7, 2}, 1024});
    list.push_back({map_with(u32, {8, 5, 3}, {4, 3, 2}), {2, 1, 1}});
    list.push_back({map_with(u32, {8, 5, 3}, {8, 5, 3}), {0, 0, 0}});
    list.push_back({map_with(u16, {8, 3, 4, 2}, {8, 2, 2, 2}), {-1, 2, 3, -1}});
    list.push_back({map_with(u32, {4, 3, 2, 2, 2}, {4, 2, 2, 2, 2}), {0, 1, 0, 1, -1}});
    for (const std::uint32_t y : {3u, 8u}) {
      list.push_back({map_with(u32, {8, 32}, {4, 16}, none, {1, y}), {0, 0}});
      list.push_back({map_with(u32, {8, 32}, {4, 17}, none, {1, y}), {1, -2}});
      list.push_back({map_with(u32, {8, 12, 9}, {8, 6, 5}, in_32_bytes, {1, 2, y}), {0, 9, -3}});
    }
    for (const TensorSwizzle swizzle : {in_32_bytes, in_64_bytes, in_128_bytes}) {
      for (std::uint32_t inner = 16; inner <= span_of(swizzle); inner += 16)
        for (const std::uint32_t at : {0u, 128u, 640u})
          list.push_back({map_with(u8, {200, 40}, {inner, 17}, swizzle), {3, 30}, at});
      list.push_back({map_with(u16, {16, 5, 4}, {span_of(swizzle) / 2, 3, 2}, swizzle), {2, 3, 2}, 384});
      list.push_back({map_with(f64, {40, 9}, {span_of(swizzle) / 8, 9}, swizzle, {1, 2}), {37, -3}, 0});
    }
    return list;
  }();
  return all;
}

std::string name_of(const Box& box) {
  const TensorMap& map = box.map;
  std::string text = coordinates(box) + " at " + std::to_string(box.shared_at) + " box";
  for (std::uint32_t i = 0; i < map.rank; ++i)
    text +=
        " " + std::to_string(map.box[i]) + "/" + std::to_string(map.steps[i]) + " of " + std::to_string(map.extents[i]);
  return text + " swizzle " + std::to_string(static_cast<int>(map.swizzle));
}

/// What `operation` makes of the element `old` and `value`, in memory and in `tile`.
std::uint64_t reduced(const std::string& operation, TensorType type, std::uint64_t old, std::uint64_t value) {
  const std::uint32_t size = bytes_of(type);
  TensorMap map = map_with(type, {16 / size}, {16 / size});
  std::vector<std::byte> memory(64);
  for (std::uint32_t at = 0; at < 16; at += size) std::memcpy(&memory[at], &old, size);
  const std::uint64_t twice = size == 8 ? value : size == 4 ? value << 32 | value : value * 0x0001'0001'0001'0001;
  const std::string body = "  mov.u64 %rd8, " + std::to_string(twice) +
                           ";\n  st.shared.u64 [%r2], %rd8;\n  st.shared.u64 [%r2+8], %rd8;\n  "
                           "fence.proxy.async.shared::cta;\n  @%p1 cp.reduce.async.bulk.tensor.1d.global.shared::cta." +
                           operation +
                           ".tile.bulk_group [%rd1, {0}], [%r2];\n  @%p1 cp.async.bulk.commit_group;\n  @%p1 "
                           "cp.async.bulk.wait_group 0;\n";
  const TensorRun run = run_tensor("  @!%p1 bra $over;\n" + body + "$over:\n", 128, map, memory);
  check_clean(run);
  std::uint64_t result = 0;
  std::memcpy(&result, &run.tensor[16 - size], size);
  return result;
}

std::string found(const TensorRun& run, const std::string& id) {
  for (const Finding& finding : run.findings)
    if (finding.id == id) return finding.message + "; " + finding.note;
  std::string others;
  for (const Finding& finding : run.findings) others += " " + finding.id;
  return "nothing but" + others;
}

}  // namespace

TEST_CASE("a tensor map is what was encoded, or none", "[vgpu]") {
  TensorMap map =
      map_with(TensorType::bf16, {std::uint64_t{1} << 32, 7, 3}, {32, 2, 1}, TensorSwizzle::in_64_bytes, {1, 8, 2});
  map.address = 0x2000'0001'2340;
  map.nan_outside = true;
  std::byte bytes[kTensorMapBytes];
  encode(map, bytes);
  TensorMap same;
  REQUIRE(decode(bytes, same));
  CHECK(same.type == map.type);
  CHECK(same.rank == 3);
  CHECK(same.swizzle == map.swizzle);
  CHECK(same.nan_outside);
  CHECK(same.address == map.address);
  CHECK(std::ranges::equal(same.extents, map.extents));
  CHECK(std::ranges::equal(std::span(same.strides).first(3), std::span(map.strides).first(3)));
  CHECK(std::ranges::equal(same.box, map.box));
  CHECK(std::ranges::equal(same.steps, map.steps));
  CHECK(same.bytes_of_box() == 32 * 1 * 1 * 2);
  for (std::size_t i = 0; i < kTensorMapBytes; ++i) {
    bytes[i] ^= std::byte{4};
    CAPTURE(i);
    CHECK_FALSE(decode(bytes, same));
    bytes[i] ^= std::byte{4};
  }
  std::memset(bytes, 0, sizeof bytes);
  CHECK_FALSE(decode(bytes, same));
}

TEST_CASE("what a program has written itself in the layout of a map is looked at like what a driver is given",
          "[vgpu]") {
  const TensorMap right = map_with(TensorType::u32, {32, 16}, {8, 4});
  const auto is_taken = [&](auto change) {
    TensorMap map = right, read;
    change(map);
    std::byte bytes[kTensorMapBytes];
    encode(map, bytes);
    return decode(bytes, read);
  };
  CHECK(is_taken([](TensorMap&) {}));
  CHECK_FALSE(is_taken([](TensorMap& map) { map.rank = 0; }));
  CHECK_FALSE(is_taken([](TensorMap& map) { map.rank = 200; }));
  CHECK_FALSE(is_taken([](TensorMap& map) { map.type = static_cast<TensorType>(kTensorTypes); }));
  CHECK_FALSE(is_taken([](TensorMap& map) { map.swizzle = static_cast<TensorSwizzle>(70); }));
  CHECK_FALSE(is_taken([](TensorMap& map) { map.steps[1] = 0; }));
  CHECK_FALSE(is_taken([](TensorMap& map) { map.steps[1] = 9; }));
  CHECK_FALSE(is_taken([](TensorMap& map) { map.box[1] = 0; }));
  CHECK_FALSE(is_taken([](TensorMap& map) { map.box[1] = 65535; }));
  CHECK_FALSE(is_taken([](TensorMap& map) { map.box[0] = 7; }));
  CHECK_FALSE(is_taken([](TensorMap& map) { map.box[0] = map.box[1] = 256; }));
  CHECK_FALSE(is_taken([](TensorMap& map) { map.strides[1] = 130; }));
  CHECK_FALSE(is_taken([](TensorMap& map) { map.address = 8; }));
}

TEST_CASE("boxes of tensors come to shared memory", "[vgpu]") {
  for (const Box& box : boxes()) {
    CAPTURE(name_of(box));
    check_load(box);
  }
}

TEST_CASE("what is outside of a tensor is NaN where the map says so", "[vgpu]") {
  using enum TensorType;
  for (const auto& [type, nan] : std::vector<std::pair<TensorType, std::uint64_t>>{
           {f16, 0x7FF7}, {bf16, 0x7FF7}, {f32, 0x7FF7'7FF7}, {f32_ftz, 0x7FF7'7FF7}, {f64, 0x7FF7'7FF7'7FF7'7FF7}}) {
    const std::uint32_t size = bytes_of(type), count = 32 / size;
    Box box{map_with(type, {count, 4}, {count, 3}), {-1, 2}};
    box.map.nan_outside = true;
    const std::vector<std::byte> memory = memory_for(box.map);
    std::vector<std::byte> expected(128, std::byte{0xA5});
    each_element(box, [&, nan = nan](std::uint64_t to, std::int64_t from) {
      std::memcpy(&expected[to], from < 0 ? static_cast<const void*>(&nan) : &memory[static_cast<std::size_t>(from)],
                  size);
    });
    CAPTURE(size);
    const TensorRun run = run_tensor(load_of(box), 128, box.map, memory);
    check_clean(run);
    CHECK(std::memcmp(run.shared.data(), expected.data(), expected.size()) == 0);
  }
}

TEST_CASE("loads round numbers of tf32, and nothing else does", "[vgpu]") {
  using enum TensorType;
  // The first eight as an H200 has them, the others by the same rule; what lies outside of the tensor is not rounded.
  const std::vector<std::uint32_t> given = {0x00000001, 0x80345678, 0x3F801FFF, 0x3F803FFF, 0x7F812345, 0xFFC00001,
                                            0xFF800000, 0x3F801000, 0x3F803000, 0x3F800FFF, 0x80000000, 0xBF801001};
  const std::vector<std::uint32_t> rounded = {0x00000000, 0x80346000, 0x3F802000, 0x3F804000, 0x7FFFE000, 0x7FFFE000,
                                              0xFF800000, 0x3F800000, 0x3F804000, 0x3F800000, 0x80000000, 0xBF802000};
  for (const auto& [type, expected] : std::vector<std::pair<TensorType, std::vector<std::uint32_t>>>{
           {f32, given}, {f32_ftz, given}, {tf32, rounded}, {tf32_ftz, rounded}}) {
    CAPTURE(static_cast<int>(type));
    Box box{map_with(type, {12}, {16}), {0}};
    box.map.nan_outside = true;
    std::vector<std::byte> memory(64);
    std::memcpy(memory.data(), given.data(), 48);
    const TensorRun loaded = run_tensor(load_of(box), 128, box.map, memory);
    check_clean(loaded);
    CHECK(std::equal(expected.begin(), expected.end(), loaded.shared.begin()));
    for (std::size_t i = 12; i < 16; ++i) CHECK(loaded.shared[i] == 0x7FF7'7FF7);
    check_store(Box{map_with(type, {20, 16}, {8, 6}), {-1, 2}});
  }
}

TEST_CASE("boxes of tensors go to global memory, but for what is outside", "[vgpu]") {
  for (const Box& box : boxes()) {
    CAPTURE(name_of(box));
    check_store(box);
  }
}

TEST_CASE("all forms of tensor copies are known", "[vgpu]") {
  const Box box{map_with(TensorType::u32, {20, 16}, {8, 6}), {-1, 2}};
  const std::vector<std::byte> memory = memory_for(box.map);
  const std::vector<std::uint32_t> expected = run_tensor(load_of(box), 1024, box.map, memory).shared;
  CHECK(run_tensor(load_of(box, "shared::cta"), 1024, box.map, memory).shared == expected);
  const auto replaced = [&](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  const std::string load = load_of(box), store = store_of(box, 1024);
  for (const std::string& form :
       {replaced(load, ".tile", ""),
        replaced(replaced(load, "complete_tx::bytes [", "complete_tx::bytes.L2::cache_hint ["), "[%r3];\n$w",
                 "[%r3], %rd8;\n$w"),
        "  prefetch.tensormap [%rd1];\n  @%p1 cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%rd1, {0, 0}];\n  "
        "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;\n  fence.proxy.tensormap::generic.release.cta;\n" +
            load}) {
    CAPTURE(form);
    const TensorRun run = run_tensor(form, 1024, box.map, memory);
    check_clean(run);
    CHECK(run.shared == expected);
  }
  const std::vector<std::byte> written = run_tensor(store, 1024, box.map, memory).tensor;
  for (const std::string& form :
       {replaced(store, ".tile", ""),
        replaced(replaced(store, "bulk_group [", "bulk_group.L2::cache_hint ["), "[%r8];", "[%r8], %rd8;")}) {
    CAPTURE(form);
    const TensorRun run = run_tensor(form, 1024, box.map, memory);
    check_clean(run);
    CHECK(run.tensor == written);
  }
}

TEST_CASE("reductions of tensors are those of an H200", "[vgpu]") {
  using enum TensorType;
  CHECK(reduced("add", u32, 5, 3) == 8);
  CHECK(reduced("min", u32, 5, 3) == 3);
  CHECK(reduced("max", s32, 0xFFFF'FFF9, 4) == 4);
  CHECK(reduced("max", u32, 0xFFFF'FFF9, 4) == 0xFFFF'FFF9);
  CHECK(reduced("inc", u32, 5, 3) == 0);
  CHECK(reduced("inc", u32, 9, 12) == 10);
  CHECK(reduced("dec", u32, 3, 3) == 2);
  CHECK(reduced("and", u32, 200, 100) == 0x40);
  CHECK(reduced("or", s32, 200, 100) == 0xEC);
  CHECK(reduced("xor", u64, 200, 100) == 0xAC);
  CHECK(reduced("add", u64, ~std::uint64_t{6}, 4) == ~std::uint64_t{2});
  CHECK(reduced("min", s64, ~std::uint64_t{6}, 4) == ~std::uint64_t{6});
  CHECK(reduced("add", f16, 0x7E01, 0x3C00) == 0x7FFF);
  CHECK(reduced("add", f16, 1, 1) == 2);
  CHECK(reduced("min", f16, 0x7E01, 0x3C00) == 0x3C00);
  CHECK(reduced("max", bf16, 0x8000, 0) == 0);
  CHECK(reduced("add", bf16, 0x3F80, 0x3B80) == 0x3F80);
  CHECK(reduced("add", f32, 0x3F80'1FFF, 0x3F80'1000) == 0x4000'1800);
  CHECK(reduced("add", f32, 1, 1) == 2);
  CHECK(reduced("add", f32, 0x8040'0000, 1) == 0x803F'FFFF);
  CHECK(reduced("add", f32, 0x7FC0'0001, 0x3F80'0000) == 0x7FFF'FFFF);
  // Numbers of tf32 are added as those of single precision are; subnormal ones are zeros where the type says so.
  CHECK(reduced("add", tf32, 0x3F80'1FFF, 0x3F80'1000) == 0x4000'1800);
  CHECK(reduced("add", tf32, 0x8040'0000, 1) == 0x803F'FFFF);
  for (const TensorType type : {f32_ftz, tf32_ftz}) {
    CHECK(reduced("add", type, 0x3F80'1FFF, 0x3F80'1000) == 0x4000'1800);
    CHECK(reduced("add", type, 1, 1) == 0);
    CHECK(reduced("add", type, 0x8040'0000, 1) == 0);
    CHECK(reduced("add", type, 0x7F7F'FFFF, 0x7F7F'FFFF) == 0x7F80'0000);
    CHECK(reduced("add", type, 0x7FC0'0001, 0x3F80'0000) == 0x7FFF'FFFF);
  }
  CHECK(reduced("add", f64, 0x0000'1268'8B70'E62B, 0x0000'1268'8B70'E62B) == 0x0000'24D1'16E1'CC56);
}

TEST_CASE("a reduction that the map's type does not have is refused when it is begun", "[vgpu]") {
  for (const auto& [operation, type] : std::vector<std::pair<std::string, TensorType>>{{"add", TensorType::u8},
                                                                                       {"inc", TensorType::s32},
                                                                                       {"add", TensorType::s64},
                                                                                       {"or", TensorType::s64},
                                                                                       {"min", TensorType::f32},
                                                                                       {"max", TensorType::tf32},
                                                                                       {"max", TensorType::f64},
                                                                                       {"and", TensorType::f16}}) {
    CAPTURE(operation);
    const Box box{map_with(type, {32}, {32}), {}};
    const TensorRun run = run_tensor(store_of(box, 256, "cp.reduce.async.bulk.tensor.", "." + operation), 256, box.map,
                                     memory_for(box.map));
    CHECK(run.status == LaunchStatus::illegal_instruction);
    CHECK(found(run, "invalid-tensor-map").starts_with("this reduction is none for elements of the type"));
    CHECK(run.tensor == memory_for(box.map));
  }
}
