// Pages of unified memory: fetched, opened, compared, sent back.
#include "vgpu/cudart/client/managed_memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vgpu/cudart/client/client.h"
#include "vgpu/cudart/client/own_call.h"
#include "vgpu/unwritten_word.h"

namespace cudalabs::vgpu::client {
namespace {

constexpr std::uint64_t kFirstWindow = 16, kLargestWindow = 512;  // pages; like the blocks that a driver moves
constexpr std::uint64_t kWord = sizeof(std::uint32_t);

std::uint64_t smaller(std::uint64_t a, std::uint64_t b) {
  return a < b ? a : b;
}
std::uint64_t larger(std::uint64_t a, std::uint64_t b) {
  return a > b ? a : b;
}

char* at(std::uint64_t address) {
  return reinterpret_cast<char*>(address);
}

/// The pages once more, at another place where they may be written while the program sees nothing of it.
class SecondView {
 public:
  SecondView(std::uint64_t address, std::uint64_t bytes) : bytes_(bytes) {
    void* const view = mremap(at(address), 0, bytes, MREMAP_MAYMOVE);
    if (view == MAP_FAILED) return;
    if (mprotect(view, bytes, PROT_READ | PROT_WRITE) == 0) {
      data_ = static_cast<char*>(view);
    } else {
      munmap(view, bytes);
    }
  }
  ~SecondView() {
    if (data_ != nullptr) munmap(data_, bytes_);
  }
  SecondView(const SecondView&) = delete;
  SecondView& operator=(const SecondView&) = delete;
  char* data() const { return data_; }

 private:
  char* data_ = nullptr;
  std::uint64_t bytes_;
};

}  // namespace

void fill_unwritten(char* to, std::uint64_t address, std::uint64_t bytes) {
  for (std::uint64_t done = 0; done < bytes; done += kWord) {
    const std::uint32_t word = unwritten_word(address + done);
    memcpy(to + done, &word, smaller(kWord, bytes - done));
  }
}

std::uint64_t ManagedMemory::page_bytes() {
  static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

bool ManagedMemory::add(std::uint64_t address, std::uint64_t bytes) {
  const std::uint64_t page = page_bytes();
  Block block;
  block.address = address;
  block.bytes = bytes;
  block.pages = (bytes + page - 1) / page;
  void* const states =
      mmap(nullptr, block.pages, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (states == MAP_FAILED) return false;
  block.states = static_cast<State*>(states);
  void* const memory = mmap(at(address), block.pages * page, PROT_NONE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  // An old kernel takes the address for a wish.
  if (memory != MAP_FAILED && memory != at(address)) munmap(memory, block.pages * page);
  std::size_t place = 0;
  while (place < blocks_.size() && blocks_[place].address < address) ++place;
  if (memory == at(address) && blocks_.insert(place, block)) return true;
  munmap(states, block.pages);
  if (memory == at(address)) munmap(memory, block.pages * page);
  return false;
}

void ManagedMemory::unmap(Block& block) {
  munmap(at(block.address), block.pages * page_bytes());
  munmap(block.states, block.pages);
  if (block.before != nullptr) munmap(block.before, block.pages * page_bytes());
}

void ManagedMemory::remove(std::uint64_t address) {
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i].address != address) continue;
    unmap(blocks_[i]);
    blocks_.erase(i);
    return;
  }
}

void ManagedMemory::clear() {
  for (Block& block : blocks_) unmap(block);
  blocks_.clear();
}

ManagedMemory::Block* ManagedMemory::block_of(std::uint64_t address) {
  std::size_t first = 0, count = blocks_.size();
  while (count > 0) {
    const std::size_t half = count / 2;
    if (blocks_[first + half].address <= address) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  if (first == 0) return nullptr;
  Block& block = blocks_[first - 1];
  return address - block.address < block.pages * page_bytes() ? &block : nullptr;
}

bool ManagedMemory::holds(std::uint64_t address, std::uint64_t bytes) const {
  const Block* const block = const_cast<ManagedMemory*>(this)->block_of(address);
  return block != nullptr && address - block->address <= block->bytes &&
         bytes <= block->bytes - (address - block->address);
}

std::uint64_t ManagedMemory::bytes_at(std::uint64_t address) const {
  const Block* const block = const_cast<ManagedMemory*>(this)->block_of(address);
  return block != nullptr && block->address == address ? block->bytes : 0;
}

bool ManagedMemory::has_pages_at(std::uint64_t address) const {
  return const_cast<ManagedMemory*>(this)->block_of(address) != nullptr;
}

bool ManagedMemory::serve(Client& client, const HostTouch& touch) {
  Block* const block = block_of(touch.address);
  if (block == nullptr) return false;
  const std::uint64_t page = (touch.address - block->address) / page_bytes();
  const State state = block->states[page];
  // Another thread has touched it first.
  if (state == State::written || (state == State::clean && !touch.writes)) return true;
  switch (fetch(client, *block, page, touch)) {
    case Fetch::done:
      return true;
    case Fetch::no_device:
      // The program, which is told so by its next call, goes on with what is there.
      surrender(*block);
      return true;
    case Fetch::no_memory:
      break;
  }
  constexpr char kText[] = "cudalabs: no memory for pages of unified memory\n";
  (void)!write(STDERR_FILENO, kText, sizeof kText - 1);
  return false;
}

ManagedMemory::Fetch ManagedMemory::fetch(Client& client, Block& block, std::uint64_t page, const HostTouch& touch) {
  if (!client.connected()) return Fetch::no_device;
  const std::uint64_t page_size = page_bytes();
  const State state = block.states[page];
  // Who goes on where the last pages end gets more and more of them.
  block.window = page == block.expected && block.window != 0 ? smaller(2 * block.window, kLargestWindow) : kFirstWindow;
  const std::uint64_t window = page / kFirstWindow * kFirstWindow;
  std::uint64_t first = page, end = page + 1;
  while (first > window && block.states[first - 1] == state) --first;
  while (end < smaller(window + block.window, block.pages) && block.states[end] == state) ++end;
  const auto bytes_of = [&](std::uint64_t from, std::uint64_t to) {
    return smaller(to * page_size, block.bytes) - from * page_size;
  };
  const wire::HostAccess request{smaller(touch.address, block.address + block.bytes - 1),
                                 block.address + page * page_size,
                                 bytes_of(page, page + 1),
                                 block.address + first * page_size,
                                 bytes_of(first, end),
                                 touch.writes,
                                 state != State::away};
  wire::HostAccessed accessed;
  const SecondView view(request.window, (end - first) * page_size);
  if (view.data() == nullptr) return Fetch::no_memory;
  // The data of one page come to the window's begin, and are moved.
  const HostRows rows{reinterpret_cast<std::byte*>(view.data()), 0, request.window_bytes, 1};
  Expected expected;
  expected.result = &accessed;
  expected.result_bytes = sizeof accessed;
  if (request.has_data == 0) expected.rows_after = &rows;
  const OwnCall own(client, touch.origin, touch.outer);
  if (client.exchange(wire::Op::host_access, &request, sizeof request, nullptr, expected) != cudaSuccess)
    return Fetch::no_device;
  if (accessed.page_only != 0) {
    if (request.has_data == 0 && accessed.unwritten == 0)
      memmove(view.data() + (page - first) * page_size, view.data(), request.page_bytes);
    first = page;
    end = page + 1;
  }
  if (accessed.unwritten != 0)
    fill_unwritten(view.data() + (block.address + first * page_size - request.window),
                   block.address + first * page_size, bytes_of(first, end));
  if (end == block.pages && request.has_data == 0) {  // so that a write past the end is seen, whatever it writes
    const std::uint64_t past_end = block.address + (block.bytes + kWord - 1) / kWord * kWord;
    fill_unwritten(view.data() + (past_end - request.window), past_end,
                   block.address + block.pages * page_size - past_end);
  }
  block.expected = end;
  if (touch.writes) {
    block.origin = touch.origin;
    block.outer = touch.outer;
  }
  const bool opened = open(block, first, end - first, touch.writes ? State::written : State::clean);
  return opened ? Fetch::done : Fetch::no_memory;
}

bool ManagedMemory::open(Block& block, std::uint64_t first, std::uint64_t pages, State state) {
  const std::uint64_t page = page_bytes();
  char* const memory = at(block.address + first * page);
  if (state == State::written) {
    if (block.before == nullptr) {
      void* const before =
          mmap(nullptr, block.pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (before == MAP_FAILED) return false;
      block.before = static_cast<char*>(before);
    }
    if (mprotect(memory, pages * page, PROT_READ) != 0) return false;
    memcpy(block.before + first * page, memory, pages * page);
  }
  memset(block.states + first, static_cast<int>(state), pages);
  const bool was_used = block.end_of_used > 0;
  block.first_used = was_used ? smaller(block.first_used, first) : first;
  block.end_of_used = larger(block.end_of_used, first + pages);
  return mprotect(memory, pages * page, state == State::written ? PROT_READ | PROT_WRITE : PROT_READ) == 0;
}

cudaError_t ManagedMemory::prepare(Client& client, wire::Op op, const void* request) {
  const bool uses_memory = op == wire::Op::launch || op == wire::Op::copy_in || op == wire::Op::copy_out ||
                           op == wire::Op::copy_within || op == wire::Op::fill;
  if (empty()) return cudaSuccess;
  if (op == wire::Op::release) {
    // What else it holds is of no use any more.
    Block* const block = block_of(static_cast<const wire::Address*>(request)->address);
    const bool past_end = block != nullptr && block->before != nullptr &&
                          block->states[block->pages - 1] == State::written && written_past_end(*block) > 0;
    return past_end ? send_writes(client, *block) : cudaSuccess;
  }
  if (!uses_memory) return cudaSuccess;
  watch_faults();
  const cudaError_t status = send_writes(client);
  if (op == wire::Op::launch) {
    for (Block& block : blocks_) give_up(block);
  }
  if (op == wire::Op::copy_in) give_up(static_cast<const wire::Copy*>(request)->device.address);
  if (op == wire::Op::copy_within) give_up(static_cast<const wire::CopyWithin*>(request)->to.address);
  if (op == wire::Op::fill) give_up(static_cast<const wire::Fill*>(request)->to.address);
  return status;
}

cudaError_t ManagedMemory::send_writes(Client& client) {
  for (Block& block : blocks_) {
    if (block.before == nullptr) continue;
    if (const cudaError_t status = send_writes(client, block); status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

cudaError_t ManagedMemory::send_writes(Client& client, Block& block) {
  const std::uint64_t page = page_bytes();
  cudaError_t status = cudaSuccess;
  for (std::uint64_t first = block.first_used; first < block.end_of_used;) {
    std::uint64_t end = first;
    while (end < block.end_of_used && block.states[end] == State::written) ++end;
    if (end == first) {
      ++first;
      continue;
    }
    // Before it is read: other threads wait at the lock with what they write from now on.
    mprotect(at(block.address + first * page), (end - first) * page, PROT_READ);
    memset(block.states + first, static_cast<int>(State::clean), end - first);
    const std::uint64_t last = smaller(end * page, block.bytes);
    for (std::uint64_t begin = first * page; begin < last && status == cudaSuccess;) {
      const std::uint64_t bytes = smaller(last - begin, wire::kMostHostWriteBytes);
      const std::uint64_t past_end = begin + bytes == block.bytes ? written_past_end(block) : 0;
      status = send_window(client, block, begin, bytes, past_end);
      begin += bytes;
    }
    first = end;
  }
  munmap(block.before, block.pages * page);
  block.before = nullptr;
  return status;
}

/// Of the last page, which is there and was written.
std::uint64_t ManagedMemory::written_past_end(const Block& block) {
  std::uint64_t end = block.pages * page_bytes();
  while (end > block.bytes && at(block.address)[end - 1] == block.before[end - 1]) --end;
  // Words count as a whole, for their upper bytes are often 0.
  return end == block.bytes ? 0 : (end + kWord - 1) / kWord * kWord - block.bytes;
}

/// What differs from what was there is what the program has written.
cudaError_t ManagedMemory::send_window(Client& client, const Block& block, std::uint64_t begin, std::uint64_t bytes,
                                       std::uint64_t past_end) {
  struct Payload {
    wire::HostWrites head;
    std::uint64_t mask[wire::kMostHostWriteBytes / 256];
  };
  static Payload payload;  // under the lock
  payload.head = {block.address + begin, bytes, past_end};
  const std::uint64_t mask_bytes = payload.head.mask_bytes();
  memset(payload.mask, 0, mask_bytes);
  const char* const now = at(block.address + begin);
  const char* const before = block.before + begin;
  bool any = past_end > 0;
  for (std::uint64_t done = 0; done < bytes; done += kWord) {
    if (memcmp(now + done, before + done, smaller(kWord, bytes - done)) == 0) continue;
    payload.mask[done / kWord / 64] |= std::uint64_t{1} << done / kWord % 64;
    any = true;
  }
  if (!any) return cudaSuccess;
  if (const cudaError_t status = client.mapped.map_named(client, now, bytes); status != cudaSuccess) return status;
  const HostRows rows{reinterpret_cast<std::byte*>(at(block.address + begin)), 0, bytes, 1};
  const HostRows mask{reinterpret_cast<std::byte*>(payload.mask), 0, mask_bytes, 1};
  const OwnCall own(client, block.origin, block.outer);
  Expected nothing;
  return client.exchange(wire::Op::host_writes, &payload.head, sizeof payload.head, &mask, nothing, &rows);
}

void ManagedMemory::give_up(std::uint64_t address) {
  if (Block* const block = block_of(address)) give_up(*block);
}

void ManagedMemory::give_up(Block& block) {
  if (block.end_of_used == 0) return;
  const std::uint64_t page = page_bytes(), pages = block.end_of_used - block.first_used;
  mprotect(at(block.address + block.first_used * page), pages * page, PROT_NONE);
  memset(block.states + block.first_used, static_cast<int>(State::away), pages);
  block.first_used = block.end_of_used = 0;
  block.expected = block.pages;
}

/// The host keeps what it has, and hears of no touch any more.
void ManagedMemory::surrender(Block& block) {
  mprotect(at(block.address), block.pages * page_bytes(), PROT_READ | PROT_WRITE);
  memset(block.states, static_cast<int>(State::written), block.pages);
  if (block.before != nullptr) munmap(block.before, block.pages * page_bytes());
  block.before = nullptr;
}

}  // namespace cudalabs::vgpu::client
