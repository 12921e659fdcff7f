// Pools of input values as a memory file: every measured call gets windows of them at places nobody knows before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "datasets/timed_work.h"
#include "sandbox/fd.h"

namespace cudalabs {

/// Made once, then read-only for everybody.
class Pools {
 public:
  /// Fills the pools of `work` from `seed`, on several threads. Throws std::system_error when there is no memory.
  Pools(const datasets::TimedWork& work, const std::map<std::string, std::int64_t>& parameters, std::uint64_t seed);

  const sandbox::Fd& file() const { return file_; }
  /// Bytes into the file where each pool begins, in the order of the work.
  const std::vector<std::size_t>& places() const { return places_; }
  const std::vector<std::size_t>& bytes() const { return bytes_; }

 private:
  sandbox::Fd file_;
  std::vector<std::size_t> places_, bytes_;
};

/// A runner's pools as they are now: what patches changed is changed here too.
class PoolCopy {
 public:
  /// Shares the unchanged pages with every other copy. Throws std::system_error.
  explicit PoolCopy(const Pools& pools);
  ~PoolCopy();
  PoolCopy(const PoolCopy&) = delete;
  PoolCopy& operator=(const PoolCopy&) = delete;

  std::span<const std::byte> pool(std::size_t index) const { return pools_[index]; }
  /// Overwrites bytes of a pool.
  void patch(std::size_t index, std::size_t offset, std::span<const std::byte> bytes);

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
  std::vector<std::span<std::byte>> pools_;
};

}  // namespace cudalabs
