// What `vgpu-server` and the process that started it say to each other: orders to serve a client go over one seqpacket
// socket, the news of each over another, its link. All of it is between trusted processes; no client gets either
// socket.
//
// A process that serves a client says that it is `ready` over the link, itself, so that the kernel can tell the
// listener who that is (SO_PASSCRED). It waits for one byte in reply, closes the link and turns to its client. When it
// is over the server says that it has `ended`, and keeps its number until the other end of the link is closed.
#pragma once

#include <cstdint>

#include "vgpu/cudart/session_faults.h"

namespace cudalabs::vgpu {

/// Comes with descriptors, in this order: the link; as ServeOptions has them, the connection and the report; what takes
/// the process's standard output and error; the transfers', the replacements', the device code's, and the mutants'
/// order and log, if there are any.
struct ServeOrder {
  static constexpr std::uint32_t kMagic = 0x4f524456;
  static constexpr std::uint32_t kMostDescriptors = 9;

  std::uint32_t magic = kMagic;
  std::uint8_t checks = 1;  // races and initialisation
  // As in ServeOptions.
  std::uint8_t record_accesses = 0;
  std::uint8_t transfers = 0;     // 1: with a descriptor
  std::uint8_t replacements = 0;  // likewise
  std::uint8_t device_code = 0;   // likewise
  std::uint8_t mutants = 0;       // 1: with two descriptors
  std::uint8_t access_counters = 1;
  std::uint8_t stops_slow_blocks = 0;
  char model[32] = "t4";  // NUL-terminated
  std::uint64_t sampled_blocks = 0;
  std::uint64_t reset_variables = 0;
  std::uint64_t output_kib = 0;
  std::uint64_t device_mib = 0;
  double kernel_seconds = 0;
  std::uint64_t instruction_limit = 0;
  SessionFaults faults;
  // Of the process.
  std::uint64_t cpu_seconds = 0;  // processor time
  std::uint64_t file_bytes = 0;   // largest file it may write
};

struct ServeNews {
  static constexpr std::uint32_t kMagic = 0x4e455753;
  enum class Kind : std::uint32_t { ready, ended };

  std::uint32_t magic = kMagic;
  Kind kind = Kind::ready;
  // Of one that has ended.
  std::int32_t wait_status = 0;  // as waitpid gives it
  std::uint32_t reserved = 0;
  double cpu_seconds = 0;
  std::uint64_t peak_bytes = 0;  // largest resident set
};

}  // namespace cudalabs::vgpu
