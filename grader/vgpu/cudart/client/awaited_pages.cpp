// Page-locked memory of the runtime's own has its pages for itself; memory that was registered has not.
#include "vgpu/cudart/client/awaited_pages.h"

#include <sys/mman.h>

#include "vgpu/cudart/client/own_call.h"

namespace cudalabs::vgpu::client {
namespace {

void* page_at(std::uint64_t address) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
}

}  // namespace

void take_pages(const Client& client, PendingCopy& copy) {
  const bool gapless = copy.rows.height == 1 || copy.rows.pitch == copy.rows.width;
  const std::uint64_t begin = address_of(copy.rows.data), end = begin + copy.rows.bytes();
  const Range* const block = client.page_locked.holding(begin);
  if (!gapless || block == nullptr || block->registered) return;
  const std::uint64_t page = ManagedMemory::page_bytes();
  const std::uint64_t end_of_block = block->address + block->bytes;
  const std::uint64_t first = (begin + page - 1) / page * page;
  // What is left of the block's last page is nobody's, as far as the block has it.
  const std::uint64_t owned = (block->bytes + kHostPage - 1) / kHostPage * kHostPage + block->address;
  const std::uint64_t last = (end == end_of_block ? owned : end) / page * page;
  if (first >= last || mprotect(page_at(first), last - first, PROT_NONE) != 0) return;
  copy.taken_begin = first;
  copy.taken_end = last;
  watch_faults();
}

void give_pages_back(PendingCopy& copy) {
  if (copy.taken_begin == copy.taken_end) return;
  mprotect(page_at(copy.taken_begin), copy.taken_end - copy.taken_begin, PROT_READ | PROT_WRITE);
  copy.taken_begin = copy.taken_end = 0;
}

bool touch_awaited(Client& client, const HostTouch& touch, bool in_call) {
  bool found = false;
  for (PendingCopy& copy : client.pending_copies) {
    if (touch.address < copy.taken_begin || touch.address >= copy.taken_end) continue;
    found = true;
    give_pages_back(copy);
    if (in_call || is_forked() || client.dead_context != cudaSuccess) continue;
    const OwnCall own(client, touch.origin, touch.outer);
    client.ask(wire::Op::touch_awaited, wire::AwaitedTouch{copy.id, touch.writes, 0});
  }
  return found;
}

}  // namespace cudalabs::vgpu::client
