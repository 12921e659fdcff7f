// Page-locked memory that kernels use: compared, sent, received, taken from the host while the device may be at work.
#include "vgpu/cudart/client/mapped_memory.h"

#include <string.h>
#include <sys/mman.h>

#include "vgpu/cudart/client/client.h"
#include "vgpu/cudart/client/own_call.h"

namespace cudalabs::vgpu::client {
namespace {

constexpr std::uint64_t kWord = sizeof(std::uint32_t);
constexpr std::uint64_t kNear = 64 << 10;  // so far from memory may an address lie that is meant to reach it

std::uint64_t smaller(std::uint64_t a, std::uint64_t b) {
  return a < b ? a : b;
}
char* at(std::uint64_t address) {
  return reinterpret_cast<char*>(address);
}

/// The memory of a running function must stay where it is: the handler of a page fault needs it.
bool is_on_stack(std::uint64_t address) {
  constexpr std::uint64_t kLargestStack = 64 << 20;
  const char here = 0;
  return address + kLargestStack - address_of(&here) < 2 * kLargestStack;
}

}  // namespace

const MappedMemory::Block* MappedMemory::block_of(std::uint64_t address) const {
  for (const Block& block : blocks_)
    if (address - block.address < block.bytes) return &block;
  return nullptr;
}

MappedMemory::Block* MappedMemory::block_at_device(std::uint64_t device) {
  for (Block& block : blocks_)
    if (device - block.device < block.bytes) return &block;
  return nullptr;
}

std::uint64_t MappedMemory::device_of(std::uint64_t address) const {
  const Block& block = *block_of(address);
  return block.device + (address - block.address);
}

cudaError_t MappedMemory::map(Client& client, const Range& range) {
  if (range.device == 0 || block_at_device(range.device) != nullptr) return cudaSuccess;
  // Copies that are on their way come first: from now on they are made on the device.
  const Range wanted = range;
  cudaError_t status = client.settle(wanted.address, wanted.bytes);
  if (status != cudaSuccess) return status;
  Block block;
  block.address = wanted.first();
  block.bytes = wanted.address + wanted.bytes - block.address;
  block.device = wanted.device;
  void* const known =
      mmap(nullptr, block.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (known == MAP_FAILED) return cudaErrorMemoryAllocation;
  block.known = static_cast<char*>(known);
  const std::uint64_t page = ManagedMemory::page_bytes();
  if (wanted.registered) {
    // All of it counts as written: nobody knows what is.
    for (std::uint64_t i = 0; i < block.bytes; ++i) block.known[i] = static_cast<char>(~at(block.address)[i]);
    block.pages_begin = (block.address + page - 1) / page * page;
    block.pages_end = (block.address + block.bytes) / page * page;
    if (block.pages_end < block.pages_begin || is_on_stack(block.address)) block.pages_end = block.pages_begin;
  } else {
    fill_unwritten(block.known, block.device, block.bytes);
    block.pages_begin = block.address;
    block.pages_end = (block.address + block.bytes + page - 1) / page * page;
  }
  {
    const OwnCall own(client, client.origin, client.outer_origin);
    status = client.ask(wire::Op::map_host, wire::Address{block.device});
  }
  if (status == cudaSuccess && blocks_.push(block)) return cudaSuccess;
  munmap(block.known, block.bytes);
  return status == cudaSuccess ? cudaErrorMemoryAllocation : status;
}

cudaError_t MappedMemory::map_named(Client& client, const void* words, std::uint64_t bytes) {
  if (client.page_locked.begin() == client.page_locked.end()) return cudaSuccess;
  const std::uint64_t low = client.page_locked.begin()->address - kNear;
  const Range& last = *(client.page_locked.end() - 1);
  const std::uint64_t span = last.address + last.bytes + kNear - low;
  for (std::uint64_t done = 0; done + sizeof(std::uint64_t) <= bytes; done += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    memcpy(&word, static_cast<const char*>(words) + done, sizeof word);
    if (word - low >= span || client.is_device(at(word))) continue;
    for (const Range& range : client.page_locked) {
      if (word - range.address + kNear >= range.bytes + 2 * kNear) continue;
      if (const cudaError_t status = map(client, range); status != cudaSuccess) return status;
    }
  }
  return cudaSuccess;
}

void MappedMemory::remove(std::uint64_t device) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i].device != device) continue;
    give_back(blocks_[i]);
    munmap(blocks_[i].known, blocks_[i].bytes);
    blocks_.erase(i);
    return;
  }
}

void MappedMemory::clear() {
  for (Block& block : blocks_) {
    give_back(block);
    munmap(block.known, block.bytes);
  }
  blocks_.clear();
}

cudaError_t MappedMemory::prepare(Client& client, wire::Op op, const void* request) {
  if (blocks_.size() == 0) return cudaSuccess;
  switch (op) {
    case wire::Op::launch:
      // What one of them names is mapped on the way, and stands at the end.
      for (std::size_t i = 0; i < blocks_.size(); ++i) {
        if (const cudaError_t status = use(client, blocks_[i].device); status != cudaSuccess) return status;
      }
      return cudaSuccess;
    case wire::Op::copy_in:
    case wire::Op::copy_out:
      return use(client, static_cast<const wire::Copy*>(request)->device.address);
    case wire::Op::fill:
      return use(client, static_cast<const wire::Fill*>(request)->to.address);
    case wire::Op::copy_within: {
      const auto& copy = *static_cast<const wire::CopyWithin*>(request);
      const cudaError_t status = use(client, copy.from.address);
      return status == cudaSuccess ? use(client, copy.to.address) : status;
    }
    case wire::Op::memory_operations: {
      const auto* const head = static_cast<const wire::MemoryOperations*>(request);
      const auto* const operations = reinterpret_cast<const wire::MemoryOperation*>(head + 1);
      for (std::uint32_t i = 0; i < head->count; ++i) {
        if (operations[i].kind != wire::MemoryOperation::Kind::write) continue;
        if (const cudaError_t status = use(client, operations[i].address); status != cudaSuccess) return status;
      }
      return send_all(client);
    }
    case wire::Op::stream_synchronize:
    case wire::Op::stream_query:
    case wire::Op::event_query:
    case wire::Op::event_synchronize:
    case wire::Op::synchronize:
      return client.waits_for_values ? send_all(client) : cudaSuccess;
    default:
      return cudaSuccess;
  }
}

cudaError_t MappedMemory::send_all(Client& client) {
  // What one of them names is mapped on the way, and stands at the end.
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (const cudaError_t status = send_writes(client, blocks_[i]); status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

/// The device is about to use the block that holds the byte, if one does.
cudaError_t MappedMemory::use(Client& client, std::uint64_t device) {
  Block* block = block_at_device(device);
  if (block == nullptr) return cudaSuccess;
  const std::uint64_t begin = block->device;
  const cudaError_t status = send_writes(client, *block);
  block = block_at_device(begin);  // it may have moved
  if (status == cudaSuccess) take(*block);
  return status;
}

/// What differs from what the device has is what the program has written. Pages that are taken hold nothing new.
cudaError_t MappedMemory::send_writes(Client& client, Block& block) {
  const std::uint64_t begin = block.address, end = begin + block.bytes, device = block.device;
  if (block.taken_begin == block.taken_end || block.opened) {
    give_back(block);
    return send_writes(client, device, begin, end);
  }
  const std::uint64_t taken_end = smaller(block.taken_end, end);
  const cudaError_t status = send_writes(client, device, begin, block.taken_begin);
  return status == cudaSuccess ? send_writes(client, device, taken_end, end) : status;
}

cudaError_t MappedMemory::send_writes(Client& client, std::uint64_t device, std::uint64_t begin, std::uint64_t end) {
  struct Payload {
    wire::HostWrites head;
    std::uint64_t mask[wire::kMostHostWriteBytes / 256];
  };
  static Payload payload;  // under the lock
  for (; begin < end; begin += smaller(wire::kMostHostWriteBytes, end - begin)) {
    const Block& block = *block_at_device(device);  // it may move while others are mapped
    const std::uint64_t bytes = smaller(wire::kMostHostWriteBytes, end - begin), offset = begin - block.address;
    const char* const now = at(begin);
    char* const known = block.known + offset;
    if (memcmp(now, known, bytes) == 0) continue;
    payload.head = {device + offset, bytes, 0};
    memset(payload.mask, 0, payload.head.mask_bytes());
    for (std::uint64_t done = 0; done < bytes; done += kWord) {
      const std::uint64_t part = smaller(kWord, bytes - done);
      if (memcmp(now + done, known + done, part) == 0) continue;
      payload.mask[done / kWord / 64] |= std::uint64_t{1} << done / kWord % 64;
      memcpy(known + done, now + done, part);
    }
    if (const cudaError_t status = map_named(client, known, bytes); status != cudaSuccess) return status;
    const HostRows rows{reinterpret_cast<std::byte*>(known), 0, bytes, 1};
    const HostRows mask{reinterpret_cast<std::byte*>(payload.mask), 0, payload.head.mask_bytes(), 1};
    const OwnCall own(client, client.origin, client.outer_origin);
    Expected nothing;
    const cudaError_t status =
        client.exchange(wire::Op::host_writes, &payload.head, sizeof payload.head, &mask, nothing, &rows);
    if (status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

void MappedMemory::take(Block& block) {
  if (block.pages_begin == block.pages_end) return;
  watch_faults();
  block.taken_begin = block.pages_begin;
  block.taken_end = block.pages_end;
  block.opened = false;
  protect(block, PROT_NONE);
}

void MappedMemory::give_back(Block& block) {
  protect(block, PROT_READ | PROT_WRITE);
  block.taken_begin = block.taken_end = 0;
}

/// Memory that may only be read, such as that of a file, stays so.
void MappedMemory::protect(const Block& block, int protection) {
  if (block.taken_begin == block.taken_end) return;
  char* const pages = at(block.taken_begin);
  const std::uint64_t bytes = block.taken_end - block.taken_begin;
  if (mprotect(pages, bytes, protection) != 0) mprotect(pages, bytes, PROT_READ);
}

MappedMemory::Block* MappedMemory::block_taken_at(std::uint64_t address) {
  for (Block& block : blocks_)
    if (address >= block.taken_begin && address < block.taken_end) return &block;
  return nullptr;
}

bool MappedMemory::has_taken(std::uint64_t address) const {
  return const_cast<MappedMemory*>(this)->block_taken_at(address) != nullptr;
}

void MappedMemory::serve(Client& client, const HostTouch& touch) {
  Block* const block = block_taken_at(touch.address);
  if (block == nullptr) return;  // another thread has touched it first
  // The program, which is told so by its next call, goes on with what is there.
  if (is_forked() || !client.connected() || client.dead_context != cudaSuccess) return give_back(*block);
  const std::uint64_t page_size = ManagedMemory::page_bytes();
  const std::uint64_t page = touch.address / page_size * page_size, end = block->address + block->bytes;
  const std::uint64_t device = block->device - block->address;
  const wire::HostAccess request{smaller(touch.address, end - 1) + device,
                                 page + device,
                                 smaller(page + page_size, end) - page,
                                 block->device,
                                 block->bytes,
                                 touch.writes,
                                 1};
  wire::HostAccessed accessed;
  const OwnCall own(client, touch.origin, touch.outer);
  if (client.ask(wire::Op::host_access, request, &accessed) != cudaSuccess || accessed.page_only == 0)
    return give_back(*block);
  block->opened = true;
  mprotect(at(page), page_size, PROT_READ | PROT_WRITE);
}

void MappedMemory::set_free(std::uint64_t device) {
  if (Block* const block = block_at_device(device)) give_back(*block);
}

bool MappedMemory::receive(Socket& socket, std::uint64_t frame_bytes) {
  static wire::HostRange ranges[wire::kMostHostRanges];  // under the lock
  static char data[wire::kMostHostWriteBytes];
  wire::HostBytes head;
  if (frame_bytes < sizeof head || !socket.receive(&head, sizeof head) || head.ranges > wire::kMostHostRanges ||
      head.bytes > wire::kMostHostWriteBytes ||
      frame_bytes != sizeof head + head.ranges * sizeof(wire::HostRange) + head.bytes ||
      !socket.receive(ranges, head.ranges * sizeof(wire::HostRange)) || !socket.receive(data, head.bytes))
    return false;
  std::uint64_t done = 0;
  for (std::uint64_t i = 0; i < head.ranges; ++i) {
    if (ranges[i].bytes > head.bytes - done) return false;
    take_in(ranges[i], data + done);
    done += ranges[i].bytes;
  }
  return true;
}

/// Bytes that the device has changed; what the host has written meanwhile stays.
void MappedMemory::take_in(const wire::HostRange& range, const char* data) {
  Block* const block = block_at_device(range.address);
  if (block == nullptr || range.bytes > block->bytes - (range.address - block->device)) return;
  const std::uint64_t offset = range.address - block->device;
  char* const known = block->known + offset;
  char* const memory = at(block->address + offset);
  if (memcmp(known, data, range.bytes) == 0) return;
  const bool taken = block->taken_begin < block->taken_end;
  if (taken) protect(*block, PROT_READ | PROT_WRITE);
  for (std::uint64_t i = 0; i < range.bytes; ++i) {
    if (known[i] != data[i]) memory[i] = known[i] = data[i];
  }
  if (taken) protect(*block, PROT_NONE);
}

}  // namespace cudalabs::vgpu::client
