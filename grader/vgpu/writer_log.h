// Which lines of kernels wrote to which array last, over all launches.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "vgpu/array_writer.h"
#include "vgpu/check/program_names.h"
#include "vgpu/check/writer_recorder.h"
#include "vgpu/input_array.h"
#include "vgpu/memory/global_memory.h"
#include "vgpu/store_extent.h"
#include "vgpu/touched_bytes.h"

namespace cudalabs::vgpu {

class WriterLog {
 public:
  /// A launch begins: its arrays are the outputs, and the allocations that hold none. The result is the recorder's.
  std::vector<ByteRange> begin(std::span<const InputArray> outputs, std::span<const GlobalMemory::Range> allocations);
  /// What the launch that began last wrote to an array takes the place of what was known of it. `origins`: of an
  /// instruction that writes.
  void keep(const WriterRecorder& recorder, const ProgramNames& names,
            const std::function<std::vector<OriginPlace>(std::uint32_t)>& origins);
  /// Stores to outputs that no thread of a launch came to.
  void keep_idle(const std::vector<ArrayWriter>& stores);
  /// The host writes these bytes: who wrote before to arrays that hold one of them is of no interest any more.
  void forget(const ByteRange& bytes);

  /// Of the outputs, and of the last launch that wrote to other memory. The first ones only.
  std::vector<ArrayWriter> writers() const;
  /// Of the array that holds the byte. The first ones only.
  std::vector<ArrayWriter> writers_at(std::uint64_t address) const;
  /// Those of all launches, each once. The first ones only.
  const std::vector<ArrayWriter>& idle_stores() const { return idle_; }
  /// What each launch stored to the outputs. The first ones only.
  std::vector<StoreExtent> extents() const;
  /// Likewise, to the output or the allocation that begins with that byte.
  std::vector<StoreExtent> extents_from(std::uint64_t address) const;

 private:
  struct Array {
    ByteRange bytes;
    std::string name;  // of an output
  };
  struct Kept {
    ByteRange bytes;
    std::uint64_t launch = 0;
    ArrayWriter writer;
  };
  struct KeptExtent {
    ByteRange bytes;  // of the array
    StoreExtent extent;
  };
  void keep_extents(const WriterRecorder& recorder, const ProgramNames& names);

  std::vector<Array> arrays_;  // of the launch that began last; the very last stands for all other memory
  std::vector<Kept> kept_;
  std::vector<ArrayWriter> idle_;
  std::vector<KeptExtent> extents_;
  std::uint64_t launch_ = 0;
};

}  // namespace cudalabs::vgpu
