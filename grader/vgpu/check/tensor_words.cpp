// Message, note and help of copies of tensors, and of the maps that they go by.
#include <fmt/format.h>

#include <string>

#include "text/counted.h"
#include "vgpu/check/finding_ids.h"
#include "vgpu/check/verdict_words.h"

namespace cudalabs::vgpu {

using namespace finding_ids;

namespace {

constexpr std::string_view kHowToPass =
    "pass the map to the kernel as `const __grid_constant__ CUtensorMap`, or copy all 128 bytes of it to a "
    "`__constant__` variable or to global memory";

/// "64 x 32 elements of 4 bytes".
std::string extents_text(const TensorMap& map) {
  std::string text;
  for (std::uint32_t i = 0; i < map.rank; ++i) text += fmt::format("{}{}", i == 0 ? "" : " x ", map.extents[i]);
  return fmt::format("{} elements of {}", text, counted(bytes_of(map.type), "byte"));
}

}  // namespace

void VerdictWords::tensor_map(Finding& f) {
  f.id = kInvalidTensorMap;
  f.address = s_.address;
  const auto range = s_.tensor_fault == TensorFault::not_encoded ? names_.nearest(s_.space, s_.address) : std::nullopt;
  switch (s_.tensor_fault) {
    case TensorFault::none:
    case TensorFault::not_encoded:
      f.message = "this tensor copy goes by a map that was not encoded";
      f.note = "what it is given" + (range ? ", " + range_text(s_.space, *range, s_.address, 0) + "," : std::string()) +
               " is not what `cuTensorMapEncodeTiled` writes";
      f.help =
          fmt::format("fill in the map with `cuTensorMapEncodeTiled`, look at what that returns, and {}", kHowToPass);
      break;
    case TensorFault::of_threads:
      f.message = fmt::format("this tensor copy goes by a map in {} memory, where no copy can read it",
                              s_.space == MemorySpace::local ? "local" : "shared");
      f.note = "a parameter without `__grid_constant__` is copied to local memory when its address is taken";
      f.help = std::string(kHowToPass);
      break;
    case TensorFault::rank:
      f.message = fmt::format("this tensor copy has {}, and the map is of a tensor of {}",
                              counted(s_.dimensions, "coordinate"), counted(s_.tensor->rank, "dimension"));
      f.help = "use the copy for as many dimensions as `cuTensorMapEncodeTiled` was given as the rank";
      break;
    case TensorFault::reduction:
      f.message = "this reduction is none for elements of the type that the tensor map says";
      f.help =
          "add numbers of 32 or 64 bits, `f16`, `bf16` or `f32`; take the smaller or larger one of integers of 32 or "
          "64 bits, `f16` or `bf16`; count (`inc`, `dec`) in `UINT32`; combine bits in integers of 32 or 64 bits";
      break;
  }
  name_call(f);
}

/// What the map says of the memory that the copy may not access.
void VerdictWords::name_tensor(Finding& f) const {
  if (!s_.tensor || s_.space != MemorySpace::global || s_.verdict == Verdict::tensor_map) return;
  const TensorMap& map = *s_.tensor;
  std::string text = fmt::format("the tensor map says {}, the innermost dimension first: {} from its address on",
                                 extents_text(map), counted(map.bytes_of_tensor(), "byte"));
  const auto range = names_.nearest(MemorySpace::global, map.address);
  if (range && !range->freed && map.address >= range->address && map.address < range->address + range->bytes)
    text += fmt::format(", where {} has {}", name_of(MemorySpace::global, *range),
                        counted(range->address + range->bytes - map.address, "byte"));
  f.note += (f.note.empty() ? "" : "\n") + text;
}

/// The copy accesses what its map says, and that is too much.
void VerdictWords::box_outside(Finding& f) const {
  f.id = kGlobalOutOfBounds;
  f.access = facts();
  f.message = fmt::format("this tensor copy {} memory outside every allocation, where its map has elements",
                          s_.at.access == AccessKind::load ? "reads" : "writes");
  f.note = distance_text();
  f.help =
      "compare what `cuTensorMapEncodeTiled` was given with the allocation: sizes are in elements, and strides in "
      "bytes, and both begin with the innermost dimension";
}

void VerdictWords::box_misaligned(Finding& f) const {
  f.message = fmt::format("the box of this tensor copy begins in shared memory at no multiple of {}", s_.bytes);
  f.help = fmt::format(
      "declare the array `__shared__ alignas({0})`, and let every box in it begin at a multiple of {0} bytes",
      s_.bytes);
}

/// What a copy was to read was its map.
void VerdictWords::map_elsewhere(Finding& f) const {
  if (s_.tensor_fault != TensorFault::not_encoded) return;
  f.message += ": the map of this tensor copy";
  f.help = std::string(kHowToPass);
}

}  // namespace cudalabs::vgpu
