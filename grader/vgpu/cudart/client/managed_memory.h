// Unified memory on the host's side: pages at the addresses that they have on the device, fetched when the host touches
// them and sent back before the device may use them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vgpu/cudart/client/plain_array.h"
#include "vgpu/cudart/include/driver_types.h"
#include "vgpu/cudart/protocol.h"

namespace cudalabs::vgpu::client {

class Client;

/// What the host was about to do when a page fault came, and where in the program; the places are relative to the load
/// address, or 0.
struct HostTouch {
  std::uint64_t address = 0;
  bool writes = false;
  std::uint64_t origin = 0, outer = 0;
};

/// What `unwritten_word` says of these addresses, into `to`; `address` is a multiple of 4.
void fill_unwritten(char* to, std::uint64_t address, std::uint64_t bytes);

/// All of it is called with the client's lock held. Nothing here allocates from the heap once a block is there, nor
/// prints: it runs in signal handlers.
class ManagedMemory {
 public:
  constexpr ManagedMemory() = default;

  static std::uint64_t page_bytes();

  /// Maps what the server has allocated at `address`, a multiple of the page's size. False when the system has no room.
  bool add(std::uint64_t address, std::uint64_t bytes);
  void remove(std::uint64_t address);
  /// All blocks.
  void clear();
  bool empty() const { return blocks_.size() == 0; }
  bool holds(std::uint64_t address, std::uint64_t bytes = 1) const;
  /// A block starts there: its bytes, else 0.
  std::uint64_t bytes_at(std::uint64_t address) const;
  /// Likewise, or behind the last byte on its page.
  bool has_pages_at(std::uint64_t address) const;

  /// Makes the page fit for the touch. False when it is none of these pages, and the fault is the program's.
  bool serve(Client& client, const HostTouch& touch);
  /// Before a request that lets the device touch memory: it gets what the host has written, and the host gives up what
  /// the device may write.
  cudaError_t prepare(Client& client, wire::Op op, const void* request);

 private:
  enum class State : std::uint8_t { away, clean, written };
  struct Block {
    std::uint64_t address = 0, bytes = 0;
    std::uint64_t pages = 0;
    State* states = nullptr;  // by page
    char* before = nullptr;   // what written pages held, at their offsets; null when there are none
    std::uint64_t first_used = 0, end_of_used = 0;  // pages that are not away lie between them
    std::uint64_t window = 0, expected = 0;         // pages that came last, and the page after them
    std::uint64_t origin = 0, outer = 0;            // where it was written last
  };

  Block* block_of(std::uint64_t address);
  enum class Fetch : std::uint8_t { done, no_device, no_memory };

  Fetch fetch(Client& client, Block& block, std::uint64_t page, const HostTouch& touch);
  bool open(Block& block, std::uint64_t first, std::uint64_t pages, State state);
  cudaError_t send_writes(Client& client);
  cudaError_t send_writes(Client& client, Block& block);
  cudaError_t send_window(Client& client, const Block& block, std::uint64_t begin, std::uint64_t bytes,
                          std::uint64_t past_end);
  static std::uint64_t written_past_end(const Block& block);
  void give_up(std::uint64_t address);
  static void give_up(Block& block);
  static void unmap(Block& block);
  static void surrender(Block& block);

  Array<Block> blocks_;  // by address
};

/// From now on page faults in unified memory are served. To be called again before the host gets back to the program:
/// a handler that the program has set in the meantime then comes after ours.
void watch_faults();

}  // namespace cudalabs::vgpu::client
