// Which lines of kernels wrote to which array last, over all launches.
#include "vgpu/writer_log.h"

#include <algorithm>
#include <set>

namespace cudalabs::vgpu {
namespace {

/// Far more than people look at; a program may be hostile.
constexpr std::size_t kMostWriters = 64, kMostKept = 4096;

bool meet(const ByteRange& left, const ByteRange& right) {
  return left.begin < right.end && right.begin < left.end;
}

void add(std::vector<ArrayWriter>& writers, const ArrayWriter& writer) {
  if (writers.size() < kMostWriters && std::ranges::find(writers, writer) == writers.end()) writers.push_back(writer);
}

}  // namespace

std::vector<ByteRange> WriterLog::begin(std::span<const InputArray> outputs,
                                        std::span<const GlobalMemory::Range> allocations) {
  ++launch_;
  arrays_.clear();
  for (const InputArray& output : outputs)
    arrays_.push_back({{output.address, output.address + output.bytes}, output.name});
  for (const GlobalMemory::Range& allocation : allocations) {
    const ByteRange bytes{allocation.address, allocation.address + allocation.bytes};
    const auto holds = [&](const InputArray& output) { return output.meets(bytes.begin, allocation.bytes); };
    if (std::ranges::none_of(outputs, holds)) arrays_.push_back({bytes, {}});
  }
  std::vector<ByteRange> ranges;
  for (const Array& array : arrays_) ranges.push_back(array.bytes);
  arrays_.emplace_back();
  return ranges;
}

void WriterLog::keep(const WriterRecorder& recorder, const ProgramNames& names,
                     const std::function<std::vector<OriginPlace>(std::uint32_t)>& origins) {
  const auto written = recorder.written();
  std::set<std::uint64_t> replaced;
  for (const auto& [array, instruction] : written) replaced.insert(arrays_[array].bytes.begin);
  std::erase_if(kept_, [&](const Kept& kept) { return replaced.contains(kept.bytes.begin); });
  for (const auto& [array, instruction] : written) {
    const Array& known = arrays_[array];
    Kept kept{known.bytes, launch_, {known.name, names.kernel(), names.place(instruction), origins(instruction)}};
    const auto same = [&](const Kept& other) {
      return other.bytes == kept.bytes && other.launch == kept.launch && other.writer == kept.writer;
    };
    if (kept_.size() < kMostKept && std::ranges::none_of(kept_, same)) kept_.push_back(std::move(kept));
  }
  keep_extents(recorder, names);
}

/// A line that a loop around it was unrolled for is one.
void WriterLog::keep_extents(const WriterRecorder& recorder, const ProgramNames& names) {
  for (const auto& [what, written] : recorder.extents()) {
    const Array& array = arrays_[what.first];
    if (array.bytes.begin == array.bytes.end) continue;
    StoreExtent extent{array.name,
                       names.kernel(),
                       names.place(what.second),
                       launch_,
                       written.threads,
                       written.stores,
                       written.bytes.begin - array.bytes.begin,
                       written.bytes.end - array.bytes.begin};
    const auto same = std::ranges::find_if(extents_, [&](const KeptExtent& kept) {
      return kept.bytes == array.bytes && kept.extent.launch == launch_ &&
             kept.extent.where.file == extent.where.file && kept.extent.where.line == extent.where.line;
    });
    if (same == extents_.end()) {
      if (extents_.size() < kMostKept) extents_.push_back({array.bytes, std::move(extent)});
      continue;
    }
    StoreExtent& known = same->extent;
    known.threads = std::max(known.threads, extent.threads);
    known.stores += extent.stores;
    known.first = std::min(known.first, extent.first);
    known.end = std::max(known.end, extent.end);
  }
}

void WriterLog::keep_idle(const std::vector<ArrayWriter>& stores) {
  for (const ArrayWriter& store : stores) add(idle_, store);
}

void WriterLog::forget(const ByteRange& bytes) {
  std::erase_if(kept_, [&](const Kept& kept) { return meet(kept.bytes, bytes); });
  std::erase_if(extents_, [&](const KeptExtent& kept) { return meet(kept.bytes, bytes); });
}

std::vector<ArrayWriter> WriterLog::writers() const {
  std::uint64_t last = 0;  // that wrote to what is no output
  for (const Kept& kept : kept_)
    if (kept.writer.array.empty()) last = std::max(last, kept.launch);
  std::vector<ArrayWriter> writers;
  for (const Kept& kept : kept_)
    if (!kept.writer.array.empty() || kept.launch == last) add(writers, kept.writer);
  return writers;
}

std::vector<StoreExtent> WriterLog::extents() const {
  std::vector<StoreExtent> extents;
  for (const KeptExtent& kept : extents_)
    if (!kept.extent.array.empty() && extents.size() < StoreExtent::kMost) extents.push_back(kept.extent);
  return extents;
}

std::vector<StoreExtent> WriterLog::extents_from(std::uint64_t address) const {
  std::vector<StoreExtent> extents;
  for (const KeptExtent& kept : extents_)
    if (kept.bytes.begin == address && extents.size() < StoreExtent::kMost) extents.push_back(kept.extent);
  return extents;
}

std::vector<ArrayWriter> WriterLog::writers_at(std::uint64_t address) const {
  std::vector<ArrayWriter> writers;
  for (const Kept& kept : kept_)
    if (meet(kept.bytes, {address, address + 1})) add(writers, kept.writer);
  return writers;
}

}  // namespace cudalabs::vgpu
