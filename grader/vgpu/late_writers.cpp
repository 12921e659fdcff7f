// Asks memory's own bits before and after each launch.
#include "vgpu/late_writers.h"

#include <algorithm>

#include "vgpu/check/finding_ids.h"

namespace cudalabs::vgpu {
namespace {

bool is_written(const GlobalMemory& memory, std::uint64_t address, std::uint32_t bytes) {
  const std::optional<Allocation> allocation = memory.find(address);
  return allocation && allocation->holds(address, bytes) && memory.initialized().test(address - kGlobalBase, bytes);
}

}  // namespace

void LateWriters::begin_launch(const GlobalMemory& memory) {
  std::erase_if(reads_, [&](const Read& read) { return !read.writer && is_written(memory, read.address, read.bytes); });
}

void LateWriters::end_launch(std::uint64_t launch, const std::string& kernel, const GlobalMemory& memory) {
  for (Read& read : reads_)
    if (!read.writer && is_written(memory, read.address, read.bytes)) read.writer = LateWriter{kernel, launch};
}

void LateWriters::add_reads(std::span<const Finding> findings, const GlobalMemory& memory) {
  for (const Finding& finding : findings) {
    if (finding.id != finding_ids::kUninitializedRead || !finding.address || finding.access.bytes == 0) continue;
    const std::uint64_t address = *finding.address;
    if (reads_.size() >= kMostReads || !memory.find(address)) continue;
    if (!is_written(memory, address, finding.access.bytes))
      reads_.push_back({finding.launch.number, address, finding.access.bytes, {}});
  }
}

void LateWriters::forget(std::uint64_t address, std::uint64_t bytes) {
  std::erase_if(reads_, [&](const Read& read) { return !read.writer && read.address - address < bytes; });
}

std::optional<LateWriter> LateWriters::of(std::uint64_t address, std::uint64_t launch) const {
  const auto found =
      std::ranges::find_if(reads_, [&](const Read& read) { return read.address == address && read.launch == launch; });
  return found == reads_.end() ? std::nullopt : found->writer;
}

}  // namespace cudalabs::vgpu
