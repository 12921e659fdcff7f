// Page-locked memory that kernels use: the host keeps it where it is, and the device has a copy. What the host has
// written goes to the device before each launch; what the device has written comes back when the program waits for it.
#pragma once

#include "vgpu/cudart/client/managed_memory.h"
#include "vgpu/cudart/client/ranges.h"
#include "vgpu/cudart/client/socket.h"

namespace cudalabs::vgpu::client {

/// All of it is called with the client's lock held. What a page fault or a frame calls for allocates nothing.
class MappedMemory {
 public:
  constexpr MappedMemory() = default;

  /// Maps page-locked memory, unless it is mapped already.
  cudaError_t map(Client& client, const Range& range);
  /// Maps what these bytes name: a word of eight bytes in them is an address in page-locked memory, or near it.
  cudaError_t map_named(Client& client, const void* words, std::uint64_t bytes);
  /// That memory goes.
  void remove(std::uint64_t device);
  void clear();

  bool holds(std::uint64_t address) const { return block_of(address) != nullptr; }
  /// The device's address of a byte that `holds` is true of.
  std::uint64_t device_of(std::uint64_t address) const;

  /// As ManagedMemory has it. Until the program has waited the host does not have the pages of what the device may use.
  cudaError_t prepare(Client& client, wire::Op op, const void* request);
  /// What the host has written goes to the device, which a stream of it may wait for.
  cudaError_t send_all(Client& client);
  /// The byte lies on a page that the host does not have.
  bool has_taken(std::uint64_t address) const;
  /// The host touches such a page: it gets what the device has made of it, and is told where it should have waited.
  void serve(Client& client, const HostTouch& touch);
  /// Of frames from the server. False when the connection is of no use any more.
  bool receive(Socket& socket, std::uint64_t frame_bytes);
  void set_free(std::uint64_t device);

 private:
  struct Block {
    std::uint64_t address = 0, bytes = 0;
    std::uint64_t device = 0;
    char* known = nullptr;                         // what the device has, as far as the host knows
    std::uint64_t taken_begin = 0, taken_end = 0;  // pages
    bool opened = false;                           // some of these were touched, and given back
    std::uint64_t pages_begin = 0, pages_end = 0;  // that are nothing else's
  };

  const Block* block_of(std::uint64_t address) const;
  Block* block_at_device(std::uint64_t device);
  Block* block_taken_at(std::uint64_t address);
  cudaError_t send_writes(Client& client, Block& block);
  cudaError_t send_writes(Client& client, std::uint64_t device, std::uint64_t begin, std::uint64_t end);
  cudaError_t use(Client& client, std::uint64_t device);
  static void take(Block& block);
  static void give_back(Block& block);
  static void protect(const Block& block, int protection);
  void take_in(const wire::HostRange& range, const char* data);

  Array<Block> blocks_;
};

}  // namespace cudalabs::vgpu::client
