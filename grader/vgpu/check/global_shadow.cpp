// Reservation, renewal and splitting of lines.
#include "vgpu/check/global_shadow.h"

#include <algorithm>

namespace cudalabs::vgpu {

namespace {

constexpr std::uint64_t lines_for(std::uint64_t bytes) {
  return (bytes + GlobalShadow::kLineBytes - 1) / GlobalShadow::kLineBytes;
}

}  // namespace

GlobalShadow::GlobalShadow(std::uint64_t base, std::uint64_t bytes)
    : base_(base),
      cell_memory_(lines_for(bytes) * kLineWords * sizeof(GlobalCell), Reservation::Access::read_write),
      line_memory_(lines_for(bytes) * sizeof(Line), Reservation::Access::read_write),
      mark_memory_(lines_for(bytes), Reservation::Access::read_write),
      cells_(reinterpret_cast<GlobalCell*>(cell_memory_.data())),
      lines_(reinterpret_cast<Line*>(line_memory_.data())),
      marks_(reinterpret_cast<std::atomic<std::uint8_t>*>(mark_memory_.data())) {}

void GlobalShadow::release(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t first = lines_for(offset(address));
  const std::uint64_t end = (offset(address) + bytes) / kLineBytes;
  if (end <= first) return;
  cell_memory_.release(first * kLineWords * sizeof(GlobalCell), (end - first) * kLineWords * sizeof(GlobalCell));
  line_memory_.release(first * sizeof(Line), (end - first) * sizeof(Line));
}

void GlobalShadow::begin_launch() {
  ++launch_;
  byte_cells_used_ = 0;
  // Marks are a byte, for one look at many of them; when the values are used up they start anew.
  if (++mark_ == 0) {
    mark_memory_.release(0, mark_memory_.size());
    mark_ = 1;
  }
}

void GlobalShadow::renew(Line& line, std::uint64_t number) {
  line.launch = launch_;
  line.saturated = 0;
  line.bytes = 0;
  std::fill_n(words(number), kLineWords, GlobalCell{});
}

GlobalShadow::ByteCells* GlobalShadow::byte_cells_of(const Line& line) {
  const std::lock_guard lock(mutex_);
  return byte_cells_[line.bytes - 1].get();
}

GlobalShadow::ByteCells& GlobalShadow::bytes(Line& line, std::uint64_t number) {
  if (line.bytes == 0) {
    const std::lock_guard lock(mutex_);
    if (byte_cells_used_ == byte_cells_.size()) byte_cells_.push_back(std::make_unique<ByteCells>());
    ByteCells& fresh = *byte_cells_[byte_cells_used_++];
    for (std::uint64_t i = 0; i < kLineBytes; ++i) fresh[i] = words(number)[i / kWord];
    line.bytes = byte_cells_used_;
    return fresh;
  }
  return *byte_cells_of(line);
}

}  // namespace cudalabs::vgpu
