// The launch's own share in an access past the end of an array.
#include <fmt/format.h>

#include <cstdint>

#include "vgpu/check/given_sizes.h"
#include "vgpu/check/verdict_words.h"

namespace cudalabs::vgpu {
namespace {

std::uint64_t product_of(const Index3& extents) {
  return std::uint64_t{extents[0]} * extents[1] * extents[2];
}

/// "6 * 6 = 36", "36": as many extents as count.
std::string in_words(const Index3& extents) {
  if (extents[2] > 1) return fmt::format("{} * {} * {} = {}", extents[0], extents[1], extents[2], product_of(extents));
  if (extents[1] > 1) return fmt::format("{} * {} = {}", extents[0], extents[1], product_of(extents));
  return fmt::format("{}", extents[0]);
}

}  // namespace

/// The launch's own share in an access past the end: how much of the array it left out, and its numbers. What is large
/// is no number of elements, and perhaps a number of another type.
void VerdictWords::name_given(Finding& f) const {
  constexpr std::uint64_t kLargest = 1u << 24;
  const auto range = names_.nearest(s_.space, s_.address);
  if (!range || s_.bytes == 0 || s_.address < range->address + range->bytes) return;
  for (const GivenValue& given : names_.values_given()) {
    if (given.part) continue;
    const bool into = given.value > range->address && given.value < range->address + range->bytes;
    if (given.bytes == sizeof(std::uint64_t) && into) {
      f.launch.given.push_back({given.number, (given.value - range->address) / s_.bytes, true});
    } else if (given.value < kLargest) {
      f.launch.given.push_back({given.number, given.value, false});
    }
  }
}

/// Each block accesses one element, that of its own number, and the launch has more blocks than there are elements.
bool VerdictWords::name_surplus_blocks(Finding& f) const {
  const auto range = names_.nearest(s_.space, s_.address);
  if (!range || s_.bytes == 0 || !f.block || range->bytes % s_.bytes != 0 || product_of(config_.block) == 1)
    return false;
  const auto& [x, y, z] = *f.block;
  const std::uint64_t number = x + config_.grid[0] * (y + std::uint64_t{config_.grid[1]} * z);
  const std::uint64_t elements = range->bytes / s_.bytes, blocks = product_of(config_.grid);
  const bool begins = s_.address == range->address + range->bytes && number == elements && elements > 0;
  if (!begins || s_.end != range->address + blocks * s_.bytes) return false;
  const std::uint64_t surplus = blocks - elements;
  f.note.insert(0, fmt::format("one element for each block, and {} blocks for {}\n", in_words(config_.grid),
                               counted(elements, "element")));
  f.help = fmt::format(
      "the launch has {} too many: give the kernel the number of blocks that have work, and let the others do nothing "
      "here; or allocate one element for each block of the grid",
      counted(surplus, "block"));
  return true;
}

/// A launch that gets the addresses of its arguments reads as many bytes as the parameter has.
bool VerdictWords::name_short_argument(Finding& f) const {
  const auto range = names_.nearest(s_.space, s_.address);
  if (!range || s_.bytes == 0 || s_.address < range->address + range->bytes) return false;
  const std::uint64_t elements = range->bytes / s_.bytes;
  const std::uint32_t number = argument_of_half(elements, names_.values_given());
  if (number == 0) return false;
  f.launch.argument = number;
  f.note.insert(0, fmt::format("the lower 4 bytes of argument {} of the launch are {}, the upper 4 are not 0\n", number,
                               elements));
  f.help = fmt::format(
      "argument {} of the launch has 8 bytes: where `cudaLaunchKernel` gets its address, it must be that of a variable "
      "of the parameter's own type, and not of an `int`",
      number);
  f.other = OtherPlace{"this launch reads 8 bytes there", {}, {}, {}, PlaceRole::launch};
  return true;
}

}  // namespace cudalabs::vgpu
