// The accesses of a launch that a picture shows.
#include "vgpu/access_samples.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace cudalabs::vgpu {

AccessSample sample_of(const RecordedAccess& example, const ProgramNames& names, const LaunchConfig& config) {
  AccessSample sample;
  sample.kernel = names.kernel();
  sample.where = names.place(example.instruction);
  sample.kind = example.kind;
  sample.space = example.space;
  sample.bytes = example.bytes;
  sample.block = coordinates(example.block, config.grid);
  sample.warp = example.warp;
  sample.active = example.active;
  const std::uint32_t threads = example.block_threads - example.warp * kWarpSize;
  if (threads < kWarpSize) sample.present = (LaneMask{1} << threads) - 1;
  sample.address = example.address;
  const auto first = static_cast<std::size_t>(std::countr_zero(example.active));
  if (const auto region = names.nearest(example.space, example.address[first])) {
    sample.region = region->address;
    sample.region_bytes = region->bytes;
    sample.name = region->name;
  }
  return sample;
}

}  // namespace cudalabs::vgpu
