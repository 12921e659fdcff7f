// Stratified sampling with a fixed sequence of numbers in place of chance.
#include "vgpu/exec/block_sample.h"

namespace cudalabs::vgpu::exec {

namespace {

// SplitMix64: well mixed bits of a counter.
std::uint64_t mixed(std::uint64_t n) {
  n += 0x9E3779B97F4A7C15u;
  n = (n ^ (n >> 30)) * 0xBF58476D1CE4E5B9u;
  n = (n ^ (n >> 27)) * 0x94D049BB133111EBu;
  return n ^ (n >> 31);
}

}  // namespace

BlockSample::BlockSample(const LaunchConfig& config, std::uint64_t wanted)
    : blocks_(config.clusters()), size_(blocks_) {
  const std::uint64_t together = config.blocks_per_cluster(), clusters = (wanted + together - 1) / together;
  if (wanted != 0 && clusters < blocks_) size_ = clusters;
}

std::uint64_t BlockSample::operator[](std::uint64_t place) const {
  if (size_ == blocks_) return place;
  // The first (blocks % size) ranges are longer by one: no product of the two numbers, which may be large.
  const std::uint64_t length = blocks_ / size_, longer = blocks_ % size_;
  const std::uint64_t first = place * length + (place < longer ? place : longer);
  const std::uint64_t here = length + (place < longer ? 1 : 0);
  if (place == 0) return first;
  if (place + 1 == size_) return first + here - 1;
  return first + mixed(place) % here;
}

}  // namespace cudalabs::vgpu::exec
