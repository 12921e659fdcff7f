// How much of everything a session keeps, and how long it waits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cudalabs::vgpu {

struct SessionLimits {
  std::size_t modules = 64;
  /// Of all modules' device code together, what is compressed and what it becomes. What is made of it is some 20 times
  /// that.
  std::uint64_t image_bytes = 32ull << 20;
  std::size_t allocations = 65'536;
  std::size_t inputs = 64;
  std::size_t streams = 1024;
  std::size_t events = 65'536;
  std::size_t images = 65'536;
  std::uint64_t launches = 1u << 17;
  std::size_t event_progress = 1u << 20;      // streams that all recorded events remember, together
  std::size_t pending_work = 1024;            // issued, not done; more waits
  std::uint64_t staged_bytes = 256ull << 20;  // of asynchronous copies in flight
  std::size_t staged_copies = 65'536;         // to the host, not handed over yet
  std::size_t output_bytes = 1u << 20;        // of device printf, waiting to be fetched: the newest are kept
  std::uint64_t handed_output_bytes = ~0ull;  // of device printf, handed to the program in all: the rest is cut
  std::size_t reported_launches = 4096;
  std::size_t reported_leaks = 1000;            // call sites that allocated
  std::size_t message_bytes = 1000;             // of one text about device code that cannot be loaded
  std::size_t first_launches = 8;               // that are kept as they were asked for
  std::uint64_t questions_in_vain = 1'000'000;  // of a program that asks for the end of what waits for a value
  bool device_thread = true;                    // the device works beside the connection; false: when it is waited for
  double end_seconds = 10;                      // for unfinished work once the client is gone
};

}  // namespace cudalabs::vgpu
