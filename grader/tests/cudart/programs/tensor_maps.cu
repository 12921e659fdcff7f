// What `cuTensorMapEncodeTiled` accepts and refuses. Each answer is that of an H200's driver, of CUDA 13.0, but for
// what is not supported here.
#include <cuda.h>

#include <functional>
#include <string>
#include <vector>

#include "check.h"

struct Asked {
  int type = CU_TENSOR_MAP_DATA_TYPE_UINT32;
  cuuint32_t rank = 2;
  char* address = nullptr;
  std::vector<cuuint64_t> extents{64, 32}, strides{256};
  std::vector<cuuint32_t> box{32, 8}, steps{1, 1};
  int interleave = 0, swizzle = 0, promotion = 0, fill = 0;

  int encode(void* map) const {
    return cuTensorMapEncodeTiled(
        static_cast<CUtensorMap*>(map), static_cast<CUtensorMapDataType>(type), rank, address,
        extents.empty() ? nullptr : extents.data(), strides.empty() ? nullptr : strides.data(),
        box.empty() ? nullptr : box.data(), steps.empty() ? nullptr : steps.data(),
        static_cast<CUtensorMapInterleave>(interleave), static_cast<CUtensorMapSwizzle>(swizzle),
        static_cast<CUtensorMapL2promotion>(promotion), static_cast<CUtensorMapFloatOOBfill>(fill));
  }
};

alignas(64) static char room[256];
static char* memory = nullptr;
static int checked = 0;

void answers(int expected, const std::string& what, const std::function<void(Asked&)>& change, void* map = room) {
  Asked asked;
  asked.address = memory;
  change(asked);
  const int result = asked.encode(map);
  ++checked;
  if (result != expected) std::printf("%s: %d, WRONG\n", what.c_str(), result);
}

int main() {
  Asked early;
  early.address = reinterpret_cast<char*>(0x10000);
  expect(early.encode(room) == CUDA_ERROR_NOT_INITIALIZED, "before the driver");
  cuInit(0);
  expect(early.encode(room) == CUDA_ERROR_INVALID_CONTEXT, "before a context");
  CHECK(cudaMalloc(&memory, 1 << 20));
  constexpr int kFine = CUDA_SUCCESS, kWrong = CUDA_ERROR_INVALID_VALUE;

  answers(kFine, "as it is", [](Asked&) {});
  answers(
      kFine, "a map at a multiple of 8", [](Asked&) {}, room + 8);
  answers(
      kWrong, "no map", [](Asked&) {}, nullptr);
  answers(kWrong, "rank 0", [](Asked& a) { a.rank = 0; });
  answers(kWrong, "rank 6", [](Asked& a) {
    a.rank = 6;
    a.extents = {64, 1, 1, 1, 1, 1};
    a.strides = {256, 256, 256, 256, 256};
    a.box = {32, 1, 1, 1, 1, 1};
    a.steps = {1, 1, 1, 1, 1, 1};
  });
  answers(kWrong, "rank 1 without strides", [](Asked& a) { a.rank = 1, a.strides = {}; });
  answers(kFine, "rank 1, whose stride is not looked at", [](Asked& a) { a.rank = 1, a.strides = {3}; });
  answers(kWrong, "no strides", [](Asked& a) { a.strides = {}; });
  answers(kWrong, "no extents", [](Asked& a) { a.extents = {}; });
  answers(kWrong, "no box", [](Asked& a) { a.box = {}; });
  answers(kWrong, "no steps", [](Asked& a) { a.steps = {}; });
  answers(kFine, "no address", [](Asked& a) { a.address = nullptr; });
  answers(kWrong, "an address behind 8 bytes", [](Asked& a) { a.address += 8; });
  answers(kFine, "an address behind 16 bytes", [](Asked& a) { a.address += 16; });
  answers(kFine, "an address of the host", [](Asked& a) { a.address = room; });
  answers(kWrong, "an address that is none", [](Asked& a) { a.address = reinterpret_cast<char*>(1ull << 60); });
  for (const int which : {0, 1}) {
    answers(kWrong, "extent 0", [which](Asked& a) { a.extents[which] = 0; });
    answers(kFine, "extent 2^32", [which](Asked& a) { a.extents[which] = 1ull << 32; });
    answers(kWrong, "extent 2^32 + 1", [which](Asked& a) { a.extents[which] = (1ull << 32) + 1; });
    answers(kWrong, "box 0", [which](Asked& a) { a.box[which] = 0; });
    answers(kFine, "box 256", [which](Asked& a) { a.box[which] = 256; });
    answers(kWrong, "box 260", [which](Asked& a) { a.box[which] = 260; });
    answers(kWrong, "step 0", [which](Asked& a) { a.steps[which] = 0; });
    answers(kFine, "step 8", [which](Asked& a) { a.steps[which] = 8; });
    answers(kWrong, "step 9", [which](Asked& a) { a.steps[which] = 9; });
  }
  for (const cuuint64_t stride : {252ull, 264ull, 1ull << 40})
    answers(kWrong, "a stride that is none", [stride](Asked& a) { a.strides[0] = stride; });
  for (const cuuint64_t stride : {0ull, 16ull, 240ull, (1ull << 40) - 16})
    answers(kFine, "a stride", [stride](Asked& a) { a.strides[0] = stride; });
  answers(kFine, "planes closer than rows", [](Asked& a) {
    a.rank = 3;
    a.extents = {64, 32, 4};
    a.strides = {256, 128};
    a.box = {32, 8, 1};
    a.steps = {1, 1, 1};
  });
  answers(kWrong, "a row of 8 bytes", [](Asked& a) { a.box[0] = 2; });
  answers(kWrong, "a row of 24 bytes", [](Asked& a) { a.box[0] = 6; });
  answers(kFine, "a box above the tensor", [](Asked& a) { a.extents = {4, 4}, a.strides = {16}; });
  answers(kWrong, "a box of 256 KiB", [](Asked& a) { a.box = {256, 256}; });
  answers(kFine, "a box of 64 KiB", [](Asked& a) { a.box = {64, 256}; });
  answers(kWrong, "an interleaved plane", [](Asked& a) { a.interleave = 1; });
  answers(kWrong, "interleave 3", [](Asked& a) { a.interleave = 3; });
  for (const auto& [swizzle, inner, expected] :
       {std::tuple{1, 32, kFine}, std::tuple{1, 48, kWrong}, std::tuple{2, 64, kFine}, std::tuple{2, 80, kWrong},
        std::tuple{3, 128, kFine}, std::tuple{3, 144, kWrong}, std::tuple{1, 16, kFine}, std::tuple{2, 16, kFine},
        std::tuple{3, 16, kFine}, std::tuple{4, 16, kWrong}, std::tuple{5, 16, kWrong}, std::tuple{6, 16, kWrong},
        std::tuple{7, 16, kWrong}})
    answers(expected, "swizzle " + std::to_string(swizzle) + " of " + std::to_string(inner) + " bytes",
            [swizzle = swizzle, inner = inner](Asked& a) { a.swizzle = swizzle, a.box[0] = inner / 4; });
  answers(kFine, "promotion 3", [](Asked& a) { a.promotion = 3; });
  answers(kWrong, "promotion 4", [](Asked& a) { a.promotion = 4; });
  answers(kWrong, "fill 2", [](Asked& a) { a.fill = 2; });
  for (int type = 0; type < 18; ++type) {
    const auto with_type = [type](Asked& a) {
      a.type = type, a.box = {128, 1}, a.extents[0] = 128, a.strides[0] = 1024;
    };
    answers(type < 13 ? kFine : kWrong, "type " + std::to_string(type), with_type);
    answers(type < 13 && type > 5 ? kFine : kWrong, "NaN for type " + std::to_string(type), [&](Asked& a) {
      with_type(a);
      a.fill = 1;
    });
  }
  std::printf("%d answers\n", checked);

  Asked asked;
  asked.address = memory;
  auto* const map = reinterpret_cast<CUtensorMap*>(room);
  expect(asked.encode(map) == kFine && cuTensorMapReplaceAddress(map, memory + 4096) == kFine, "another address");
  expect(cuTensorMapReplaceAddress(map, memory + 8) == kWrong && cuTensorMapReplaceAddress(map, nullptr) == kWrong,
         "no address to put there");
  for (char& byte : room) byte = 0;
  expect(cuTensorMapReplaceAddress(map, memory) == kFine, "an address for what is no map");

  // What a GPU has, and is not offered here: the one with the line.
  asked.rank = 3;
  asked.type = CU_TENSOR_MAP_DATA_TYPE_UINT16;
  asked.strides = {256, 8192};
  asked.extents = {64, 32, 4};
  asked.box = {8, 8, 1};
  asked.steps = {1, 1, 1};
  asked.interleave = 1;
  expect(asked.encode(map) == CUDA_ERROR_NOT_SUPPORTED, "interleaved");
  CHECK(cudaFree(memory));
}
