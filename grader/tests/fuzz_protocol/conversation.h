// What a client says in one session, from its greeting on.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "vgpu/cudart/call_names.h"
#include "vgpu/cudart/protocol.h"

namespace cudalabs::vgpu::fuzz {

class Conversation {
 public:
  explicit Conversation(const wire::Hello& hello = {}) { say(wire::Op::hello, hello); }

  /// `data` follows the struct unframed; but `parameters` bytes of it belong to the request.
  template <class T>
  requires std::is_trivially_copyable_v<T> Conversation& say(wire::Op op, const T& payload,
                                                             const std::string& data = "",
                                                             std::uint32_t parameters = 0) {
    return call(wire::call("cudaMemcpy"), op, payload, data, parameters);
  }
  Conversation& say(wire::Op op) {
    add_header(op, wire::call("cudaDeviceSynchronize"), 0);
    return *this;
  }
  Conversation& note(std::uint16_t call_number, const wire::Note& note) {
    return call(call_number, wire::Op::note, note);
  }
  Conversation& load(const std::string& image) {
    return say(wire::Op::load_module, wire::LoadModule{image.size()}, image);
  }
  /// Of a kernel of the first module, with one block.
  Conversation& launch(std::uint32_t kernel, std::uint64_t stream, const std::string& parameters = "",
                       std::uint32_t threads = 32) {
    wire::Launch launch;
    launch.kernel = {0, kernel};
    for (int axis = 0; axis < 3; ++axis) launch.grid[axis] = launch.block[axis] = 1;
    launch.block[0] = threads;
    launch.stream = stream;
    launch.parameter_bytes = static_cast<std::uint32_t>(parameters.size());
    launch.status_dropped = 1;
    return say(wire::Op::launch, launch, parameters, launch.parameter_bytes);
  }
  Conversation& words(std::uint64_t stream, const std::vector<wire::MemoryOperation>& operations) {
    std::string data(reinterpret_cast<const char*>(operations.data()), operations.size() * sizeof operations[0]);
    const wire::MemoryOperations head{stream, static_cast<std::uint32_t>(operations.size())};
    return say(wire::Op::memory_operations, head, data, static_cast<std::uint32_t>(data.size()));
  }

  const std::string& bytes() const { return bytes_; }
  /// Of its requests, in order.
  const std::vector<wire::Op>& operations() const { return operations_; }

 private:
  template <class T>
  Conversation& call(std::uint16_t number, wire::Op op, const T& payload, const std::string& data = "",
                     std::uint32_t parameters = 0) {
    add_header(op, number, static_cast<std::uint32_t>(sizeof payload) + parameters);
    add(payload);
    bytes_ += data;
    return *this;
  }
  void add_header(wire::Op op, std::uint16_t call_number, std::uint32_t bytes) {
    wire::RequestHeader header;
    header.bytes = bytes;
    header.op = op;
    header.call = call_number;
    header.origin = 0x1000 + 16 * operations_.size();  // a call site each
    operations_.push_back(op);
    add(header);
  }
  template <class T>
  void add(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }

  std::string bytes_;
  std::vector<wire::Op> operations_;
};

}  // namespace cudalabs::vgpu::fuzz
