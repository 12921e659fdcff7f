// What copies to the host brought: how much of it was ever written on the device, and which lines of kernels wrote.
#include "vgpu/cudart/server/host_copies.h"

#include <algorithm>

#include "vgpu/cudart/server/row_cursor.h"

namespace cudalabs::vgpu {
namespace {

/// Call sites are claims: a client may make up any number.
constexpr std::size_t kMostCopies = 64, kMostWriters = 16;

std::uint64_t written_bytes(const VirtualGpu& gpu, const wire::Rows& rows, std::uint64_t bytes) {
  RowCursor cursor(rows);
  std::uint64_t written = 0;
  for (std::uint64_t left = bytes; left > 0;) {
    const RowCursor::Piece piece = cursor.next(left);
    written += gpu.written_bytes(piece.address, piece.bytes);
    left -= piece.bytes;
  }
  return written;
}

}  // namespace

void HostCopies::add(const Asked& asked, const VirtualGpu& gpu) {
  auto known = std::ranges::find(copies_, asked.origin, &HostCopy::origin);
  if (known == copies_.end()) {
    if (copies_.size() >= kMostCopies) return;
    HostCopy fresh;
    fresh.name = asked.name;
    fresh.origin = asked.origin;
    fresh.elsewhere = true;
    copies_.push_back(std::move(fresh));
    known = std::prev(copies_.end());
  }
  const std::uint64_t bytes = asked.rows.width * asked.rows.height;
  const std::uint64_t unwritten = bytes - written_bytes(gpu, asked.rows, bytes);
  ++known->calls;
  known->bytes += bytes;
  known->unwritten += unwritten;
  if (unwritten != 0) {
    const std::uint64_t in_block = gpu.written_bytes(asked.block.begin, asked.block.end - asked.block.begin);
    known->elsewhere = known->elsewhere && !asked.host_wrote && in_block >= bytes;
  }
  known->extents = known->calls == 1 ? gpu.store_extents_from(asked.rows.address) : std::vector<StoreExtent>();
  for (ArrayWriter& writer : gpu.writers_at(asked.rows.address)) {
    if (known->writers.size() >= kMostWriters) break;
    if (std::ranges::find(known->writers, writer) == known->writers.end()) known->writers.push_back(std::move(writer));
  }
}

}  // namespace cudalabs::vgpu
